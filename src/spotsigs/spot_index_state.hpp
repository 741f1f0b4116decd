// What a snapshot must store of a spot index besides its tables.
#pragma once

#include <cstdint>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "store/run.hpp"

namespace nd::spotsigs {

struct SpotIndexState {
  static constexpr uint64_t kGreatestSequence = (uint64_t{1} << 40) - 1;

  uint64_t last_sequence = 0;    // given to the last insertion
  uint64_t oldest_sequence = 1;  // no document has a lower one
  uint64_t posting_count = 0;    // of all documents
  uint64_t inserted_since_epoch = 0;
  uint64_t epoch = 0;
  uint64_t epoch_documents = 0;
  uint64_t evicted = 0;
  uint64_t refused = 0;
  Vector<uint64_t> dropped;  // by the epoch; ascending

  // Appends what parse() reads.
  void write(Vector<uint8_t>& out) const;
  // The bytes must contain nothing else. Errors: kCorrupt.
  static Result<SpotIndexState> parse(store::Bytes bytes);
};

}  // namespace nd::spotsigs
