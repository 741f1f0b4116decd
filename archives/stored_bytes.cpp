// A read that gives fewer bytes than the file has is told apart from a failure of its storage.
#include "archives/stored_bytes.hpp"

#include <algorithm>

namespace ndc {

std::optional<size_t> StoredSource::read(char* out, size_t size) {
  const uint64_t end = bytes_->size();
  if (offset_ >= end) return 0;
  const std::optional<size_t> count =
      bytes_->read(offset_, out, static_cast<size_t>(std::min<uint64_t>(size, end - offset_)));
  // Fewer than there should be: a file that is being written, or was replaced. What is missing of the last
  // record shows by itself.
  offset_ += count.value_or(0);
  return count;
}

}  // namespace ndc
