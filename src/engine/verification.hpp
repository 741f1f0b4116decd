// The deciding step: compares two pages by LCS, their text weighted by block, and applies the rules of
// docs/decision.md.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "engine/edit_evidence.hpp"
#include "engine/features.hpp"
#include "engine/pair_evidence.hpp"
#include "engine/parameters.hpp"
#include "lcs/comparison.hpp"

namespace nd::engine {

enum class Rule : uint8_t {
  kNone,   // different
  kExact,  // all visible text equal
  kResemblance,
  kContainment,
  kSameSite,     // resemblance of two pages of one site
  kShort,        // resemblance of all text that is not boilerplate, if there is little content
  kTiny,         // near-equality of text that is not everywhere on its site, if there is hardly any content
  kMethod,       // not by the LCS: the score of the engine's detector
  kReport,       // decision=report: r or c of all visible text
  kProbability,  // decision=calibrated
};
// "method" for kMethod; the caller knows which method it is.
std::string_view rule_name(Rule rule) noexcept;

// The threshold that settled a comparison: met if the pages are similar, missed if not.
struct Threshold {
  std::string_view option;  // the option that sets it, or "" if no threshold applied; static
  double asked = 0;
  double found = 0;
};

// Reasons other than a threshold.
enum class Refusal : uint8_t {
  kNone,
  kTruncated,       // two beginnings of pages are no evidence
  kShortYoungSite,  // two short pages of a site whose boilerplate is not known yet
};

struct Verification {
  bool similar = false;
  Rule rule = Rule::kNone;
  double resemblance = 0;
  double containment = 0;
  double page_coverage = 0;
  double matched_coverage = 0;
  double matched_width = 0;    // weighted
  double unmatched_width = 0;  // of both texts together, weighted
  double smaller_mass = 0;     // of the text with less that counts, weighted
  bool loose = false;          // two pages of one site, by less than same_site_resemblance
  bool edition = false;        // likewise, except that one of the two contains nearly all of the other
  bool undecided = false;      // refused only because the boilerplate of the two pages' site is not known yet
  bool by_sketch = false;      // rejected by the filtered sketch alone
  bool limited = false;        // work_limit was hit
  Threshold threshold;
  Refusal refusal = Refusal::kNone;
  EditEvidence evidence;   // of decision=document, if it was counted
  double surcharge = 0;    // what the evidence adds to the required resemblance or containment
  double probability = 0;  // of being the same document: 1 if equal, otherwise of decision=calibrated

  // The greater of two groups' merits decides which one a page joins: siblings may share more words than a
  // page and its own earlier edition.
  double merit() const noexcept { return rule == Rule::kProbability ? probability : resemblance - surcharge; }
};

// The site's template model for a pair (BoilerplateMark of site_templates.hpp); empty spans: nothing is
// known.
struct BoilerplateMarks {
  std::span<const uint8_t> representative;    // by block of the representative
  std::span<const uint8_t> page;              // by block of the page
  bool known_site = false;                    // two pages of one site whose boilerplate is known
  SiteCounts representative_site, page_site;  // of decision=calibrated
};

// Whether all visible text is equal, complete, and not trivially short. With decision=calibrated the titles
// must be equal, too.
bool have_equal_text(const Features& a, const Features& b, const DecisionParameters& decision) noexcept;
// The verification of such a pair.
Verification exact_match(const Features& page) noexcept;

// Reusable buffers. Threads: one object, one thread at a time.
class Verifier {
 public:
  // `secret` keys the tables of the comparison, so that no page can be written to cluster them; no answer
  // depends on it.
  explicit Verifier(uint64_t secret) noexcept : comparer_(secret), meter_(secret) {}

  // Sets the page that representatives are compared with from now on. It must stay in place meanwhile; what
  // the comparison needs of it is computed once.
  void set_page(const Features& page) noexcept;

