#include "store/block_output.hpp"

#include <algorithm>
#include <utility>

namespace nd::store {

BlockOutput::BlockOutput(Owned<File> file) : file_(std::move(file)) {
  buffer_.reserve(kBufferBytes);
}

Result<void> BlockOutput::append(Bytes bytes) {
  while (!bytes.empty()) {
    const size_t count = std::min<size_t>(bytes.size(), kBufferBytes - buffer_.size());
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(count));
    bytes = bytes.subspan(count);
    if (buffer_.size() == kBufferBytes) {
      if (Result<void> flushed = flush(); !flushed) return flushed;
    }
  }
  return {};
}

Result<void> BlockOutput::pad_to(uint64_t multiple) {
  static constexpr uint8_t kZeros[16] = {};
  return append({kZeros, static_cast<size_t>(round_up(size(), multiple) - size())});
}

// The buffer begins at the beginning of a block, since all but the last flush are of a full buffer.
Result<void> BlockOutput::flush() {
  for (Bytes rest = buffer_; !rest.empty();) {
    const Bytes block = rest.first(std::min<size_t>(rest.size(), kBlockBytes));
    checksums_.push_back(checksum_of(block));
    rest = rest.subspan(block.size());
  }
  if (Result<void> appended = file_->append(buffer_); !appended) return appended;
  flushed_bytes_ += buffer_.size();
  buffer_.clear();
  return {};
}

Result<const Vector<uint64_t>*> BlockOutput::end_blocks() {
  if (Result<void> flushed = flush(); !flushed) return std::move(flushed).failure();
  return &checksums_;
}

Result<void> BlockOutput::finish(Bytes table, Bytes trailer) {
  if (Result<void> appended = file_->append(table); !appended) return appended;
  if (Result<void> appended = file_->append(trailer); !appended) return appended;
  return file_->sync();
}

}  // namespace nd::store
