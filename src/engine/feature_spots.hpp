// The spot signatures of a features record (docs/features_format.md).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "core/hash.hpp"
#include "spotsigs/spot_extractor.hpp"
#include "spotsigs/spot_vector.hpp"

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
  uint16_t enabled : 1;
  uint16_t antecedents : 15;  // 0: the lists of ndc; else stands for a list of one's own
  uint16_t distance, chain, signatures;

  // Whether signatures of both can be equal.
  bool makes_the_same_as(const FeatureSpotParameters& other) const noexcept {
    return antecedents == other.antecedents && distance == other.distance && chain == other.chain;
  }
};
static_assert(sizeof(FeatureSpotParameters) == 8);

// The ends of the options' ranges.
inline constexpr uint32_t kSpotDistanceLimit = 16;
inline constexpr uint32_t kSpotChainLimit = 16;
inline constexpr uint32_t kSpotSignaturesLimit = 65535;

// `antecedents`: of option `antecedents`; empty: the lists of ndc.
inline FeatureSpotParameters feature_spot_parameters_of(const spotsigs::SpotParameters& parameters,
                                                        std::string_view antecedents) noexcept {
  constexpr uint16_t kAntecedentsMask = 0x7fff;
  const auto u16 = [](uint32_t value) {
    return static_cast<uint16_t>(std::min<uint32_t>(value, UINT16_MAX));
  };
  FeatureSpotParameters out{};
  out.enabled = parameters.enabled ? 1 : 0;
  if (!antecedents.empty()) {
    const auto list = static_cast<uint16_t>(stable_hash(antecedents) & kAntecedentsMask);
    out.antecedents = std::max<uint16_t>(list, 1) & kAntecedentsMask;
  }
  out.distance = u16(parameters.distance);
  out.chain = u16(parameters.chain);
  out.signatures = u16(parameters.signatures);
  return out;
}

}  // namespace nd::engine
