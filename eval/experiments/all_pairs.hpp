// Every pair of a collection with its exact similarity: the plain method, for thresholds so low that no index
// spares anything.
#pragma once

#include <cstdint>
#include <span>

#include "core/memory.hpp"
#include "joins/batch_join.hpp"
#include "spotsigs/spot_vector.hpp"

namespace nd::eval {

struct AllPairs {
  Vector<spotsigs::SimilarPair> pairs;  // ascending by second, first; each pair once
  uint32_t least;                       // the pairs that reach this tau, in thousandths, are all here
};

// The pairs whose multi-set Jaccard reaches the first of `thresholds` (thousandths, ascending, at least one).
// Where these are more than `limit` it is the first threshold that fewer reach, or none: least is 1001 then.
// Cost: every two occurrences of one signature, about a nanosecond; quadratic.
AllPairs all_pairs(std::span<const spotsigs::SpotVector> documents, std::span<const uint32_t> thresholds,
                   size_t limit);

}  // namespace nd::eval
