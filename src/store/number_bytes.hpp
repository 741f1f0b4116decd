// A number as the value of an entry: its least little-endian bytes, of which a run holds up to seven in the
// entry itself.
#pragma once

#include <array>
#include <cstdint>

#include "store/run.hpp"

namespace nd::store {

class NumberBytes {
 public:
  static constexpr size_t kGreatestSize = 7;

  // `number`: 1..2^56 - 1.
  explicit NumberBytes(uint64_t number) noexcept {
    for (; number != 0; number >>= 8)
      bytes_[size_++] = static_cast<uint8_t>(number);
  }
  Bytes bytes() const noexcept { return {bytes_.data(), size_}; }

 private:
  std::array<uint8_t, 8> bytes_{};
  size_t size_ = 0;
};

// 0 for bytes that are no number.
inline uint64_t number_of(Bytes bytes) noexcept {
  if (bytes.size() > NumberBytes::kGreatestSize) return 0;
  uint64_t number = 0;
  for (size_t i = bytes.size(); i > 0; --i)
    number = number << 8 | bytes[i - 1];
  return number;
}

}  // namespace nd::store
