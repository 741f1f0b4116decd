// Simhash: one number for a page, such that similar pages have numbers that differ in few bits (Charikar,
// STOC 2002; for web pages Manku, Jain, Das Sarma, WWW 2007).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/hash.hpp"
#include "core/memory.hpp"

namespace nd::moz {

// The weighted features of a page, from which a simhash is made, and its shingles, from which a fingerprint
// vector is made.
struct WeightedFeature {
  uint64_t hash;    // from any good hash function; stable if the simhash is to be stable
  uint32_t weight;  // 0: counts for nothing
};

struct WeightedFeature128 {
  Hash128 hash;
  uint32_t weight;
};

struct WeightedToken {
  uint32_t hash;    // stable, as text::Token::hash
  uint32_t weight;  // 0: left out, as a stop word
  // True for one character of a script that is written without spaces; false for a word, also for a Chinese
  // word found by segmentation.
  bool is_character;
};

// Appends the features of one run of text: each word, and each two neighbours of characters in a row. Single
// characters distinguish too little: a few hundred of them make up most of any Chinese text, and they lose
// the order. A pair has the smaller of the two weights; a character between words is a feature itself.
//
// A repeated feature is appended again: a simhash adds up the weights. Hashes are stable across machines and
// versions. Cost: O(tokens). Throws std::bad_alloc and has appended whole features.
void append_features(std::span<const WeightedToken> run, Vector<WeightedFeature>& out);

// The feature for a simhash of 128 bits. Features with equal hashes stay equal.
WeightedFeature128 widened(const WeightedFeature& feature) noexcept;

// Tokens per shingle. Shingles describe, as a set of hashes, which tokens are neighbours in a text.
//
// Moz does not say what its vector is made of. SpotSigs ("Summary - Gold Set") compares with shingles of 1
// and of 3 tokens; 3 tokens distinguish two texts on one subject, and 3 Chinese characters are about two
// words.
inline constexpr uint32_t kShingleTokens = 3;

// Appends the hash of each `length` (at least 1) tokens in a row. Fewer tokens than that are one shingle, so
// that short text is not lost; no tokens give no shingle. The hashes are stable across machines and versions;
// repeated shingles are appended again.
//
// `tokens` is one run: text on both sides of a gap, such as two blocks, takes two calls. Cost: O(length) per
// token. Throws std::bad_alloc and has appended nothing.
void append_shingles(std::span<const uint32_t> tokens, uint32_t length, Vector<uint64_t>& out);

// Sixty-four counters that are added to at once, kept as planes: plane p holds bit p of each of them.
//
// Additions of equal weight wait until there are eight; then the eight are counted in all lanes by seven
// one-bit adders and added to the planes as one number. An addition of weight 1 takes about ten operations on
// words, where separate counters would take 64 additions.
class LaneCounters {
 public:
  // Adds `weight` to each counter whose bit in `lanes` is set. All weights together: below 2^64.
  void add(uint64_t lanes, uint32_t weight) noexcept {
    for (; weight != 0; weight &= weight - 1) {
      const auto plane = static_cast<uint32_t>(std::countr_zero(weight));
      waiting_[plane][counts_[plane]++] = lanes;
      if (counts_[plane] == kWaiting) carry(plane);
    }
  }

  // The lanes whose counter is `bound` or more.
  uint64_t at_least(uint64_t bound) noexcept;

 private:
  static constexpr size_t kWaiting = 8;
  static constexpr size_t kWeightBits = 32;

  void carry(uint32_t plane) noexcept;

  std::array<uint64_t, 64> planes_{};
  std::array<uint8_t, kWeightBits> counts_{};
  std::array<std::array<uint64_t, kWaiting>, kWeightBits> waiting_;  // the first counts_ of each
};

// The most bits in which near-duplicates differ. Moz, "Picking a threshold": at 6 of 64 there were pages that
// have nothing to do with each other; at 5 none was found in thousands of crawls.
inline constexpr uint32_t kSimhash64Distance = 5;
// TR2007012 section 5.4: 97 of 128 bits equal, the best precision at its recall.
inline constexpr uint32_t kSimhash128Distance = 128 - 97;

// Each feature votes on each bit with its weight: for 1 where its hash has a 1, else for 0. A bit is 1 if at
// least half of the weight votes for it: a tie gives 1, like the non-negative sum in TR2007012 section 2 and
// in Charikar's definition.
//
// nullopt if there is no weight: two pages without text are not similar for that reason. Depends on
// the multi-set of features alone, in integers, so it is the same on every machine. Fewer than 2^32 features.
// Cost: O(features), some nanoseconds each.
std::optional<uint64_t> simhash64(std::span<const WeightedFeature> features) noexcept;
std::optional<Hash128> simhash128(std::span<const WeightedFeature128> features) noexcept;
// The same of widened() features.
std::optional<Hash128> simhash128(std::span<const WeightedFeature> features) noexcept;

// Without the instruction, which the baseline of x86-64 lacks, std::popcount is a call; these dozen
// operations are faster (Warren, "Hacker's Delight", section 5-1).
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
