// The deciding step: compares two pages by LCS and decides whether they are one document (docs/decision.md).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "decision/decision_parameters.hpp"
#include "decision/pair_evidence.hpp"
#include "lcs/comparison.hpp"
#include "page/features.hpp"

namespace nd::engine {

enum class Rule : uint8_t {
  kNone,         // different
  kExact,        // all visible text equal
  kProbability,  // decision=document
  kReport,       // decision=report: r or c of all visible text
  kMethod,       // not by the LCS: the score of the engine's detector
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
  kTruncated,      // two beginnings of pages are no evidence
  kLittleMatched,  // less than a fifth of the smaller page's own text is in the other in order
};

// With decision=document own text is measured (pair_evidence.hpp), else all text.
struct Verification {
  bool similar = false;
  Rule rule = Rule::kNone;
  double resemblance = 0;
  double containment = 0;
  double page_coverage = 0;
  double matched_coverage = 0;
  double matched_width = 0;
  double probability = 0;  // of being the same document: 1 if equal, otherwise of decision=document
  bool by_sketch = false;  // rejected by the filtered sketch alone
  bool limited = false;    // work_limit was hit
  Threshold threshold;
  Refusal refusal = Refusal::kNone;

  // The greater of two groups' merits decides which one a page joins.
  double merit() const noexcept { return rule == Rule::kProbability ? probability : resemblance; }
};

// Whether the text is complete and, if the page has markup, not trivially short. Never with decision=report.
bool can_be_exact(const Features& page, const DecisionParameters& decision) noexcept;
// Whether all visible text of two such pages is equal, and their titles.
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

  // `representative` is A. `counts`: what is known of the two pages' sites. `work_limit`: of the LCS, if that
  // is less than the parameters' own.
  Verification verify(const Features& representative, const PairCounts& counts,
                      const VerificationParameters& parameters, uint64_t work_limit = UINT64_MAX);
  // The same for explanations: nothing is rejected by its sketch alone, so that a rejected text is reported
  // with what it shares.
  Verification verify_fully(const Features& representative, const PairCounts& counts,
                            const VerificationParameters& parameters, uint64_t work_limit = UINT64_MAX);
  // verify() for a single pair.
  Verification verify(const Features& representative, const Features& page, const PairCounts& counts,
                      const VerificationParameters& parameters, uint64_t work_limit = UINT64_MAX) {
    set_page(page);
    return verify(representative, counts, parameters, work_limit);
  }

  // The matched runs of the last verify() that compared by LCS.
  std::span<const lcs::Match> matches() const noexcept { return comparison_.matches; }
  // Of the representative's positions, where the comparison kept only what lies in trustable regions.
  lcs::Region trusted() const noexcept { return comparison_.trusted; }

  uint64_t memory_bytes() const noexcept;
  // The work of all calls since set_page(): tokens prepared and weighed, and what Comparison::work counts.
  uint64_t work() const noexcept { return work_; }

 private:
  // `need_width`: a pair that cannot have so much in common is rejected by its sketch.
  void compare(const lcs::ComparisonParameters& parameters, double need_width);
  // What the comparison says by itself.
  Verification compared() const noexcept;
  // The two decisions, in decision_rules.cpp.
  Verification verify_by_probability(const PairCounts& counts, const VerificationParameters& parameters);
  Verification verify_report(const VerificationParameters& parameters);

  lcs::Comparer comparer_;
  lcs::Comparison comparison_;
  EvidenceMeter meter_;
  bool rejects_early_ = true;
  uint64_t work_limit_ = UINT64_MAX;  // of the current comparison
  Vector<uint16_t> widths_;           // by token, of the representative
  Vector<uint16_t> page_widths_;
  const Features* representative_ = nullptr;  // of the current comparison
  const Features* page_ = nullptr;
  bool page_taken_ = false;     // its widths are known, and the comparer has it
  bool page_measured_ = false;  // the meter has it
  uint64_t work_ = 0;
};

}  // namespace nd::engine
