// [8] When two texts are one document: applies the rules of docs/decision.md to the measurements of
// verification.cpp.
#include <algorithm>

#include "engine/verification.hpp"

namespace nd::engine {
namespace {

// More evidence than this adds nothing: tokens per thousand matched ones.
constexpr uint32_t kMostWords = 30;
constexpr uint32_t kMostNumbers = 150;
constexpr uint32_t kMostHeadings = 2;  // words

// Of the smaller text, for the probability to count: less in common, in order, is no evidence.
constexpr double kLeastMatched = 0.2;
constexpr double kMostWithoutMatch = 0.01;

// The width that must match to reach a resemblance, for two texts of this total width.
double width_for(double resemblance, double both) noexcept {
  return resemblance * both / (1 + resemblance);
}

// Notes the threshold, and whether it is met.
bool meets(std::string_view option, double found, double asked, Verification& out) noexcept {
  out.threshold = {option, asked, found};
  return found >= asked;
}

// Two pages of one site may be one template with different contents: then each has its own text in the same
// places. A page that contains nearly all of the other and little more is an edition of it.
void mark_loose(const DecisionParameters& decision, Verification& out) noexcept {
  if (out.resemblance >= decision.same_site_resemblance) return;
  out.edition =
      out.containment > decision.edition_containment && out.resemblance >= decision.undecided_resemblance;
  out.loose = !out.edition;
}

// A short page of a site and the same page with additions: nearly all of the former's text is in the latter.
bool is_short_edition(const Verification& verification, const DecisionParameters& decision) noexcept {
  return verification.containment > decision.short_edition_containment &&
         verification.resemblance >= decision.short_resemblance;
}

// The higher of two thresholds, that of `decision=document` and the one that applies to every decision, with
// the option that sets it.
Threshold higher(Threshold document, Threshold least) noexcept {
  return document.asked >= least.asked ? document : least;
}

// The threshold when nothing speaks against a match. More of a web page than of a plain text may be
// boilerplate that is not yet known, and two such pages share less than their contents do.
Threshold least_resemblance(bool plain_text, const DecisionParameters& decision) noexcept {
  return higher(plain_text ? Threshold{"plain_text_resemblance", decision.plain_text_resemblance, 0}
                           : Threshold{"document_resemblance", decision.document_resemblance, 0},
                {"resemblance", decision.resemblance, 0});
}

Threshold least_containment(bool plain_text, const DecisionParameters& decision) noexcept {
  return higher(plain_text ? Threshold{"plain_text_containment", decision.plain_text_containment, 0}
                           : Threshold{"document_containment", decision.document_containment, 0},
                {"containment", decision.containment, 0});
}

// The threshold for two pages of a young site if neither replaces a long passage of the other.
Threshold young_resemblance(bool plain_text, const DecisionParameters& decision) noexcept {
  return plain_text ? least_resemblance(plain_text, decision)
                    : Threshold{"young_resemblance", decision.young_resemblance, 0};
}

// Whether a passage of this width that replaces another one is another article rather than an edit.
bool is_another_article(double passage, double smaller, bool plain_text,
                        const DecisionParameters& decision) noexcept {
  const double share = plain_text ? decision.plain_text_passage : decision.young_passage;
  const uint32_t width = plain_text ? decision.plain_text_passage_width : decision.young_passage_width;
  return passage > share * smaller || passage > width;
}

}  // namespace

double Verifier::surcharge(const DecisionParameters& decision, Verification& out) {
  if (!has_evidence_) {
    evidence_ = evidence_counter_.count({representative_->symbols(), representative_->blocks(), a_.marks},
                                        {page_->symbols(), page_->blocks(), b_.marks}, comparison_.matches);
    work_ += evidence_counter_.work();
    has_evidence_ = true;
  }
  out.evidence = evidence_;
  // The rates are integers and the products are added in this order: the sum is the same on every machine.
  const double words = decision.exchanged_word_weight * std::min(evidence_.words_per_thousand(), kMostWords);
  const double numbers =
      decision.exchanged_number_weight * std::min(evidence_.numbers_per_thousand(), kMostNumbers);
  out.surcharge = words / 10;
  out.surcharge += numbers / 10;
  out.surcharge += decision.exchanged_heading_weight * std::min(evidence_.exchanged_headings, kMostHeadings);
  return out.surcharge;
}

// The probability that it is the same document, if enough of the smaller text is in the other in order.
Verification Verifier::verify_by_probability(const BoilerplateMarks& sites, const Parameters& parameters) {
  if (!page_measured_) meter_.set_page(*page_);
  page_measured_ = true;
  meter_.begin(*representative_, sites.representative_site, sites.page_site);
  const double least = kLeastMatched * meter_.smaller_own();
  compare(*representative_, parameters.comparison, least);
  Verification out;
  out.by_sketch = comparison_.passes == 0 && comparison_.matches.empty() && !comparison_.limited;
  out.limited = comparison_.limited;
  if (comparison_.matches.empty()) {
    work_ += meter_.work();
    out.threshold = {"same_document", parameters.decision.same_document, 0};
    return out;
  }
  const PairEvidence evidence = meter_.measure(comparison_.matches);
  work_ += meter_.work();
  out.resemblance = evidence[Evidence::kOwnResemblance];
  out.containment = evidence[Evidence::kOwnContainment];
  out.matched_width = meter_.common();
  out.unmatched_width = meter_.page_rest() + meter_.other_rest();
  out.smaller_mass = meter_.smaller_own();
  if (out.matched_width > 0) {
    out.page_coverage = out.matched_width / (out.matched_width + meter_.page_rest());
    out.matched_coverage = out.matched_width / (out.matched_width + meter_.other_rest());
  }
  out.probability = same_document_probability(evidence, *parameters.decision.model);
  if (out.matched_width < least) out.probability = std::min(out.probability, kMostWithoutMatch);
  out.threshold = {"same_document", parameters.decision.same_document, out.probability};
  out.similar = out.probability >= parameters.decision.same_document && out.matched_width >= least;
  if (out.similar) out.rule = Rule::kProbability;
  return out;
}

// Main content against main content.
Verification Verifier::verify_content(const Pair& pair, const Parameters& parameters) {
  const DecisionParameters& decision = parameters.decision;
  const double smaller = std::min(a_.mass(Text::kContent), b_.mass(Text::kContent));
  const double larger = std::max(a_.mass(Text::kContent), b_.mass(Text::kContent));
  // Until a site's boilerplate is known, its pages must be nearly equal; the same applies to pages that share
  // a beginning and whose continuations are unknown.
  const bool strict = pair.is_young() || pair.cut;
  const double threshold =
      strict ? decision.same_site_resemblance : least_resemblance(pair.plain_text, decision).asked;
  const double least = pair.is_young() ? std::min({threshold, decision.undecided_resemblance,
                                                   young_resemblance(pair.plain_text, decision).asked})
                                       : threshold;
  const double by_resemblance = width_for(least, smaller + larger);
  const double by_containment = least_containment(pair.plain_text, decision).asked * smaller;
  compare(*representative_, parameters.comparison,
          strict ? by_resemblance : std::min(by_resemblance, by_containment));
  Verification out = measure(Text::kContent, !pair.same_site);
  if (out.smaller_mass < decision.content_width) return verify_short(pair, decision);
  judge_content(pair, smaller, larger, decision, out);
  if (pair.same_site) mark_loose(decision, out);
  // The exchanged words show that the two are siblings, and siblings may help to learn each other's
  // boilerplate.
  out.undecided =
      pair.is_young() && !out.similar && out.resemblance >= decision.undecided_resemblance &&
      out.resemblance >= least_resemblance(pair.plain_text, decision).asked + surcharge(decision, out);
  return out;
}

void Verifier::judge_content(const Pair& pair, double smaller, double larger,
                             const DecisionParameters& decision, Verification& out) {
  const bool strict = pair.is_young() || pair.cut;
  const Threshold least = least_resemblance(pair.plain_text, decision);
  const Threshold young = young_resemblance(pair.plain_text, decision);
  std::string_view option = strict ? "same_site_resemblance" : least.option;
  double asked = strict ? decision.same_site_resemblance : least.asked;
  if (pair.is_young() && !pair.cut && young.asked < asked && out.resemblance >= young.asked) {
    // Pages of one template differ in the passage where each has its own article; an edited copy differs in
    // words here and there, and in what was added.
    if (!is_another_article(replaced_passage(), smaller, pair.plain_text, decision)) {
      option = young.option;
      asked = young.asked;
    }
  }
  // A teaser, a quoted paragraph and the items of two lists are short as well: if two pages have little in
  // common, it must be most of both.
  if (out.matched_width < decision.small_match_width && asked < decision.small_match_resemblance) {
    option = "small_match_resemblance";
    asked = decision.small_match_resemblance;
  }
  if (meets(option, out.resemblance, asked, out) &&
      meets("resemblance_width", out.matched_width, decision.resemblance_width, out)) {
    meets(option, out.resemblance, asked, out);
    const double exchanged = least.asked + surcharge(decision, out);
    if (exchanged <= asked || meets(least.option, out.resemblance, exchanged, out)) {
      out.similar = true;
      out.rule = pair.is_young() ? Rule::kSameSite : Rule::kResemblance;
      return;
    }
  }
  const Threshold contained = least_containment(pair.plain_text, decision);
  if (strict || out.containment < contained.asked) return;
  if (smaller < decision.containment_ratio * larger || smaller < decision.containment_width) return;
  const double exchanged = contained.asked + surcharge(decision, out);
  if (out.containment < exchanged) return;
  meets(contained.option, out.containment, exchanged, out);
  out.similar = true;
  out.rule = Rule::kContainment;
}

void Verifier::compare_short(bool nearly_equal, const Parameters& parameters) {
  const DecisionParameters& decision = parameters.decision;
  const double by_non_boilerplate =
      width_for(nearly_equal ? decision.short_same_site_resemblance : decision.short_resemblance,
                a_.mass(Text::kNonBoilerplate) + b_.mass(Text::kNonBoilerplate));
  const double by_rare = width_for(decision.tiny_resemblance, a_.mass(Text::kRare) + b_.mass(Text::kRare));
  compare(*representative_, parameters.comparison, std::min(by_non_boilerplate, by_rare));
}

// A rule for short pages is satisfied; but the few words that differ may be the subject of the pages.
Verification Verifier::join_unless_exchanged(const Pair& pair, Verification out, Rule rule,
                                             const DecisionParameters& decision) {
  const Threshold least = least_resemblance(pair.plain_text, decision);
  const double exchanged = least.asked + surcharge(decision, out);
  if (out.resemblance < exchanged) {
    meets(least.option, out.resemblance, exchanged, out);
    return out;
  }
  out.similar = true;
  out.rule = rule;
  return out;
}

// One of the two has hardly any main content: its text is tables, lists and menus. Most of that is then
// shared by all pages of the site, and only the rest tells pages apart.
Verification Verifier::verify_short(const Pair& pair, const DecisionParameters& decision) {
  Verification out = measure(Text::kNonBoilerplate, false);
  if (pair.is_young()) {
    // On a young site no short page joins, however much it shares.
    out.refusal = Refusal::kShortYoungSite;
    out.undecided = out.resemblance >= decision.undecided_resemblance;
    return out;
  }
  const bool nearly_equal = pair.same_site || pair.cut;
  const double threshold = nearly_equal ? decision.short_same_site_resemblance : decision.short_resemblance;
  const std::string_view option = nearly_equal ? "short_same_site_resemblance" : "short_resemblance";
  const bool enough = meets("exact_width", out.matched_width, decision.exact_width, out);
  const bool wide = out.matched_width >= decision.resemblance_width;
  if (enough && wide && meets(option, out.resemblance, threshold, out))
    return join_unless_exchanged(pair, out, Rule::kShort, decision);
  if (enough && wide && pair.same_site && !pair.cut && is_short_edition(out, decision)) {
    meets("short_edition_containment", out.containment, decision.short_edition_containment, out);
    return join_unless_exchanged(pair, out, Rule::kShort, decision);
  }
  // A few shared words prove little: then nearly all words must match, including what the site has on other
  // pages as well.
  const Verification rare = measure(Text::kRare, false);
  if (enough && !wide &&
      meets("short_same_site_resemblance", std::min(out.resemblance, rare.resemblance),
            decision.short_same_site_resemblance, out)) {
    return join_unless_exchanged(pair, out, Rule::kShort, decision);
  }
  // Even the words of a tiny page may be on many pages of its site. Then all text that is not on most pages
  // must be the same, above all the page's own; for pages of two sites, the boilerplate must be the same too.
  if (out.unmatched_width > decision.tiny_width && out.resemblance < decision.tiny_resemblance) return out;
  if (rare.resemblance < decision.tiny_resemblance || rare.matched_width < decision.tiny_width ||
      rare.unmatched_width > decision.tiny_width) {
    return out;
  }
  const Verification visible = measure(Text::kVisible, false);
  if (visible.matched_width < decision.exact_width) return out;
  if (!pair.same_site &&
      !meets("tiny_visible_resemblance", visible.resemblance, decision.tiny_visible_resemblance, out)) {
    return out;
  }
  out = rare;
  meets("tiny_resemblance", rare.resemblance, decision.tiny_resemblance, out);
  return join_unless_exchanged(pair, out, Rule::kTiny, decision);
}

// TR2007012 section 5.4: r or c of all text in trustable regions. Its c is of the page, L / |B|.
Verification Verifier::verify_report(const Parameters& parameters) {
  const DecisionParameters& decision = parameters.decision;
  lcs::ComparisonParameters comparison = parameters.comparison;
  comparison.trustable = true;
  const double page_mass = b_.mass(Text::kVisible);
  compare(*representative_, comparison,
          std::min(width_for(decision.resemblance, a_.mass(Text::kVisible) + page_mass),
                   decision.containment * page_mass));
  Verification out = measure(Text::kVisible, false);
  out.similar = meets("resemblance", out.resemblance, decision.resemblance, out) ||
                (out.page_coverage >= decision.containment &&
                 meets("containment", out.page_coverage, decision.containment, out));
  if (out.similar) out.rule = Rule::kReport;
  return out;
}

}  // namespace nd::engine
