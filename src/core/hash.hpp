// Two roles, two hashes. Stable hashes (XXH3, whose output is frozen by its specification) go into
// fingerprints, features and stores. Hash tables in memory mix them with a secret, so that no page can be
// written to collide.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/memory.hpp"

namespace nd {

// XXH3 64 bit, seed 0.
inline uint64_t stable_hash(std::string_view bytes) noexcept {
  return XXH3_64bits(bytes.data(), bytes.size());
}

// XXH3 64 bit with a seed: gives several independent stable hashes of the same bytes.
inline uint64_t stable_hash(std::string_view bytes, uint64_t seed) noexcept {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

struct Hash128 {
  uint64_t low = 0;
  uint64_t high = 0;
  friend bool operator==(const Hash128&, const Hash128&) = default;
};

inline Hash128 stable_hash_128(std::string_view bytes) noexcept {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.low64, hash.high64};
}

// A bijection of 64-bit values with full avalanche (the finalizer of MurmurHash3, constants by A. Appleby).
constexpr uint64_t mix(uint64_t value) noexcept {
  value ^= value >> 33;
  value *= 0xff51afd7ed558ccdULL;
  value ^= value >> 33;
  value *= 0xc4ceb9fe1a85ec53ULL;
  value ^= value >> 33;
  return value;
}

// Sorts a page's hashes: about a hundred values, whose top bits are practically random. `buffer` is for
// reuse. Cost: O(n) if the top bytes are spread: relative to std::sort(), whose branches are mispredicted, .5
// for 48 hashes, .3 for 112, .25 for 500, .7 for 2,000 (measured 2026-11-22). O(n log n) if they are not, as
// with some thousands of hashes, or if there are too few for counting to pay.
inline void sort_hashes(std::span<uint64_t> hashes, Vector<uint64_t>& buffer) {
  constexpr size_t kFew = 32;      // 24 cost 1.1 times as much as by std::sort(), 32 cost .75
  constexpr uint32_t kCrowd = 16;  // as in std::sort(), which uses insertion sort up to here
  if (hashes.size() < kFew) {
    std::sort(hashes.begin(), hashes.end());
    return;
  }
  std::array<uint32_t, 256> ends{};
  for (const uint64_t hash : hashes)
    ++ends[hash >> 56];
  if (*std::max_element(ends.begin(), ends.end()) > kCrowd) {
    std::sort(hashes.begin(), hashes.end());
    return;
  }
  uint32_t sum = 0;
  for (uint32_t& end : ends)
    end = sum += end;
  buffer.assign(hashes.begin(), hashes.end());
  for (const uint64_t hash : buffer)
    hashes[--ends[hash >> 56]] = hash;
  // Only hashes with the same top byte can still be out of order, and they are neighbours.
  for (size_t i = 1; i < hashes.size(); ++i) {
    const uint64_t hash = hashes[i];
    size_t place = i;
    for (; place > 0 && hashes[place - 1] > hash; --place)
      hashes[place] = hashes[place - 1];
    hashes[place] = hash;
  }
}

}  // namespace nd
