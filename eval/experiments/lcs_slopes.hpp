// Figure 7 of TR2007012: precision by the threshold of slope, where the recall is held.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lcs_inputs.hpp"
#include "table.hpp"

namespace nd::eval::partition {

struct RatedPair {
  double resemblance;     // by the trustable LCS; 0: nothing of it is trusted, whatever the threshold
  bool same;              // in truth
  uint32_t document = 0;  // of which the other text of the pair is one of its set
};

struct Operation {
  double resemblance;  // pairs of so much and more are said to be the same
  double precision;    // mean over the documents that find anything
  double recall;  // of the pairs that were given; mean over the documents that have any that are the same
};

// The threshold whose recall is nearest to `recall`; of two as near the higher recall. Nothing, if no pair
// that is the same has any resemblance.
std::optional<Operation> operate_at_recall(std::vector<RatedPair> pairs, double recall);

inline constexpr double kHeldRecall = 0.90;  // TR2007012 section 5.3

// Table `lcs_slopes`.
Table repeat_figure_7(const Input& input);

}  // namespace nd::eval::partition
