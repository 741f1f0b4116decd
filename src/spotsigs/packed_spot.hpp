// A signature in the eight bytes in which pages and the spot index keep it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "spotsigs/spot_vector.hpp"

namespace nd::spotsigs {

// The hash above, the count, 1..255 and saturated, in the low byte. So packed signatures are in the order of
// their hashes.
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

// The signatures with their multiplicity.
constexpr uint64_t length(PackedSpots spots) noexcept {
  uint64_t sum = 0;
  for (const PackedSpot packed : spots)
    sum += spot_of(packed).count;
  return sum;
}

}  // namespace nd::spotsigs
