#include "engine/verification.hpp"

#include <algorithm>
#include <string_view>

namespace nd::engine {
namespace {

// A block's weight as a fraction.
constexpr std::array<double, 256> kWeights = [] {
  std::array<double, 256> weights{};
  for (size_t i = 0; i < weights.size(); ++i)
    weights[i] = static_cast<double>(i) / 255.0;
  return weights;
}();

}  // namespace

std::string_view rule_name(Rule rule) noexcept {
  switch (rule) {
    case Rule::kNone:
      return "none";
    case Rule::kExact:
      return "exact";
    case Rule::kResemblance:
      return "resemblance";
    case Rule::kContainment:
      return "containment";
    case Rule::kSameSite:
      return "same site";
    case Rule::kShort:
      return "short";
    case Rule::kTiny:
      return "tiny";
    case Rule::kMethod:
      return "method";
    case Rule::kReport:
      return "report";
    case Rule::kProbability:
      return "probability";
  }
  return "none";
}

bool have_equal_text(const Features& a, const Features& b, const DecisionParameters& decision) noexcept {
  if (decision.kind() == DecisionKind::kCalibrated && !std::ranges::equal(a.title(), b.title())) return false;
  return !a.is_cut() && !b.is_cut() && a.digest() == b.digest() && b.header().width >= decision.exact_width &&
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

inline double Verifier::Side::weight(Text text, uint32_t token) const noexcept {
  switch (text) {
    case Text::kContent:
      return marks[token] != kOwnText ? 0 : kWeights[weights[token]];
    case Text::kNonBoilerplate:
      return marks[token] != kOwnText ? 0 : 1;
    case Text::kRare:
      return marks[token] == kEverywhere ? 0 : 1;
    case Text::kVisible:
      return 1;
  }
  return 0;
}

void Verifier::take_widths(const Features& features, Side& side) {
  const std::span<const Symbol> symbols = features.symbols();
  side.widths.resize(symbols.size());
  std::ranges::transform(symbols, side.widths.begin(), symbol_width);
}

// After take_widths() of the same text.
void Verifier::prepare(const Features& features, std::span<const uint8_t> boilerplate, Side& side) {
  const size_t size = features.symbols().size();
  side.weights.resize(size);
  side.marks.resize(size);
  side.masses = {};
  const std::span<const FeatureBlock> blocks = features.blocks();
  for (size_t block = 0; block < blocks.size(); ++block) {
    const FeatureBlock& described = blocks[block];
    const size_t begin = described.token_begin;
    const size_t end = block + 1 < blocks.size() ? blocks[block + 1].token_begin : size;
    if (begin == end) continue;
    const uint8_t mark = described.dropped != 0 ? uint8_t{kEverywhere}
                         : boilerplate.empty()  ? uint8_t{kOwnText}
                                                : boilerplate[block];
    std::fill(side.weights.begin() + static_cast<ptrdiff_t>(begin),
              side.weights.begin() + static_cast<ptrdiff_t>(end), described.weight);
    std::fill(side.marks.begin() + static_cast<ptrdiff_t>(begin),
              side.marks.begin() + static_cast<ptrdiff_t>(end), mark);
    uint32_t width = 0;
    for (size_t i = begin; i < end; ++i)
      width += side.widths[i];
    for (size_t text = 0; text < kTexts; ++text)
      side.masses[text] += side.weight(static_cast<Text>(text), static_cast<uint32_t>(begin)) * width;
  }
}

void Verifier::set_page(const Features& page) noexcept {
  page_ = &page;
  page_taken_ = page_measured_ = false;
  work_ = 0;
}

uint64_t Verifier::memory_bytes() const noexcept {
  return comparer_.memory_bytes() + evidence_counter_.memory_bytes() + meter_.memory_bytes() +
         comparison_.matches.capacity() * sizeof(lcs::Match) + a_.memory_bytes() + b_.memory_bytes();
}

void Verifier::compare(const Features& representative, const lcs::ComparisonParameters& parameters,
                       double need_width) {
  lcs::ComparisonParameters within_budget = parameters;
  within_budget.work_limit = std::min(parameters.work_limit, work_limit_);
  comparer_.compare({representative.symbols(), a_.widths}, within_budget,
                    rejects_early_ ? static_cast<uint64_t>(need_width) : 0, comparison_);
  work_ += comparison_.work;
  has_evidence_ = false;
}

Verification Verifier::measure(Text text, bool full_match) {
  double mass_a = a_.mass(text);
  double mass_b = b_.mass(text);
  double matched = 0;  // one L for all four ratios
  for (const lcs::Match& match : comparison_.matches) {
    work_ += match.count;
    for (uint32_t i = 0; i < match.count; ++i) {
      const double width = a_.widths[match.a + i];
      const double weight_a = a_.weight(text, match.a + i);
      const double weight_b = b_.weight(text, match.b + i);
      const uint8_t mark = std::max(a_.marks[match.a + i], b_.marks[match.b + i]);
      if (text != Text::kVisible && (mark == kEverywhere || (mark == kBoilerplate && text != Text::kRare))) {
        // Boilerplate known on one side is boilerplate on the other too, and content of neither.
        mass_a -= weight_a * width;
        mass_b -= weight_b * width;
      } else if (full_match) {
        mass_a += (1.0 - weight_a) * width;
        mass_b += (1.0 - weight_b) * width;
        matched += width;
      } else {
        matched += (weight_a + weight_b) / 2 * width;
      }
    }
  }
  Verification out;
  out.matched_width = matched;
  out.smaller_mass = std::min(mass_a, mass_b);
  out.unmatched_width = std::max(0.0, mass_a + mass_b - 2 * matched);
  if (matched > 0) {
    out.resemblance = std::min(1.0, matched / (mass_a + mass_b - matched));
    out.matched_coverage = std::min(1.0, matched / mass_a);
    out.page_coverage = std::min(1.0, matched / mass_b);
    out.containment = mass_a <= mass_b ? out.matched_coverage : out.page_coverage;
  }
  out.by_sketch = comparison_.passes == 0 && comparison_.matches.empty() && !comparison_.limited;
  out.limited = comparison_.limited;
  return out;
}

Verification Verifier::verify_fully(const Features& representative, const BoilerplateMarks& boilerplate,
                                    const Parameters& parameters, uint64_t work_limit) {
  rejects_early_ = false;
  const Verification out = verify(representative, boilerplate, parameters, work_limit);
  rejects_early_ = true;
  return out;
}

double Verifier::replaced_passage() {
  double widest = 0;
  uint32_t end_a = 0;
  uint32_t end_b = 0;
  const auto width_of = [](const Side& side, uint32_t begin, uint32_t end) {
    double width = 0;
    for (uint32_t i = begin; i < end; ++i)
      width += side.weight(Text::kContent, i) * side.widths[i];
    return width;
  };
  const auto look = [&](uint32_t next_a, uint32_t next_b) {
    if (next_a <= end_a || next_b <= end_b) return;  // moved, or nothing on one side
    work_ += uint64_t{next_a - end_a} + (next_b - end_b);
    widest = std::max(widest, std::min(width_of(a_, end_a, next_a), width_of(b_, end_b, next_b)));
  };
  for (const lcs::Match& match : comparison_.matches) {
    look(match.a, match.b);
    end_a = match.a + match.count;
    end_b = match.b + match.count;
  }
  look(static_cast<uint32_t>(a_.widths.size()), static_cast<uint32_t>(b_.widths.size()));
  return widest;
}

// [8] Applies the rules of docs/decision.md to one pair.
Verification Verifier::verify(const Features& representative, const BoilerplateMarks& boilerplate,
                              const Parameters& parameters, uint64_t work_limit) {
  work_limit_ = work_limit;
  const Features& page = *page_;
  const DecisionParameters& decision = parameters.decision;
  const bool cut = representative.is_cut() || page.is_cut();
  work_ += representative.symbols().size() + page.symbols().size() + representative.blocks().size() +
           page.blocks().size();
  if (have_equal_text(representative, page, decision)) {
    comparison_.matches.assign(1, {0, 0, static_cast<uint32_t>(page.symbols().size())});
    return exact_match(page);
  }
  const bool same_site = !page.site().empty() && page.site() == representative.site();
  if (!page_taken_) {
    take_widths(page, b_);
    comparer_.set_second({page.symbols(), b_.widths}, parameters.comparison.window_width);
    page_taken_ = true;
  }
  take_widths(representative, a_);
  representative_ = &representative;
  if (decision.kind() != DecisionKind::kCalibrated) {
    prepare(representative, boilerplate.representative, a_);
    prepare(page, boilerplate.page, b_);
  }
  const Pair pair{same_site, boilerplate.known_site, cut,
                  representative.is_plain_text() && page.is_plain_text()};
  Verification out;
  if (decision.kind() == DecisionKind::kReport) {
    out = verify_report(parameters);
  } else if (decision.kind() == DecisionKind::kCalibrated) {
    out = verify_by_probability(boilerplate, parameters);
  } else if (std::min(a_.mass(Text::kContent), b_.mass(Text::kContent)) < decision.content_width) {
    const bool editions = same_site && !cut && decision.short_edition_containment < 1;
    compare_short((same_site && !editions) || cut, parameters);
    out = verify_short(pair, decision);
  } else {
    out = verify_content(pair, parameters);
  }
  if (representative.is_truncated() && page.is_truncated()) {
    // Two beginnings are no evidence; but on one site they may be copies, from which no boilerplate must be
    // learned.
    out.undecided = out.undecided || (same_site && out.similar);
    out.similar = false;
    out.rule = Rule::kNone;
    out.probability = 0;
    out.threshold = {};
    out.refusal = Refusal::kTruncated;
  }
  return out;
}

}  // namespace nd::engine
