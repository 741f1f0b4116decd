// Turns the verifications of a check into its answer: which group the page joins, or which one it nearly
// joined.
#include "decision/decision.hpp"

#include "page/feature_parameters.hpp"

namespace nd::engine {
namespace {

// The answer of the check that found this text.
Answer answer_again(const Decision& decision) {
  const Previous& previous = decision.previous;
  const bool cut = previous.postponed || decision.limited_work ||
                   (previous.decided_again && decision.joined == nullptr &&
                    (decision.limited_candidates || decision.limited_verifications));
  Answer answer{previous.answer};
  answer.verdict = kUnchanged;
  answer.flags = cut ? uint32_t{kLimit} : 0;
  answer.group_id = previous.group_id;
  return answer;
}

// [8] The group that the page most probably belongs to of those that were compared and refused; the likeliest
// by the ranking among equals.
void set_related(const Decision& decision, const DecisionParameters& limits, Answer& answer) {
  uint32_t part = 0;
  for (const Candidate& candidate : decision.candidates) {
    const Verification& verification = candidate.verification;
    const bool is_refused = candidate.verified && !verification.similar;
    if (!is_refused || candidate.group_id == answer.group_id) continue;
    if (verification.probability <= answer.probability) continue;
    answer.probability = verification.probability;
    answer.related_group_id = candidate.group_id;
    part = containment_flags(verification, limits);
  }
  answer.flags |= part;
}

}  // namespace

// [8] Verifications to a verdict.
Answer answer_of(const Features& page, const Decision& decision, const DecisionParameters& limits) {
  Answer answer;
  answer.page_id = decision.previous.page_id;
  const uint32_t feature_flags = page.header().flags;
  if (feature_flags & kFeatureTruncated) answer.flags |= kTruncated;
  if (feature_flags & kFeatureLimited) answer.flags |= kLimit;
  if (decision.previous.known) answer.flags |= kRecrawl;
  const Previous& previous = decision.previous;
  const uint64_t joined = decision.joined == nullptr ? 0 : decision.joined->group_id;
  if (previous.unchanged && (!previous.decided_again || (previous.represents && stays(previous, joined)))) {
    Answer again = answer_again(decision);
    again.flags |= answer.flags;
    return again;
  }
  if (previous.known) {
    if (!previous.unchanged) answer.flags |= kChanged;
    if (stays(previous, joined)) {
      answer.group_id = previous.group_id;
    } else {
      answer.flags |= kRegrouped;
    }
  }
  if (!page.has_text()) {
    answer.verdict = kNoText;
    return answer;
  }
  if (page.header().content_width < kContentWidth) answer.flags |= kShortPage;
  if (decision.limited_work) answer.flags |= kLimit;
  if (decision.joined == nullptr) {
    answer.verdict = kNew;
    // A truncated search is reported only where it may have missed something.
    if (decision.limited_candidates || decision.limited_verifications) answer.flags |= kLimit;
    set_related(decision, limits, answer);
    return answer;
  }
  const Candidate& match = *decision.joined;
  const bool equals_representative = match.verification.rule == Rule::kExact;
  const bool equals_member = !equals_representative && match.copy_features_id != 0;
  answer.verdict = equals_representative || equals_member ? kExactDuplicate : kNearDuplicate;
  answer.group_id = match.group_id;
  if (equals_member) {
    set_match(exact_match(page), page, match.copy_page_id, limits, answer);
    return answer;
  }
  set_match(match.verification, page, match.matched_page_id, limits, answer);
  return answer;
}

}  // namespace nd::engine
