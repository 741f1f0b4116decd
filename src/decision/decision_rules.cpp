// [8] When two texts are one document (docs/decision.md): turns the matches of a comparison into a decision.
#include <algorithm>

#include "decision/verification.hpp"

namespace nd::engine {
namespace {

// Share of the smaller text that must be matched for the probability to count: less in common, in order, is
// no evidence.
constexpr double kLeastMatched = 0.2;
constexpr double kMostWithoutMatch = 0.01;

// The width that must match to reach a resemblance, for two texts of this total width.
double width_for(double resemblance, double both) noexcept {
  return resemblance * both / (1 + resemblance);
}

}  // namespace

// The probability that it is the same document, if enough of the smaller text is in the other in order.
Verification Verifier::verify_by_probability(const PairCounts& counts,
                                             const VerificationParameters& parameters) {
  if (!page_measured_) meter_.set_page(*page_);
  page_measured_ = true;
  meter_.begin(*representative_, counts.representative, counts.page);
  const double least = kLeastMatched * meter_.smaller_own();
  compare(parameters.comparison, least);
  Verification out = compared();
  if (comparison_.matches.empty()) {
    work_ += meter_.work();
    out.refusal = Refusal::kLittleMatched;
    return out;
  }
  const PairEvidence evidence = meter_.measure(comparison_.matches);
  work_ += meter_.work();
  out.resemblance = evidence[Evidence::kOwnResemblance];
  out.containment = evidence[Evidence::kOwnContainment];
  out.matched_width = meter_.common();
  if (out.matched_width > 0) {
    out.page_coverage = out.matched_width / (out.matched_width + meter_.page_rest());
    out.matched_coverage = out.matched_width / (out.matched_width + meter_.other_rest());
  }
  out.probability = same_document_probability(evidence, *parameters.decision.model);
  if (out.matched_width < least) {
    out.probability = std::min(out.probability, kMostWithoutMatch);
    out.refusal = Refusal::kLittleMatched;
    return out;
  }
  out.threshold = {"same_document", parameters.decision.same_document, out.probability};
  out.similar = out.probability >= parameters.decision.same_document;
  if (out.similar) out.rule = Rule::kProbability;
  return out;
}

// TR2007012 section 5.4: r or c of all text, with decision=report of that in trustable regions. Its c is of
// the page, L / |B|.
Verification Verifier::verify_report(const VerificationParameters& parameters) {
  const DecisionParameters& decision = parameters.decision;
  const auto a = static_cast<double>(representative_->header().width);
  const auto b = static_cast<double>(page_->header().width);
  compare(parameters.comparison, std::min(width_for(decision.resemblance, a + b), decision.containment * b));
  Verification out = compared();
  for (const lcs::Match& match : comparison_.matches) {
    work_ += match.count;
    for (uint32_t i = 0; i < match.count; ++i)
      out.matched_width += page_widths_[match.b + i];
  }
  if (out.matched_width > 0) {
    out.resemblance = std::min(1.0, out.matched_width / (a + b - out.matched_width));
    out.matched_coverage = std::min(1.0, out.matched_width / a);
    out.page_coverage = std::min(1.0, out.matched_width / b);
    out.containment = a <= b ? out.matched_coverage : out.page_coverage;
  }
  out.threshold = {"resemblance", decision.resemblance, out.resemblance};
  out.similar = out.resemblance >= decision.resemblance;
  if (!out.similar && out.page_coverage >= decision.containment) {
    out.threshold = {"containment", decision.containment, out.page_coverage};
    out.similar = true;
  }
  if (out.similar) out.rule = Rule::kReport;
  return out;
}

}  // namespace nd::engine
