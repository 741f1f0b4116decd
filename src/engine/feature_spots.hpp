// The spot signatures of a features record (docs/features_format.md).
#pragma once

#include <algorithm>
#include <cstdint>

#include "spotsigs/packed_spot.hpp"
#include "spotsigs/spot_extractor.hpp"

namespace nd::engine {

using spotsigs::kSpotCountBits;
using spotsigs::kSpotCountLimit;
using spotsigs::make_packed_spot;
using spotsigs::PackedSpot;
using spotsigs::spot_of;

// A signature of one block, kept in portable features only (nd_features_without makes the packed ones anew).
struct FeatureBlockSpot {
  uint64_t hash;
  uint32_t block;  // index
  uint32_t count;  // in this block
};
static_assert(sizeof(FeatureBlockSpot) == 16);

// How the signatures were made; see spotsigs::SpotParameters.
struct FeatureSpotParameters {
  uint16_t enabled, distance, chain, signatures;
};
static_assert(sizeof(FeatureSpotParameters) == 8);

// The ends of the options' ranges.
inline constexpr uint32_t kSpotDistanceLimit = 16;
inline constexpr uint32_t kSpotChainLimit = 16;
inline constexpr uint32_t kSpotSignaturesLimit = 65535;

constexpr FeatureSpotParameters feature_spot_parameters_of(
    const spotsigs::SpotParameters& parameters) noexcept {
  const auto u16 = [](uint32_t value) {
    return static_cast<uint16_t>(std::min<uint32_t>(value, UINT16_MAX));
  };
  return {u16(parameters.enabled), u16(parameters.distance), u16(parameters.chain),
          u16(parameters.signatures)};
}

}  // namespace nd::engine
