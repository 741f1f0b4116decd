// Exact hash: documents are duplicates if their bytes have the same hash of 128 bits.
#pragma once

#include <cstdint>
#include <string_view>

#include "baselines/keyed_records.hpp"
#include "core/hash.hpp"

namespace nd::baselines {

// 1 or 0.
inline double exact_score(std::string_view a, std::string_view b) noexcept {
  return a == b ? 1 : 0;
}

// An index of equal texts, by the hash of the normalised text. Threads: as KeyedRecords.
class ExactHashIndex {
 public:
  ExactHashIndex(uint64_t secret, const Limits& limits) noexcept : records_(secret, limits) {}

  // As KeyedRecords::insert(). The empty text counts as a text.
  bool insert(uint64_t id, std::string_view text) {
    const Hash128 hash = stable_hash_128(text);
    return records_.insert(id, {hash.high}, {hash.low});
  }
  bool remove(uint64_t id) noexcept { return records_.remove(id); }
  Matches find(std::string_view text) const;

  Counts counts() const noexcept { return records_.counts(); }
  uint64_t probe_count() const noexcept { return records_.probe_count(); }
  uint64_t memory_bytes() const noexcept { return records_.memory_bytes(); }
  uint64_t content_bytes() const noexcept { return records_.content_bytes(); }

 private:
  struct Record {
    uint64_t high = 0;  // half of the hash
    static uint64_t memory_bytes() noexcept { return 0; }
    static uint64_t content_bytes() noexcept { return 0; }
    static uint64_t compared_bytes() noexcept { return sizeof high; }
  };
  KeyedRecords<Record> records_;
};

}  // namespace nd::baselines
