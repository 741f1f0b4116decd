// The threshold tau of SpotSigs in thousandths, 1..1000, and what follows from it for lengths. Everything is
// decided in integers: in doubles tau = .8 already loses the pair of lengths 8 and 10.
#pragma once

#include <cstdint>

#include "spotsigs/spot_vector.hpp"

namespace nd::spotsigs {

using Wide = unsigned __int128;  // a product of a length and a number of thousandths always fits

constexpr uint32_t kThresholdUnit = 1000;

// sim >= tau. Two empty multi-sets are not similar.
constexpr bool similar(Overlap overlap, uint32_t tau) noexcept {
  return overlap.united > 0 && Wide{overlap.shared} * kThresholdUnit >= Wide{overlap.united} * tau;
}

// The shortest document that can reach tau with one of the length: sim <= shorter / longer.
constexpr uint64_t least_length(uint64_t length, uint32_t tau) noexcept {
  return static_cast<uint64_t>((Wide{length} * tau + (kThresholdUnit - 1)) / kThresholdUnit);
}

// What two documents of these lengths must share to reach tau: s >= tau (a + b - s).
constexpr uint64_t least_shared(uint64_t a, uint64_t b, uint32_t tau) noexcept {
  const Wide unit = kThresholdUnit + tau;
  return static_cast<uint64_t>(((Wide{a} + b) * tau + (unit - 1)) / unit);
}

// Whether two documents of these lengths can reach tau.
constexpr bool lengths_fit(uint64_t a, uint64_t b, uint32_t tau) noexcept {
  return a < b ? a >= least_length(b, tau) : b >= least_length(a, tau);
}

}  // namespace nd::spotsigs