  // `representative` is A. Text that two sites share counts in full on both sides, whatever its block weighs,
  // unless it is known as boilerplate; within one site it counts by its blocks' weights. `work_limit`: of the
  // LCS, if that is less than the parameters' own.
  Verification verify(const Features& representative, const BoilerplateMarks& boilerplate,
                      const Parameters& parameters, uint64_t work_limit = UINT64_MAX);
  // The same for explanations: nothing is rejected by its sketch alone, so that a rejected text is reported
  // with what it shares.
  Verification verify_fully(const Features& representative, const BoilerplateMarks& boilerplate,
                            const Parameters& parameters, uint64_t work_limit = UINT64_MAX);
  // verify() for a single pair.
  Verification verify(const Features& representative, const Features& page,
                      const BoilerplateMarks& boilerplate, const Parameters& parameters,
                      uint64_t work_limit = UINT64_MAX) {
    set_page(page);
    return verify(representative, boilerplate, parameters, work_limit);
  }

  // The matched runs of the last verify() that compared by LCS.
  std::span<const lcs::Match> matches() const noexcept { return comparison_.matches; }

  uint64_t memory_bytes() const noexcept;
  // The work of all calls since set_page(): tokens prepared and weighed, and what Comparison::work counts.
  uint64_t work() const noexcept { return work_; }

 private:
  // Which text counts, and how much.
  enum class Text : uint8_t {
    kContent,         // what is not boilerplate, by the weight of its block
    kNonBoilerplate,  // what is not boilerplate, in full
    kRare,            // what is not everywhere on its site, in full
    kVisible,         // all
  };
  static constexpr size_t kTexts = 4;
  struct Side {
    uint64_t memory_bytes() const noexcept {
      return widths.capacity() * sizeof(uint16_t) + weights.capacity() + marks.capacity();
    }

    Vector<uint16_t> widths;
    Vector<uint8_t> weights;  // per token, of its block
    Vector<uint8_t> marks;    // per token, a BoilerplateMark
    std::array<double, kTexts> masses;

    double mass(Text text) const noexcept { return masses[static_cast<size_t>(text)]; }
    // 0..1; 0 for what does not count.
    double weight(Text text, uint32_t token) const noexcept;
  };
  // What the rules need to know about a pair besides its texts.
  struct Pair {
    bool same_site;
    bool known_site;  // two pages of one site whose boilerplate is known
    bool cut;         // one of them is incomplete
    bool plain_text;  // neither has markup
    bool is_young() const noexcept { return same_site && !known_site; }
  };
  static void take_widths(const Features& features, Side& side);
  static void prepare(const Features& features, std::span<const uint8_t> boilerplate, Side& side);
  void compare(const Features& representative, const lcs::ComparisonParameters& parameters,
               double need_width);
  // Measures the matches. `full_match`: matched text counts in full, whatever the weight of its block.
  Verification measure(Text text, bool full_match);

  // The rules, in decision_rules.cpp.
  Verification verify_content(const Pair& pair, const Parameters& parameters);
  void judge_content(const Pair& pair, double smaller, double larger, const DecisionParameters& decision,
                     Verification& out);
  void compare_short(bool nearly_equal, const Parameters& parameters);
  Verification verify_short(const Pair& pair, const DecisionParameters& decision);
  Verification join_unless_exchanged(const Pair& pair, Verification out, Rule rule,
                                     const DecisionParameters& decision);
  Verification verify_report(const Parameters& parameters);
  Verification verify_by_probability(const BoilerplateMarks& sites, const Parameters& parameters);
  // What the evidence of the last comparison adds to the required resemblance; 0 unless decision=document.
  double surcharge(const DecisionParameters& decision, Verification& out);
  // The widest passage of either text, by weight, that replaces a passage of the other: the width of the
  // narrower of the two.
  double replaced_passage();

  lcs::Comparer comparer_;
  lcs::Comparison comparison_;
  EvidenceCounter evidence_counter_;
  EvidenceMeter meter_;    // of decision=calibrated
  EditEvidence evidence_;  // of the last comparison, once counted
  bool has_evidence_ = false;
  bool rejects_early_ = true;
  uint64_t work_limit_ = UINT64_MAX;  // of the current comparison
  Side a_, b_;
  const Features* representative_ = nullptr;  // of the current comparison
  const Features* page_ = nullptr;
  bool page_taken_ = false;     // its widths are in b_, and the comparer has it
  bool page_measured_ = false;  // the meter has it
  uint64_t work_ = 0;
};

}  // namespace nd::engine
