// The comparison of TR2007012 sections 4.3 and 4.4 put together from the plain steps, always with Myers'
// script.
#pragma once

#include "lcs/comparison.hpp"
#include "unit/lcs/longest_common_subsequence_oracle.hpp"

namespace nd::lcs::oracle {

struct Compared {
  Pairs pairs;  // ascending in a
  uint64_t width = 0;
  uint32_t passes = 0;
};

Compared compare(const Sequence& a, const Sequence& b, const ComparisonParameters& parameters);

}  // namespace nd::lcs::oracle
