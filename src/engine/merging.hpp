// Merges groups that were kept apart only because their site was young, once there is evidence
// (docs/merging.md): chooses the merges to try and commits the results.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "engine/answer.hpp"
#include "engine/group_aliases.hpp"
#include "engine/verification.hpp"

namespace nd::engine {

class Collection;
class Engine;
struct Scratch;

// Two noted groups that are to be compared.
struct MergeTrial {
  uint64_t site = 0;
  uint64_t noted_older = 0;  // as noted ...
  uint64_t noted_younger = 0;
  uint64_t older = 0;  // ... and the groups that they now belong to
  uint64_t younger = 0;
  bool witnessed = false;  // a page of another site was verified against both
};

// The outcome of that comparison.
struct MergeVerdict {
  bool merged = false;
  bool forgotten = false;  // they are two documents, and the site is no longer young
  bool lifted = false;     // compared as if the site were known, because of a witness
  bool loose = false;      // see PageMarks
  uint64_t version = 0;    // of the site's model
  RecordedAnswer answer;   // of the younger representative against the older one
  int64_t at_ms = 0;
};

// A member compared with its group's representative.
struct MemberComparison {
  Verification verification;
  uint64_t group_id = 0;
  uint64_t text = 0;            // the text that represents the group; 0: none, and nothing was compared
  uint64_t representative = 0;  // page id
  bool crowded = false;         // the group has too many loose members for another loose match to join
  bool joins = false;
};

// A member of the younger group of an unfinished merge, compared without the lock: the result counts only if
// all of this is still true when it is committed.
struct MemberTrial {
  uint64_t younger = 0;
  uint64_t page_id = 0;  // 0: none is left
  uint64_t text = 0;     // of the member; 0: not kept
  AliasData alias;
  MemberComparison older;
  MemberComparison remainder;  // if the older group did not accept it and there is a remainder
};

// The result for a member of the younger group, which was compared with the older representative if possible.
struct Settlement {
  uint64_t younger = 0;   // of an unfinished merge
  uint64_t page_id = 0;   // 0: no member is left, and ids that lead to the group are redirected
  uint64_t group_id = 0;  // the group it belongs to: the older group, the remainder, or 0: one of its own
  bool loose = false;
  bool undecided = false;  // with the older group: see Verification
  RecordedAnswer answer;   // of that comparison; the commit assigns its ids
};

// The merging that a check does besides its own page. Threads: one. It takes the engine's lock itself, unless
// noted otherwise; after using the verifier for other comparisons it restores the page there.
class GroupMerging {
 public:
  GroupMerging(Engine& engine, Scratch& scratch, const Features& page) noexcept
      : engine_(engine), scratch_(scratch), page_(page) {}

  // Called before anything is decided about the page, and again with `updating` while the writer's lock is
  // held.
  Result<void> settle_page(bool updating);
  // After the page's commit, under the writer's lock: returns the merges to try.
  Vector<MergeTrial> trials_after_commit() const noexcept;
  // After that, without the lock. Updates the answer if the page moves.
  void merge(std::span<const MergeTrial> trials, Answer& answer);

 private:
  struct Settled {
    uint32_t comparisons = 1;
    uint64_t page_id = 0;  // the id that the member has from now on; 0: there was no such member
  };

  struct Sides {
    uint64_t older_text = 0;  // texts of the representatives; 0: there is none
    uint64_t younger_text = 0;
    uint64_t matched_page_id = 0;  // the older group's representative
    bool crowded = false;          // the older group has too many loose members
    RecordedAnswer before;         // of the younger representative
  };

  // The engine's current collection; a refresh replaces it.
  Collection& collection() const noexcept;
  Vector<std::pair<uint64_t, uint64_t>> witnessed_pairs() const;
  uint32_t comparisons_left() const noexcept;
  Sides sides_of(const MergeTrial& trial) const;
  Result<void> try_merges(std::span<const MergeTrial> trials, Answer& answer);
  Result<void> try_merge(const MergeTrial& trial);
  void count(const Verification& verification);
  Result<void> settle_members(uint32_t comparisons, uint64_t& page_id);
  BoilerplateMarks mark_strictly(const Features& representative, const Features& member, uint64_t older,
                                 uint64_t younger);
  MemberComparison compare_with_group(uint64_t group_id, const Features& member, uint64_t contribution,
                                      bool known_site);
  Result<MemberTrial> compare_member(uint64_t younger, uint64_t page_id);
  bool still_holds(const MemberTrial& trial) const;
  Result<Settled> settle_member(const MemberTrial& trial);
  std::pair<uint64_t, uint64_t> unsettled_page() const;

  Engine& engine_;
  Scratch& scratch_;
  const Features& page_;
};

}  // namespace nd::engine
