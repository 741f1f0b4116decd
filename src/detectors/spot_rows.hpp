// Descriptions of methods that compare spot signatures.
#pragma once

#include "detectors/description.hpp"
#include "spotsigs/packed_spot.hpp"
#include "spotsigs/spot_vector.hpp"

namespace nd::detectors {

// Throws std::bad_alloc.
inline Vector<spotsigs::Spot> spots_of(Description description) {
  Vector<spotsigs::Spot> spots;
  for (const spotsigs::PackedSpot packed : row_of<spotsigs::PackedSpot>(description))
    spots.push_back(spotsigs::spot_of(packed));
  return spots;
}

inline double jaccard(const spotsigs::Overlap& overlap) noexcept {
  return overlap.united == 0 ? 0 : static_cast<double>(overlap.shared) / static_cast<double>(overlap.united);
}

}  // namespace nd::detectors
