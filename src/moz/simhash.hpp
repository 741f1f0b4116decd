// Simhash: one number for a page, such that similar pages have numbers that differ in few bits (Charikar,
// STOC 2002; for web pages Manku, Jain, Das Sarma, WWW 2007).
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <span>

#include "core/hash.hpp"
#include "moz/simhash_features.hpp"

namespace nd::moz {

// Bits that near-duplicates differ in at most. Moz, "Picking a threshold": at 6 of 64 there were pages that
// have nothing to do with each other, at 5 none was found in thousands of crawls.
inline constexpr uint32_t kSimhash64Distance = 5;
// TR2007012 section 5.4: 97 of 128 bits equal, the best precision at its recall.
inline constexpr uint32_t kSimhash128Distance = 128 - 97;

// Each feature votes on each bit with its weight: for 1 where its hash has a 1, else for 0. A bit is 1 if at
// least half of the weight is for it: a tie is 1, as the non-negative sum in TR2007012 section 2 and in
// Charikar's definition.
//
// None if there is no weight: pages without text are not similar to each other for that. Depends on
// the multi-set of features alone, in integers, so it is the same on every machine. Fewer than 2^32 features.
// Cost: O(features), some ns each.
std::optional<uint64_t> simhash64(std::span<const WeightedFeature> features) noexcept;
std::optional<Hash128> simhash128(std::span<const WeightedFeature128> features) noexcept;
// Of widened() features.
std::optional<Hash128> simhash128(std::span<const WeightedFeature> features) noexcept;

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

// The Hamming distance: in how many bits two hashes differ.
constexpr uint32_t distance(uint64_t a, uint64_t b) noexcept {
  return ones(a ^ b);
}

constexpr uint32_t distance(const Hash128& a, const Hash128& b) noexcept {
  return ones(a.low ^ b.low) + ones(a.high ^ b.high);
}

}  // namespace nd::moz
