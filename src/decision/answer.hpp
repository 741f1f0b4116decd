// The answer of an engine to a check: verdict, group, the page it matched, and how well.
#pragma once

#include <cstdint>

#include "decision/verification.hpp"

namespace nd::engine {

// Values of ndcapi.h.
enum Verdict : int32_t { kNew = 1, kUnchanged = 2, kExactDuplicate = 3, kNearDuplicate = 4, kNoText = 5 };
enum AnswerFlags : uint32_t {
  kRecrawl = 1 << 0,
  kChanged = 1 << 1,
  kRegrouped = 1 << 2,
  kTruncated = 1 << 3,
  kLimit = 1 << 4,
  kShortPage = 1 << 5,
  kContains = 1 << 6,
  kContained = 1 << 7,
  kUnverified = 1 << 8,
  kUncertain = 1 << 9,
};

// The answer of a check, as nd_result gives it, and as the record of the page keeps it.
struct Answer {
  int32_t verdict = 0;
  uint32_t flags = 0;
  uint64_t page_id = 0;
  uint64_t group_id = 0;
  uint64_t matched_page_id = 0;
  double resemblance = 0;
  double containment = 0;
  double page_coverage = 0;
  double matched_coverage = 0;
  double probability = 0;         // of being the same document as the match, or as the best refused candidate
  uint64_t related_group_id = 0;  // of kNew: that candidate's group; 0: none
};

// What is to be said of a page whatever it is compared with: kTruncated, kLimit, kShortPage.
uint32_t flags_of_record(const Features& page) noexcept;
// kContains, kContained or 0.
uint32_t containment_flags(const Verification& verification, const DecisionParameters& decision) noexcept;
// The page is a copy of the matched one, by this comparison.
void set_match(const Verification& verification, const Features& page, uint64_t matched_page_id,
               const DecisionParameters& decision, Answer& answer) noexcept;
// The answer about a page that was compared with one other page, without ids.
Answer answer_of_pair(const Verification& verification, const Features& page,
                      const DecisionParameters& decision) noexcept;
// The answer for a page with the same text, however that text was decided.
Answer as_unchanged(Answer answer) noexcept;

}  // namespace nd::engine
