#include "engine/verification.hpp"

#include <algorithm>
#include <string_view>

namespace nd::engine {

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
  }
  return "none";
}

void Verifier::prepare(const Features& features, std::span<const uint8_t> frame, bool weighted, Side& side) {
  const std::span<const Symbol> symbols = features.symbols();
  side.widths.resize(symbols.size());
  side.weights.resize(symbols.size());
  side.frame.resize(symbols.size());
  side.mass = 0;
  for (size_t block = 0; block < features.blocks().size(); ++block) {
    const FeatureBlock& described = features.blocks()[block];
    const bool is_frame = described.dropped != 0 || (!frame.empty() && frame[block] != 0);
    const uint8_t weight = is_frame ? uint8_t{0} : weighted ? described.weight : uint8_t{255};
    uint32_t width = 0;
    for (uint32_t i = features.blocks()[block].token_begin; i < features.token_end(block); ++i) {
      side.widths[i] = symbol_width(symbols[i]);
      side.weights[i] = weight;
      side.frame[i] = is_frame;
      width += side.widths[i];
    }
    side.mass += weight / 255.0 * width;
  }
}

Verification Verifier::compare(const Features& a, const Features& b, bool weighted, bool full_match,
                               const Parameters& parameters, uint64_t need_width) {
  comparer_.compare({a.symbols(), a_.widths}, {b.symbols(), b_.widths}, parameters.comparison, need_width,
                    comparison_);
  double mass_a = a_.mass;
  double mass_b = b_.mass;
  double matched = 0;  // one L for all four ratios
  for (const lcs::Match& match : comparison_.matches) {
    for (uint32_t i = 0; i < match.count; ++i) {
      const double width = a_.widths[match.a + i];
      const double weight_a = a_.weights[match.a + i] / 255.0;
      const double weight_b = b_.weights[match.b + i] / 255.0;
      if (a_.frame[match.a + i] != 0 || b_.frame[match.b + i] != 0) continue;  // frame is nobody's content
      if (full_match && weighted) {
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

// [8] One pair against the rules of docs/methods.md.
Verification Verifier::verify(const Features& representative, const Features& page, const FrameMarks& frame,
                              const Parameters& parameters) {
  const DecisionParameters& decision = parameters.decision;
  if (representative.digest() == page.digest() && page.header().width >= decision.exact_width &&
      std::ranges::equal(representative.symbols(), page.symbols())) {
    comparison_.matches.assign(1, {0, 0, static_cast<uint32_t>(page.symbols().size())});
    return {true, Rule::kExact, 1, 1, 1, 1, static_cast<double>(page.header().width), false, false};
  }
  const bool same_site = !page.site().empty() && page.site() == representative.site();
  prepare(representative, frame.representative, true, a_);
  prepare(page, frame.page, true, b_);
  if (std::min(a_.mass, b_.mass) < decision.content_width) {
    prepare(representative, frame.representative, false, a_);
    prepare(page, frame.page, false, b_);
    const double need = decision.short_resemblance * (a_.mass + b_.mass) / (1 + decision.short_resemblance);
    Verification out = compare(representative, page, false, true, parameters, static_cast<uint64_t>(need));
    out.similar = out.resemblance >= decision.short_resemblance &&
                  out.matched_width >= decision.exact_width && (!same_site || frame.known_site);
    out.rule = out.similar ? Rule::kShort : Rule::kNone;
    return out;
  }
  // Until its frame is known, a site's pages must be nearly equal.
  const bool strict = same_site && !frame.known_site;
  const double threshold = strict ? decision.same_site_resemblance : decision.resemblance;
  const double by_resemblance = threshold * (a_.mass + b_.mass) / (1 + threshold);
  const double by_containment = decision.containment * std::min(a_.mass, b_.mass);
  Verification out =
      compare(representative, page, true, !same_site, parameters,
              static_cast<uint64_t>(strict ? by_resemblance : std::min(by_resemblance, by_containment)));
  if (out.resemblance >= threshold && out.matched_width >= decision.resemblance_width) {
    out.similar = true;
    out.rule = strict ? Rule::kSameSite : Rule::kResemblance;
  } else if (!strict && out.containment >= decision.containment) {
    const double smaller = std::min(a_.mass, b_.mass);
    const double larger = std::max(a_.mass, b_.mass);
    if (smaller >= decision.containment_ratio * larger && smaller >= decision.containment_width) {
      out.similar = true;
      out.rule = Rule::kContainment;
    }
  }
  return out;
}

}  // namespace nd::engine
