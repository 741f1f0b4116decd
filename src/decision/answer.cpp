// Fills an answer from a verification: the flags of containment and the numbers that a caller sees.
#include "decision/answer.hpp"

#include "page/feature_parameters.hpp"

namespace nd::engine {
namespace {

// A page with little text, or main content, may say something else by a single word: it is another
// processor's, or the next picture of a series. What is wrong among copies without this flag:
// docs/guide-cli.md.
constexpr uint64_t kLittleText = 2000;
constexpr double kLittleTextProbability = 0.995;

// What is to be said of a page that is a copy by this comparison. A part of the other one is known to be no
// whole copy.
uint32_t flags_of_copy(const Verification& verification, const Features& page,
                       const DecisionParameters& decision) noexcept {
  const uint32_t part = containment_flags(verification, decision);
  if (verification.rule == Rule::kMethod) return part | kUnverified;
  if (verification.rule == Rule::kExact) return part;
  const bool has_little_text =
      page.header().width < kLittleText || page.header().content_width < kContentWidth;
  // 0: none is computed.
  const bool is_uncertain = verification.probability > 0 && verification.probability < kLittleTextProbability;
  return part == 0 && has_little_text && is_uncertain ? uint32_t{kUncertain} : part;
}

}  // namespace

uint32_t containment_flags(const Verification& verification, const DecisionParameters& decision) noexcept {
  const bool page_full = verification.page_coverage >= decision.full_coverage;
  const bool matched_full = verification.matched_coverage >= decision.full_coverage;
  if (matched_full && !page_full) return kContains;
  if (page_full && !matched_full) return kContained;
  return 0;
}

uint32_t flags_of_record(const Features& page) noexcept {
  uint32_t flags = 0;
  if (page.is_truncated()) flags |= kTruncated;
  if (page.is_limited()) flags |= kLimit;
  if (page.has_text() && page.header().content_width < kContentWidth) flags |= kShortPage;
  return flags;
}

void set_match(const Verification& verification, const Features& page, uint64_t matched_page_id,
               const DecisionParameters& decision, Answer& answer) noexcept {
  answer.matched_page_id = matched_page_id;
  answer.resemblance = verification.resemblance;
  answer.containment = verification.containment;
  answer.page_coverage = verification.page_coverage;
  answer.matched_coverage = verification.matched_coverage;
  answer.probability = verification.probability;
  answer.flags |= flags_of_copy(verification, page, decision);
}

Answer answer_of_pair(const Verification& verification, const Features& page,
                      const DecisionParameters& decision) noexcept {
  Answer answer;
  answer.verdict = !verification.similar               ? (page.has_text() ? kNew : kNoText)
                   : verification.rule == Rule::kExact ? kExactDuplicate
                                                       : kNearDuplicate;
  answer.flags = flags_of_record(page) | (verification.limited ? uint32_t{kLimit} : 0);
  answer.resemblance = verification.resemblance;
  answer.containment = verification.containment;
  answer.page_coverage = verification.page_coverage;
  answer.matched_coverage = verification.matched_coverage;
  answer.probability = verification.probability;
  if (verification.similar) answer.flags |= flags_of_copy(verification, page, decision);
  return answer;
}

Answer as_unchanged(Answer answer) noexcept {
  answer.verdict = kUnchanged;
  answer.flags &= kRecrawl | kRegrouped | kTruncated | kLimit;
  answer.probability = 1;
  answer.related_group_id = 0;
  return answer;
}

}  // namespace nd::engine
