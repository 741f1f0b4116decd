// What was decided of a page: with the page's features and the collection of before, all that a commit needs.
// The journal holds it, so that a replay decides nothing anew.
#pragma once

#include <cstdint>

#include "core/memory.hpp"
#include "engine/answer.hpp"
#include "engine/decision.hpp"

namespace nd::engine {

struct Outcome {
  Previous previous;                  // `postponed` is never set: what was postponed has no outcome
  Answer answer;                      // its ids are given by the commit
  uint64_t joined = 0;                // group that the page verified against; 0: none
  bool loose = false;                 // see PageMarks
  bool kept = true;                   // the memory budget left room for the text
  uint64_t model_version = 0;         // of the page's site when the call first looked
  Vector<uint64_t> suspected_copies;  // groups of the site that may be copies; see SiteTemplates::note_kin
};

}  // namespace nd::engine
