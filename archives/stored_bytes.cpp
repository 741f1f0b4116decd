// A file that ends before its size is told apart from a failure of its storage.
#include "archives/stored_bytes.hpp"

#include <algorithm>
#include <limits>

namespace ndc {

std::optional<size_t> StoredSource::read(char* out, size_t size) {
  const uint64_t end = bytes_->size().value_or(std::numeric_limits<uint64_t>::max());
  if (offset_ >= end) return 0;
  const std::optional<size_t> count =
      bytes_->read(offset_, out, static_cast<size_t>(std::min<uint64_t>(size, end - offset_)));
  offset_ += count.value_or(0);
  if (count == 0 && bytes_->size()) early_end_ = offset_;
  return count;
}

}  // namespace ndc
