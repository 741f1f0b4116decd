// The multi-set of a page's spot signatures, the unit that SpotSigs compares (Theobald et al., SIGIR 2008),
// and what its threshold means for two of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace nd::spotsigs {

inline constexpr uint32_t kSpotHashBits = 56;

// One distinct signature and how often it occurs. The hash is stable across machines and versions.
struct Spot {
  uint64_t hash;   // stable hash of antecedent and chain
  uint32_t count;  // at least 1
};

// Ascending by hash, each hash once.
using SpotVector = std::span<const Spot>;

// |d|: the number of signatures, counted with their multiplicity.
inline uint64_t length(SpotVector spots) noexcept {
  uint64_t sum = 0;
  for (const Spot& spot : spots)
    sum += spot.count;
  return sum;
}

// Multi-set Jaccard as a fraction, shared / united: the sums of the smaller and of the larger counts.
struct Overlap {
  uint64_t shared;
  uint64_t united;
};
// Cost: O(|a| + |b|) distinct signatures.
inline Overlap overlap(SpotVector a, SpotVector b) noexcept {
  uint64_t shared = 0;
  for (size_t i = 0, k = 0; i < a.size() && k < b.size();) {
    if (a[i].hash < b[k].hash) {
      ++i;
    } else if (b[k].hash < a[i].hash) {
      ++k;
    } else {
      shared += std::min(a[i++].count, b[k++].count);
    }
  }
  return {shared, length(a) + length(b) - shared};
}

// A signature as pages and the spot index store it, in eight bytes: the hash in the high bytes, the count,
// saturated at 255, in the low byte. So packed signatures are in the order of their hashes.
using PackedSpot = uint64_t;
inline constexpr uint32_t kSpotCountBits = 64 - kSpotHashBits;
inline constexpr uint32_t kSpotCountLimit = (1U << kSpotCountBits) - 1;

constexpr PackedSpot make_packed_spot(const Spot& spot) noexcept {
  return spot.hash << kSpotCountBits | std::min(spot.count, kSpotCountLimit);
}
constexpr Spot spot_of(PackedSpot packed) noexcept {
  return {packed >> kSpotCountBits, static_cast<uint32_t>(packed & kSpotCountLimit)};
}

// As SpotVector: ascending by hash, each hash once.
using PackedSpots = std::span<const PackedSpot>;

// The number of signatures, counted with their multiplicity.
constexpr uint64_t length(PackedSpots spots) noexcept {
  uint64_t sum = 0;
  for (const PackedSpot packed : spots)
    sum += spot_of(packed).count;
  return sum;
}

// The threshold tau of SpotSigs is in thousandths, 1..1000. Everything is decided in integers: in doubles tau
// = .8 already loses the pair of lengths 8 and 10.
using Wide = unsigned __int128;  // a product of a length and a number of thousandths always fits

constexpr uint32_t kThresholdUnit = 1000;

// sim >= tau. Two empty multi-sets are not similar.
constexpr bool similar(Overlap overlap, uint32_t tau) noexcept {
  return overlap.united > 0 && Wide{overlap.shared} * kThresholdUnit >= Wide{overlap.united} * tau;
}

// The length of the shortest document that can reach tau with one of this length: sim <= shorter / longer.
constexpr uint64_t least_length(uint64_t length, uint32_t tau) noexcept {
  return static_cast<uint64_t>((Wide{length} * tau + (kThresholdUnit - 1)) / kThresholdUnit);
}

// How much two documents of these lengths must share to reach tau: s >= tau (a + b - s).
constexpr uint64_t least_shared(uint64_t a, uint64_t b, uint32_t tau) noexcept {
  const Wide unit = kThresholdUnit + tau;
  return static_cast<uint64_t>(((Wide{a} + b) * tau + (unit - 1)) / unit);
}

}  // namespace nd::spotsigs
