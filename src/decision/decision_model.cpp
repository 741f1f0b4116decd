// Evaluates the regression term by term in a fixed order, with portable logarithms, so that all machines get
// the same bits.
#include "decision/decision_model.hpp"

#include <algorithm>

#include "core/portable_math.hpp"

namespace nd::engine {
namespace {

constexpr double kLogitMargin = 0.03;
constexpr double kMostLogit = 30;

double shaped(double value, Shape shape) noexcept {
  if (shape == Shape::kPlain) return value;
  const double share = std::clamp(value, 0.0, 1.0);
  return portable_log((share + kLogitMargin) / (1 + kLogitMargin - share));
}

}  // namespace

std::array<double, kDecisionTerms.size()> decision_terms(const PairEvidence& evidence) noexcept {
  std::array<double, kDecisionTerms.size()> terms{};
  for (size_t i = 0; i < terms.size(); ++i) {
    const DecisionTerm& term = kDecisionTerms[i];
    terms[i] = shaped(evidence[term.evidence], term.shape);
    if (term.times != Evidence::kCount) terms[i] *= shaped(evidence[term.times], term.times_shape);
  }
  return terms;
}

double same_document_probability(const PairEvidence& evidence, const DecisionModel& model) noexcept {
  const std::array<double, kDecisionTerms.size()> terms = decision_terms(evidence);
  double sum = model.constant;
  for (size_t i = 0; i < terms.size(); ++i)
    sum += model.coefficients[i] * terms[i];
  return 1 / (1 + portable_exp(-std::clamp(sum, -kMostLogit, kMostLogit)));
}

}  // namespace nd::engine
