// [7] The groups that a page is to be compared with, in the order of their promise.
#include <algorithm>

#include "engine/decision.hpp"
#include "engine/engine.hpp"

namespace nd::engine {

// What is known of the URL, pages of the same text, and the ranked groups.
void Engine::gather(const Features& page, Scratch& scratch, Decision& decision) const {
  decision.generation = generation_;
  decision.previous = previous_of(page);
  if (!decision.model_version) decision.model_version = templates_.version(stable_hash(page.site()));
  decision.joined = nullptr;
  decision.earlier.clear();
  decision.earlier.swap(decision.prospects);
  if (!page.has_text() || (decision.previous.unchanged && !decision.previous.moved)) return;
  // A changed page stays in its group if it still verifies; else pages with the very same text, then groups
  // by shared keys.
  if (decision.previous.known) add_prospect(decision.previous.group, nullptr, page, decision);
  if (page.header().width >= parameters_.decision.exact_width && !page.is_cut()) {
    if (const uint64_t* twin_id = exact_.find(page.digest().low)) {
      const PageRecord* twin = table_.find(*twin_id);
      if (twin != nullptr && twin->digest == page.digest() && twin->features != nullptr &&
          twin->answer.page_id != decision.previous.page_id &&
          std::ranges::equal(twin->features->symbols(), page.symbols())) {
        add_prospect(twin->group, twin, page, decision);
      }
    }
  }
  const auto id_of = [this](GroupSlot group) { return table_.group(group).id; };
  const std::span<const spotsigs::SpotMatch> by_spots = find_by_spots(page, scratch, decision);
  for (const Candidate& candidate :
       scratch.search.search(index_, by_spots, page, parameters_.index, id_of, decision.limited_candidates)) {
    add_prospect(candidate.group, nullptr, page, decision);
  }
  decision.limited_candidates |= decision.limited_spots;
}

// A search by spot signatures is long, and a later look may be under the writer's lock: it is made once, at
// the first look, under the lock that readers share. Later looks go by what it found and is still there. A
// group that others founded meanwhile is found by its keys and by equal text, so equal pages checked at once
// meet; near-duplicates checked at once that share spot signatures only may both found a group. Only where
// the first look needed no candidates, because the page was known as it is, and was then removed, is the
// search late.
std::span<const spotsigs::SpotMatch> Engine::find_by_spots(const Features& page, Scratch& scratch,
                                                           Decision& decision) const {
  if (!decision.spots_searched) {
    for (const spotsigs::SpotMatch& match : spots_.find(page, scratch.spot_search, decision.limited_spots))
      decision.by_spots.push_back({table_.group(match.slot).id, match});
    decision.spots_searched = true;
    counters_.spot_searches.fetch_add(1, std::memory_order_relaxed);
  }
  scratch.spot_matches.clear();
  for (const SpotProspect& prospect : decision.by_spots) {
    if (table_.group(prospect.match.slot).id == prospect.group_id)
      scratch.spot_matches.push_back(prospect.match);
  }
  return scratch.spot_matches;
}

void Engine::add_prospect(GroupSlot slot, const PageRecord* twin, const Features& page,
                          Decision& decision) const {
  const GroupRecord& group = table_.group(slot);
  for (Prospect& prospect : decision.prospects) {
    if (prospect.slot != slot) continue;
    if (twin != nullptr) add_twin(*twin, prospect);
    return;
  }
  Prospect prospect{slot,  group.id, group.representative_page_id, group.representative, nullptr, 0,
                    false, {},       group.loose_members};
  const Previous& previous = decision.previous;
  if (previous.known && group.representative != nullptr && group.representative->url() == page.url()) {
    // Never with its own old text, and be it a tombstone: the oldest other member speaks for the group.
    if (previous.group == slot && previous.alone) return;
    const uint64_t other = group.members[group.members[0] == previous.page_id ? 1 : 0];
    prospect.matched_page_id = other;
    prospect.text = table_.find(other)->features;
  }
  if (previous.known && previous.group == slot && previous.loose)
    --prospect.loose_members;  // not counting itself
  if (twin != nullptr) add_twin(*twin, prospect);
  if (prospect.text == nullptr) return;
  for (const Prospect& earlier : decision.earlier) {
    if (earlier.group_id == prospect.group_id && earlier.text == prospect.text && earlier.verified) {
      prospect.verified = true;
      prospect.verification = earlier.verification;
    }
  }
  decision.prospects.push_back(std::move(prospect));
}

void Engine::add_twin(const PageRecord& twin, Prospect& prospect) {
  prospect.twin = twin.features;
  prospect.twin_page_id = twin.answer.page_id;
  if (prospect.matched_page_id == 0) hold_against_twin(prospect);
}

// A member with the very same text speaks for its group where the representative is gone, or does not
// resemble it.
void Engine::hold_against_twin(Prospect& prospect) {
  prospect.matched_page_id = prospect.twin_page_id;
  prospect.verified = prospect.verified && prospect.text == prospect.twin;
  prospect.text = prospect.twin;
}

}  // namespace nd::engine
