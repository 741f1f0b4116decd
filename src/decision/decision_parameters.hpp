// What the decision about two pages depends on, apart from the pages.
#pragma once

#include <cstdint>

#include "decision/decision_model.hpp"
#include "lcs/comparison.hpp"

namespace nd::engine {

// Which rule decides; numbered as the choices of option `decision`.
enum class DecisionKind : uint32_t {
  kDocument,  // by the probability that they are the same document (decision_model.hpp)
  kReport,    // TR2007012 section 5.4 and nothing else
};

// When a page joins a group. Widths in units of the LCS partition.
struct DecisionParameters {
  uint32_t decision = static_cast<uint32_t>(DecisionKind::kDocument);
  double same_document = 0.50;                   // kDocument: probability from which on a page joins
  const DecisionModel* model = &kDecisionModel;  // another one is for measurements
  double resemblance = 0.28;                     // kReport: TR2007012 section 5.4
  double containment = 0.70;                     // likewise
  // Least visible text of a page with markup for ND_EXACT: a round number, the width of a short sentence.
  uint32_t exact_width = 40;
  // Covered less than this by its counterpart: ND_FLAG_CONTAINS or _CONTAINED. A round number.
  double full_coverage = 0.80;

  DecisionKind kind() const noexcept { return static_cast<DecisionKind>(decision); }
};

struct VerificationParameters {
  lcs::ComparisonParameters comparison;
  DecisionParameters decision;
  uint32_t verifications = 8;  // of a page with candidate groups, the best-ranked first
};

}  // namespace nd::engine
