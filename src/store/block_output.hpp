// Appends to a run file through a buffer, and computes the checksums of its blocks.
#pragma once

#include <cstdint>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "store/file_system.hpp"
#include "store/run_layout.hpp"

namespace nd::store {

// One thread. After an error nothing but destruction makes sense.
class BlockOutput {
 public:
  // `file` is empty.
  explicit BlockOutput(Owned<File> file);

  uint64_t size() const noexcept { return flushed_bytes_ + buffer_.size(); }
  Result<void> append(Bytes bytes);
  Result<void> pad_to(uint64_t multiple);  // with zeros; at most 16
  // The blocks end here; their checksums.
  Result<const Vector<uint64_t>*> end_blocks();
  // Appends without a checksum, after end_blocks(), and makes everything durable.
  Result<void> finish(Bytes table, Bytes trailer);

 private:
  static constexpr uint64_t kBufferBytes = 16 * kBlockBytes;
  Result<void> flush();

  Owned<File> file_;
  Vector<uint8_t> buffer_;
  Vector<uint64_t> checksums_;
  uint64_t flushed_bytes_ = 0;
};

}  // namespace nd::store
