// Simhash as the papers write it down: a sum of plus and minus weights for each bit.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "moz/simhash.hpp"

namespace nd::moz::oracle {

inline uint64_t signs(std::span<const WeightedFeature> features) {
  uint64_t signs = 0;
  for (uint32_t bit = 0; bit < 64; ++bit) {
    int64_t sum = 0;
    for (const WeightedFeature& feature : features)
      sum += (feature.hash >> bit & 1) != 0 ? int64_t{feature.weight} : -int64_t{feature.weight};
    if (sum >= 0) signs |= uint64_t{1} << bit;
  }
  return signs;
}

inline std::optional<uint64_t> simhash64(std::span<const WeightedFeature> features) {
  for (const WeightedFeature& feature : features) {
    if (feature.weight != 0) return signs(features);
  }
  return std::nullopt;
}

}  // namespace nd::moz::oracle
