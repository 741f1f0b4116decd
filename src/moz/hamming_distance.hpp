// In how many bits two hashes differ.
#pragma once

#include <bit>
#include <cstdint>

#include "core/hash.hpp"

namespace nd::moz {

// Without the instruction, which the baseline of x86-64 lacks, std::popcount is a call; these dozen
// operations take less (Warren, "Hacker's Delight", section 5-1).
constexpr uint32_t ones(uint64_t bits) noexcept {
#if defined(__x86_64__) && !defined(__POPCNT__)
  bits -= (bits >> 1) & 0x5555555555555555;
  bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333);
  bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return static_cast<uint32_t>((bits * 0x0101010101010101) >> 56);
#else
  return static_cast<uint32_t>(std::popcount(bits));
#endif
}

constexpr uint32_t distance(uint64_t a, uint64_t b) noexcept {
  return ones(a ^ b);
}

constexpr uint32_t distance(const Hash128& a, const Hash128& b) noexcept {
  return ones(a.low ^ b.low) + ones(a.high ^ b.high);
}

}  // namespace nd::moz
