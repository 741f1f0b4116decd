// The state of one check between looking at the index and committing.
#pragma once

#include <optional>

#include "engine/engine.hpp"

namespace nd::engine {

// Members of a group that are looked at for another page with the same text, or of the same site.
inline constexpr size_t kTwinSearchLimit = 64;

// A group as the deciding call sees it: pointers that stay valid without the lock.
struct Engine::Prospect {
  GroupSlot slot;
  uint64_t group_id;
  uint64_t matched_page_id;
  std::shared_ptr<const Features> text;  // to be verified against
  std::shared_ptr<const Features> twin;  // a member's that equals the page's, or null
  uint64_t twin_page_id;
  bool verified;
  Verification verification;
  uint32_t loose_members;  // of the group, the page itself not counted
};

// What was known of the page's URL when the call looked.
struct Engine::Previous {
  bool known = false;
  bool unchanged = false;   // the same text as now ...
  bool moved = false;       // ... to be decided anew: the site's template model is another by now
  bool postponed = false;   // ... or would be, if the memory budget left room
  bool alone = false;       // the only member of its group
  bool loose = false;       // see PageRecord
  bool represents = false;  // its old text is the group's representative
  uint64_t page_id = 0;
  uint64_t group_id = 0;
  GroupSlot group = 0;
  uint64_t lesson =
      0;          // the group whose lesson to the template model is the page's alone; 0: others gave it too
  Answer answer;  // of the check that found this text
};

// A group found by its spot signatures, good as long as the slot is of the same group.
struct Engine::SpotProspect {
  uint64_t group_id;
  spotsigs::SpotMatch match;
};

struct Engine::Decision {
  Previous previous;
  uint64_t generation = 0;
  std::optional<uint64_t> model_version;  // of the page's site when the call first looked
  Vector<Prospect>
      prospects;             // in the order of the ranking, renewed by every gather(); verifications are kept
  Vector<Prospect> earlier;  // scratch of gather()
  Vector<SpotProspect> by_spots;  // once `spots_searched`; the search is not repeated
  bool spots_searched = false;
  bool limited_spots = false;
  const Prospect* joined = nullptr;  // points into prospects
  bool limited_candidates = false;
  bool limited_verifications = false;
  bool limited_work = false;
};

}  // namespace nd::engine
