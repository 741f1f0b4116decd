// Fills an answer from a verification: the flags of containment and the numbers that a caller sees.
#include "decision/answer.hpp"

#include "page/feature_parameters.hpp"

namespace nd::engine {

uint32_t containment_flags(const Verification& verification, const DecisionParameters& decision) noexcept {
  const bool page_full = verification.page_coverage >= decision.full_coverage;
  const bool matched_full = verification.matched_coverage >= decision.full_coverage;
  if (matched_full && !page_full) return kContains;
  if (page_full && !matched_full) return kContained;
  return 0;
}

void set_match(const Verification& verification, uint64_t matched_page_id, const DecisionParameters& decision,
               Answer& answer) noexcept {
  answer.matched_page_id = matched_page_id;
  answer.resemblance = verification.resemblance;
  answer.containment = verification.containment;
  answer.page_coverage = verification.page_coverage;
  answer.matched_coverage = verification.matched_coverage;
  answer.probability = verification.probability;
  answer.flags |= containment_flags(verification, decision);
}

Answer answer_of_pair(const Verification& verification, const Features& page,
                      const DecisionParameters& decision) noexcept {
  Answer answer;
  answer.verdict = !verification.similar               ? (page.has_text() ? kNew : kNoText)
                   : verification.rule == Rule::kExact ? kExactDuplicate
                                                       : kNearDuplicate;
  if (page.header().flags & kFeatureTruncated) answer.flags |= kTruncated;
  if ((page.header().flags & kFeatureLimited) || verification.limited) answer.flags |= kLimit;
  if (page.has_text() && page.header().content_width < kContentWidth) answer.flags |= kShortPage;
  answer.resemblance = verification.resemblance;
  answer.containment = verification.containment;
  answer.page_coverage = verification.page_coverage;
  answer.matched_coverage = verification.matched_coverage;
  answer.probability = verification.probability;
  if (verification.similar) answer.flags |= containment_flags(verification, decision);
  if (verification.similar && verification.rule == Rule::kMethod) answer.flags |= kUnverified;
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
