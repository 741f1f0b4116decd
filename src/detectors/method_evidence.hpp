// What a method's score of two pages counts, for people who ask why.
#pragma once

#include <cstdint>
#include <string_view>

#include "detectors/description.hpp"
#include "detectors/method.hpp"

namespace nd::detectors {

struct MethodEvidence {
  std::string_view unit;  // in the plural: "terms", "bits"
  uint64_t of_a;  // that the pages have; what occurs more than once counts as often as the method counts it
  uint64_t of_b;
  uint64_t shared;
};

// Both descriptions have passed check_description() of the method; kLcs has nothing to count. Throws
// std::bad_alloc. Cost: O(|a| + |b|).
MethodEvidence evidence_of(Method method, Description a, Description b);

// The score from which on two pages are near-duplicates, 0..1. `threshold`: in the method's unit, 0: its
// default.
double least_score(Method method, uint32_t threshold) noexcept;

}  // namespace nd::detectors
