// Two groups become one: what is tried, and what of it the collection gets (docs/merging.md).
#pragma once

#include <cstdint>

#include "engine/answer.hpp"
#include "engine/group_aliases.hpp"
#include "engine/verification.hpp"

namespace nd::engine {

// Two noted groups that are to be compared.
struct MergeTrial {
  uint64_t site = 0;
  uint64_t noted_older = 0;  // as they were noted ...
  uint64_t noted_younger = 0;
  uint64_t older = 0;  // ... and what they are part of now
  uint64_t younger = 0;
  bool witnessed = false;  // a page of another site was verified against both
};

// How that ended.
struct MergeVerdict {
  bool merged = false;
  bool forgotten = false;  // they are two: the site is known
  bool lifted = false;     // compared as of a known site, because a witness says so
  bool loose = false;      // see PageMarks
  uint64_t version = 0;    // of the site's model
  Answer answer;           // of the younger representative against the older one
  int64_t at_ms = 0;
};

// A member compared with what represents a group.
struct MemberComparison {
  Verification verification;
  uint64_t group_id = 0;
  uint64_t text = 0;            // that represents the group; 0: none does, and nothing was compared
  uint64_t representative = 0;  // page id
  bool crowded = false;         // the group has so many loose members that none joins it by such a match
  bool joins = false;
};

// A member of the younger group of an unfinished merge, compared without the lock: it counts if all of this
// is still so when it comes into force.
struct MemberTrial {
  uint64_t younger = 0;
  uint64_t page_id = 0;  // 0: none is left
  uint64_t text = 0;     // of the member; 0: not kept
  AliasData alias;
  MemberComparison older;
  MemberComparison remainder;  // where the older group did not take it, and there is one
};

// A member of the younger group was compared with the older representative, or could not be.
struct Settlement {
  uint64_t younger = 0;   // of an unfinished merge
  uint64_t page_id = 0;   // 0: none is left; ids that lead to the group are turned
  uint64_t group_id = 0;  // it belongs to: the older group, the remainder, or 0: one of its own
  bool loose = false;
  bool undecided = false;  // with the older group: see Verification
  Answer answer;           // of that comparison; its ids are given by the commit
};

}  // namespace nd::engine
