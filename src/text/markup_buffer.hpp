// What the prefilter writes: a string that copies short pieces in whole blocks, and keeps its memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "core/memory.hpp"

namespace nd::text {

class MarkupBuffer {
 public:
  size_t size() const noexcept { return size_; }
  std::string_view view() const noexcept { return {bytes_.data(), size_}; }

  MarkupBuffer& append(std::string_view text) {
    if (room() < text.size()) grow(text.size());
    std::memcpy(bytes_.data() + size_, text.data(), text.size());
    size_ += text.size();
    return *this;
  }
  // The same. `readable`: bytes from `text` on that may be read, at least `size`.
  void append(const char* text, size_t size, size_t readable) {
    if (size > kBlock || readable < kBlock || room() < kBlock) {
      append({text, size});
    } else {
      std::memcpy(bytes_.data() + size_, text, kBlock);
      size_ += size;
    }
  }
  void push_back(char c) {
    if (room() == 0) grow(1);
    bytes_[size_++] = c;
  }
  // `size`: at most that of today.
  void cut(size_t size) noexcept { size_ = size; }
  uint64_t memory_bytes() const noexcept { return bytes_.capacity(); }
  void release() noexcept {
    Vector<char>().swap(bytes_);
    size_ = 0;
  }

 private:
  static constexpr size_t kBlock = 32;
  static constexpr size_t kLeastBytes = 4096;

  size_t room() const noexcept { return bytes_.size() - size_; }
  void grow(size_t more) { bytes_.resize(std::max({kLeastBytes, size_ + more, 2 * bytes_.size()})); }

  Vector<char> bytes_;
  size_t size_ = 0;
};

}  // namespace nd::text
