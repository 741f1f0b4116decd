// Two roles, two hashes. Stable hashes (XXH3, whose output is frozen by its specification) go into
// fingerprints, features and stores. Hash tables in memory mix them with a secret, so that no page can be
// written to collide.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdint>
#include <string_view>

namespace nd {

// XXH3 64 bit, seed 0.
inline uint64_t stable_hash(std::string_view bytes) noexcept {
  return XXH3_64bits(bytes.data(), bytes.size());
}

// XXH3 64 bit with a seed: the way to several independent stable hashes of the same bytes.
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

}  // namespace nd
