// The same text again after its site's template model has moved: what was decided by another knowledge of the
// boilerplate is decided anew (docs/decision.md, "The same text again").
#include "engine/engine.hpp"

namespace nd::engine {

// What the check that found this text said.
Answer Engine::answer_again(const Decision& decision) {
  const Previous& previous = decision.previous;
  const bool cut = previous.postponed || decision.limited_work ||
                   (previous.moved && decision.joined == nullptr &&
                    (decision.limited_candidates || decision.limited_verifications));
  Answer answer = previous.answer;
  answer.verdict = kUnchanged;
  answer.flags = cut ? uint32_t{kLimit} : 0;
  answer.group_id = previous.group_id;
  return answer;
}

Answer as_unchanged(Answer answer) noexcept {
  answer.verdict = kUnchanged;
  answer.flags &= kRecrawl | kRegrouped | kTruncated | kLimit;
  return answer;
}

}  // namespace nd::engine
