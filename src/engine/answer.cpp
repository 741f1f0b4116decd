#include "engine/answer.hpp"

#include "engine/parameters.hpp"

namespace nd::engine {

uint32_t containment_flags(const Verification& verification, const DecisionParameters& decision) noexcept {
  const bool page_full = verification.page_coverage >= decision.full_coverage;
  const bool matched_full = verification.matched_coverage >= decision.full_coverage;
  if (matched_full && !page_full) return kContains;
  if (page_full && !matched_full) return kContained;
  return 0;
}

bool joined_as_part(const Answer& answer, const DecisionParameters& decision) noexcept {
  return answer.verdict == kNearDuplicate && (answer.flags & kContained) != 0 &&
         answer.matched_coverage < decision.part_coverage;
}

void set_match(const Verification& verification, uint64_t matched_page_id, const DecisionParameters& decision,
               Answer& answer) noexcept {
  answer.matched_page_id = matched_page_id;
  answer.resemblance = verification.resemblance;
  answer.containment = verification.containment;
  answer.page_coverage = verification.page_coverage;
  answer.matched_coverage = verification.matched_coverage;
  answer.flags |= containment_flags(verification, decision);
}

Answer as_unchanged(Answer answer) noexcept {
  answer.verdict = kUnchanged;
  answer.flags &= kRecrawl | kRegrouped | kTruncated | kLimit;
  return answer;
}

}  // namespace nd::engine
