// The state of one check between looking at the collection and committing, and the part of it that is
// committed.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "core/memory.hpp"
#include "decision/answer.hpp"
#include "decision/verification.hpp"
#include "page/features.hpp"
#include "spotsigs/spot_probe_scratch.hpp"

namespace nd::engine {

// A group that the page may join. Its text is fetched when it is to be compared, and stays alive without the
// lock.
struct Candidate {
  uint64_t group_id = 0;
  uint64_t matched_page_id = 0;
  uint64_t features_id = 0;       // to be verified against; see FeaturesTable
  uint64_t copy_features_id = 0;  // a member's that equals the page's, or 0
  uint64_t copy_page_id = 0;
  bool verified = false;
  Verification verification;
  std::shared_ptr<const Features> text;  // null until it is compared
  bool left_out = false;                 // not compared, because the budget of the call was used up

  // A member with exactly the same text represents its group if the representative was removed, or could not
  // be compared for lack of budget.
  void compare_with_exact_copy() noexcept {
    matched_page_id = copy_page_id;
    if (features_id == copy_features_id) return;
    verified = false;
    features_id = copy_features_id;
    text = nullptr;
  }
};

// What was known about the page's URL when the call looked.
struct Previous {
  bool known = false;
  bool unchanged = false;      // the same text as now ...
  bool decided_again = false;  // ... to be decided again: more of its site is known by now
  bool postponed = false;      // ... or would be, if the memory budget left room
  bool alone = false;          // the only member of its group
  bool represents = false;     // its old text is the group's representative
  uint64_t page_id = 0;
  uint64_t group_id = 0;
  Answer answer;  // of the check that found this text

  // Whether nothing is to be decided or kept, because the page was seen again unchanged.
  bool is_settled() const noexcept { return unchanged && !decided_again; }
};

struct Decision {
  // Resets it to a new one, except that the lists keep their memory.
  void clear() noexcept {
    Decision fresh;
    candidates.clear();
    earlier.clear();
    by_spots.clear();
    fresh.candidates.swap(candidates);
    fresh.earlier.swap(earlier);
    fresh.by_spots.swap(by_spots);
    *this = std::move(fresh);
  }
  uint64_t memory_bytes() const noexcept {
    return (candidates.capacity() + earlier.capacity()) * sizeof(Candidate) +
           by_spots.capacity() * sizeof(spotsigs::SpotMatch);
  }

  Previous previous;
  uint64_t commit_sequence = 0;  // of the collection when the call last looked
  // In the order of the ranking, renewed by every look; verifications are kept.
  Vector<Candidate> candidates;
  Vector<Candidate> earlier;  // scratch of a look
  // Valid once `spots_searched`; the search is not repeated.
  Vector<spotsigs::SpotMatch> by_spots;
  bool spots_searched = false;
  bool limited_spots = false;
  bool contribution_taken = false;    // the page's, at this look; see take_contribution()
  const Candidate* joined = nullptr;  // points into candidates
  bool limited_candidates = false;
  bool limited_verifications = false;
  bool limited_work = false;
};

// A known page keeps its group if it verifies against it, or if it represents the group and nothing better is
// found. `joined`: the group that it verifies against; 0: none.
inline bool stays(const Previous& previous, uint64_t joined) noexcept {
  if (joined != 0) return joined == previous.group_id;
  return previous.alone || (previous.unchanged && previous.represents);
}

// The answer: the verdict, with the best match. The commit assigns its ids.
Answer answer_of(const Features& page, const Decision& decision, const DecisionParameters& limits);

// The decision about a page: together with the page's features and the collection as it was, all that a
// commit needs. The journal records it, so that a replay decides nothing again.
struct Outcome {
  Previous previous;    // `postponed` is never set: what was postponed has no outcome
  Answer answer;        // the commit assigns its ids
  uint64_t joined = 0;  // group that the page verified against; 0: none
  bool kept = true;     // the memory budget left room for the text
};

}  // namespace nd::engine
