// Compares one pair within its budget and hands the evidence to the rule that decides; equal texts need no
// comparison.
#include "decision/verification.hpp"

#include <algorithm>
#include <string_view>

namespace nd::engine {
namespace {

void take_widths(const Features& features, Vector<uint16_t>& widths) {
  const std::span<const Symbol> symbols = features.symbols();
  widths.resize(symbols.size());
  std::ranges::transform(symbols, widths.begin(), symbol_width);
}

}  // namespace

std::string_view rule_name(Rule rule) noexcept {
  switch (rule) {
    case Rule::kNone:
      return "none";
    case Rule::kExact:
      return "exact";
    case Rule::kProbability:
      return "probability";
    case Rule::kReport:
      return "report";
    case Rule::kMethod:
      return "method";
  }
  return "none";
}

// A page of little text may be a frame that a script fills; a text without markup is all there is. The report
// knows no equality but that of fingerprints and of the LCS.
bool can_be_exact(const Features& page, const DecisionParameters& decision) noexcept {
  return decision.kind() != DecisionKind::kReport && !page.is_cut() &&
         (page.is_plain_text() ? page.has_text() : page.header().width >= decision.exact_width);
}

bool have_equal_text(const Features& a, const Features& b, const DecisionParameters& decision) noexcept {
  if (!std::ranges::equal(a.title(), b.title())) return false;
  return can_be_exact(a, decision) && can_be_exact(b, decision) && a.digest() == b.digest() &&
         std::ranges::equal(a.symbols(), b.symbols());
}

Verification exact_match(const Features& page) noexcept {
  Verification out;
  out.similar = true;
  out.rule = Rule::kExact;
  out.resemblance = out.containment = out.page_coverage = out.matched_coverage = out.probability = 1;
  out.matched_width = static_cast<double>(page.header().width);
  return out;
}

void Verifier::set_page(const Features& page) noexcept {
  page_ = &page;
  page_taken_ = page_measured_ = false;
  work_ = 0;
}

uint64_t Verifier::memory_bytes() const noexcept {
  return comparer_.memory_bytes() + meter_.memory_bytes() +
         comparison_.matches.capacity() * sizeof(lcs::Match) +
         (widths_.capacity() + page_widths_.capacity()) * sizeof(uint16_t);
}

void Verifier::compare(const lcs::ComparisonParameters& parameters, double need_width) {
  lcs::ComparisonParameters within_budget = parameters;
  within_budget.work_limit = std::min(parameters.work_limit, work_limit_);
  comparer_.compare({representative_->symbols(), widths_}, within_budget,
                    rejects_early_ ? static_cast<uint64_t>(need_width) : 0, comparison_);
  work_ += comparison_.work;
}

Verification Verifier::compared() const noexcept {
  Verification out;
  out.by_sketch = comparison_.passes == 0 && comparison_.matches.empty() && !comparison_.limited;
  out.limited = comparison_.limited;
  return out;
}

Verification Verifier::verify_fully(const Features& representative, const PairCounts& counts,
                                    const VerificationParameters& parameters, uint64_t work_limit) {
  rejects_early_ = false;
  const Verification out = verify(representative, counts, parameters, work_limit);
  rejects_early_ = true;
  return out;
}

// [8] Compares one pair, and decides as docs/decision.md says.
Verification Verifier::verify(const Features& representative, const PairCounts& counts,
                              const VerificationParameters& parameters, uint64_t work_limit) {
  work_limit_ = work_limit;
  const Features& page = *page_;
  work_ += representative.symbols().size() + page.symbols().size() + representative.blocks().size() +
           page.blocks().size();
  if (have_equal_text(representative, page, parameters.decision)) {
    comparison_.matches.assign(1, {0, 0, static_cast<uint32_t>(page.symbols().size())});
    return exact_match(page);
  }
  if (!page_taken_) {
    take_widths(page, page_widths_);
    comparer_.set_second({page.symbols(), page_widths_}, parameters.comparison.window_width);
    page_taken_ = true;
  }
  take_widths(representative, widths_);
  representative_ = &representative;
  Verification out = parameters.decision.kind() == DecisionKind::kReport
                         ? verify_report(parameters)
                         : verify_by_probability(counts, parameters);
  if (representative.is_truncated() && page.is_truncated()) {
    // Two beginnings are no evidence.
    out.similar = false;
    out.rule = Rule::kNone;
    out.probability = 0;
    out.threshold = {};
    out.refusal = Refusal::kTruncated;
  }
  return out;
}

}  // namespace nd::engine
