#include "engine/verification.hpp"

#include <algorithm>
#include <string_view>

namespace nd::engine {
namespace {

// The width that must match for a resemblance, of two texts so wide together.
double width_for(double resemblance, double both) noexcept {
  return resemblance * both / (1 + resemblance);
}

// A block's weight as a part of 1.
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
  }
  return "none";
}

bool have_equal_text(const Features& a, const Features& b, const DecisionParameters& decision) noexcept {
  return !a.is_cut() && !b.is_cut() && a.digest() == b.digest() && b.header().width >= decision.exact_width &&
         std::ranges::equal(a.symbols(), b.symbols());
}

Verification exact_match(const Features& page) noexcept {
  Verification out;
  out.similar = true;
  out.rule = Rule::kExact;
  out.resemblance = out.containment = out.page_coverage = out.matched_coverage = 1;
  out.matched_width = static_cast<double>(page.header().width);
  return out;
}

inline double Verifier::Side::weight(Text text, uint32_t token) const noexcept {
  switch (text) {
    case Text::kContent:
      return marks[token] != kOwnText ? 0 : kWeights[weights[token]];
    case Text::kUnframed:
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
void Verifier::prepare(const Features& features, std::span<const uint8_t> frame, Side& side) {
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
                         : frame.empty()        ? uint8_t{kOwnText}
                                                : frame[block];
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
  page_taken_ = false;
  work_ = 0;
}

uint64_t Verifier::memory_bytes() const noexcept {
  return comparer_.memory_bytes() + comparison_.matches.capacity() * sizeof(lcs::Match) + a_.memory_bytes() +
         b_.memory_bytes();
}

void Verifier::compare(const Features& representative, const Parameters& parameters, double need_width) {
  comparer_.compare({representative.symbols(), a_.widths}, parameters.comparison,
                    static_cast<uint64_t>(need_width), comparison_);
  work_ += comparison_.work;
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
      if (text != Text::kVisible && (mark == kEverywhere || (mark == kFrame && text != Text::kRare))) {
        // Known as frame on one side, it is the other's frame too, and nobody's content.
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

// One of both has hardly any main content: tables, lists and menus are its text. What a site's pages share is
// then most of it, and only what is left tells pages apart.
Verification Verifier::verify_short(bool same_site, bool known_site, bool cut,
                                    const DecisionParameters& decision) {
  Verification out = measure(Text::kUnframed, false);
  if (same_site && !known_site) {
    out.undecided = out.resemblance >= decision.undecided_resemblance;
    return out;
  }
  const auto join_short = [&out] {
    out.similar = true;
    out.rule = Rule::kShort;
    return out;
  };
  const double threshold =
      same_site || cut ? decision.short_same_site_resemblance : decision.short_resemblance;
  const bool enough = out.matched_width >= decision.exact_width;
  const bool wide = out.matched_width >= decision.resemblance_width;
  if (enough && wide && out.resemblance >= threshold) return join_short();
  // Few words in common say little: then nearly all must be, and what the site has on other pages as well.
  const Verification rare = measure(Text::kRare, false);
  if (enough && !wide &&
      std::min(out.resemblance, rare.resemblance) >= decision.short_same_site_resemblance) {
    return join_short();
  }
  // Even the words of a tiny page may stand on many pages of its site. Then all that is not everywhere must
  // be the same, above all what is the page's own; between sites the frame must be as well.
  if (out.unmatched_width > decision.tiny_width && out.resemblance < decision.tiny_resemblance) return out;
  if (rare.resemblance < decision.tiny_resemblance || rare.matched_width < decision.tiny_width ||
      rare.unmatched_width > decision.tiny_width) {
    return out;
  }
  const Verification visible = measure(Text::kVisible, false);
  if (visible.matched_width < decision.exact_width) return out;
  if (!same_site && visible.resemblance < decision.tiny_visible_resemblance) return out;
  out = rare;
  out.similar = true;
  out.rule = Rule::kTiny;
  return out;
}

// Main content against main content. `cut`: one of both is not known to its end.
Verification Verifier::verify_content(const Features& representative, bool same_site, bool known_site,
                                      bool cut, const Parameters& parameters) {
  const DecisionParameters& decision = parameters.decision;
  const double smaller = std::min(a_.mass(Text::kContent), b_.mass(Text::kContent));
  const double larger = std::max(a_.mass(Text::kContent), b_.mass(Text::kContent));
  // Until its frame is known, a site's pages must be nearly equal; and so must pages that share a beginning
  // behind which nobody has looked.
  const bool strict = same_site && !known_site;
  const double threshold = strict || cut ? decision.same_site_resemblance : decision.resemblance;
  const double least = strict ? std::min(threshold, decision.undecided_resemblance) : threshold;
  const double by_resemblance = width_for(least, smaller + larger);
  const double by_containment = decision.containment * smaller;
  compare(representative, parameters,
          strict || cut ? by_resemblance : std::min(by_resemblance, by_containment));
  Verification out = measure(Text::kContent, !same_site);
  if (out.smaller_mass < decision.content_width) return verify_short(same_site, known_site, cut, decision);
  // A teaser, a quoted paragraph and the items of two lists are short as well: little in common must be most
  // of both.
  const double wanted = out.matched_width < decision.small_match_width
                            ? std::max(threshold, decision.small_match_resemblance)
                            : threshold;
  if (out.resemblance >= wanted && out.matched_width >= decision.resemblance_width) {
    out.similar = true;
    out.rule = strict ? Rule::kSameSite : Rule::kResemblance;
  } else if (!strict && !cut && out.containment >= decision.containment &&
             smaller >= decision.containment_ratio * larger && smaller >= decision.containment_width) {
    out.similar = true;
    out.rule = Rule::kContainment;
  }
  out.loose = same_site && out.resemblance < decision.same_site_resemblance;
  out.undecided = strict && !out.similar && out.resemblance >= decision.undecided_resemblance;
  return out;
}

// [8] One pair against the rules of docs/decision.md.
Verification Verifier::verify(const Features& representative, const FrameMarks& frame,
                              const Parameters& parameters) {
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
  prepare(representative, frame.representative, a_);
  prepare(page, frame.page, b_);
  const bool is_short = std::min(a_.mass(Text::kContent), b_.mass(Text::kContent)) < decision.content_width;
  if (is_short) compare_short(representative, same_site || cut, parameters);
  Verification out = is_short ? verify_short(same_site, frame.known_site, cut, decision)
                              : verify_content(representative, same_site, frame.known_site, cut, parameters);
  if (representative.is_truncated() && page.is_truncated()) {
    // Two beginnings are no evidence; but on one site they may be copies, which teach no frame to each other.
    out.undecided = out.undecided || (same_site && out.similar);
    out.similar = false;
    out.rule = Rule::kNone;
  }
  return out;
}

void Verifier::compare_short(const Features& representative, bool nearly_equal,
                             const Parameters& parameters) {
  const DecisionParameters& decision = parameters.decision;
  const double by_unframed =
      width_for(nearly_equal ? decision.short_same_site_resemblance : decision.short_resemblance,
                a_.mass(Text::kUnframed) + b_.mass(Text::kUnframed));
  const double by_rare = width_for(decision.tiny_resemblance, a_.mass(Text::kRare) + b_.mass(Text::kRare));
  compare(representative, parameters, std::min(by_unframed, by_rare));
}

}  // namespace nd::engine
