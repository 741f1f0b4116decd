// Splits the bytes of a fuzzer's input into what a target needs. Never fails: behind the end there are zeros
// and empty texts, so that each input, however short, means something.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace nd::fuzz {

// Reads from the front; what it gives out points into the input.
class InputReader {
 public:
  InputReader(const uint8_t* data, size_t size) noexcept : left_(data, size) {}
  explicit InputReader(std::span<const uint8_t> input) noexcept : left_(input) {}

  bool at_end() const noexcept { return left_.empty(); }

  uint8_t take_byte() noexcept {
    if (left_.empty()) return 0;
    const uint8_t byte = left_.front();
    left_ = left_.subspan(1);
    return byte;
  }

  bool take_flag() noexcept { return (take_byte() & 1U) != 0; }

  // least..most, both included; of as many bytes, the lowest first, as most - least has.
  uint64_t take_number(uint64_t least, uint64_t most) noexcept {
    const uint64_t width = most - least;
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64 && (width >> shift) != 0; shift += 8)
      number |= uint64_t{take_byte()} << shift;
    return width == UINT64_MAX ? number : least + number % (width + 1);
  }

  // Fewer where the input ends.
  std::span<const uint8_t> take_bytes(size_t count) noexcept {
    const auto taken = left_.first(std::min(count, left_.size()));
    left_ = left_.subspan(taken.size());
    return taken;
  }

  // Up to the next NUL byte, which is dropped, or to the end: inputs stay readable, and a mutation changes a
  // text's length without moving what follows it.
  std::string_view take_text() noexcept {
    const void* const nul = left_.empty() ? nullptr : std::memchr(left_.data(), 0, left_.size());
    if (nul == nullptr) return as_text(take_bytes(left_.size()));
    const auto taken = take_bytes(static_cast<size_t>(static_cast<const uint8_t*>(nul) - left_.data()));
    take_byte();
    return as_text(taken);
  }

  std::span<const uint8_t> rest() noexcept { return take_bytes(left_.size()); }

  static std::string_view as_text(std::span<const uint8_t> bytes) noexcept {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

 private:
  std::span<const uint8_t> left_;
};

}  // namespace nd::fuzz
