// A document in the list of a signature, in 56 bits.
#pragma once

#include <algorithm>
#include <cstdint>

namespace nd::spotsigs {

inline constexpr unsigned kPostingLengthBits = 16;
// A document of this length or longer.
inline constexpr uint64_t kPostingLengthLimit = (uint64_t{1} << kPostingLengthBits) - 1;

constexpr uint64_t make_posting(uint64_t sequence, uint64_t length) noexcept {
  return sequence << kPostingLengthBits | std::min(length, kPostingLengthLimit);
}
constexpr uint64_t sequence_of(uint64_t posting) noexcept {
  return posting >> kPostingLengthBits;
}
constexpr uint64_t length_of(uint64_t posting) noexcept {
  return posting & kPostingLengthLimit;
}

}  // namespace nd::spotsigs
