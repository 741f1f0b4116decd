// Common beginnings and ends, which every comparison takes off before a solver runs, and the width of a
// script.
#include "lcs/sequence.hpp"

#include <algorithm>

namespace nd::lcs {

uint32_t common_prefix(std::span<const uint32_t> a, std::span<const uint32_t> b) noexcept {
  const auto shorter = std::min(a.size(), b.size());
  return static_cast<uint32_t>(
      std::mismatch(a.begin(), a.begin() + static_cast<ptrdiff_t>(shorter), b.begin()).first - a.begin());
}

uint32_t common_suffix(std::span<const uint32_t> a, std::span<const uint32_t> b) noexcept {
  const auto shorter = std::min(a.size(), b.size());
  return static_cast<uint32_t>(
      std::mismatch(a.rbegin(), a.rbegin() + static_cast<ptrdiff_t>(shorter), b.rbegin()).first - a.rbegin());
}

uint64_t matched_width(const Sequence& a, std::span<const Match> script) noexcept {
  uint64_t sum = 0;
  for (const Match& match : script) {
    for (uint32_t i = 0; i < match.count; ++i)
      sum += a.widths[match.a + i];
  }
  return sum;
}

}  // namespace nd::lcs
