// A growing buffer of text that is written through a pointer and used again for the next page without being
// cleared byte by byte.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "core/memory.hpp"

namespace nd::text {

class Utf8Output {
 public:
  // Keeps the memory.
  void clear() noexcept { size_ = 0; }

  // Room for `count` more bytes; write there and tell with set_end() how far. Valid until the next call.
  char* reserve(size_t count) {
    if (memory_.size() - size_ < count) memory_.resize(std::max(size_ + count, memory_.size() * 2));
    return memory_.data() + size_;
  }
  void set_end(const char* end) noexcept { size_ = static_cast<size_t>(end - memory_.data()); }

  void append(std::string_view text) {
    if (text.empty()) return;
    std::memcpy(reserve(text.size()), text.data(), text.size());
    size_ += text.size();
  }

  std::string_view text() const noexcept { return {memory_.data(), size_}; }

  uint64_t memory_bytes() const noexcept { return memory_.capacity(); }

 private:
  Vector<char> memory_;
  size_t size_ = 0;
};

}  // namespace nd::text
