// [7] The groups that a page is to be compared with, in the order of their promise.
#include <algorithm>

#include "engine/engine.hpp"

namespace nd::engine {
namespace {

bool needs_candidates(const Features& page, const Previous& previous) noexcept {
  return page.has_text() && !(previous.unchanged && !previous.moved);
}

}  // namespace

// What is known of the URL, pages of the same text, and the ranked groups. The lock must be held.
void Engine::gather(const Features& page, Scratch& scratch, Decision& decision) const {
  if (begin_gathering(page, scratch, decision)) finish_gathering(page, scratch, decision);
}

// The first half, with the search by spot signatures. False if no candidates are needed.
bool Engine::begin_gathering(const Features& page, Scratch& scratch, Decision& decision) const {
  const Collection& known = *collection_;
  decision.generation = known.generation();
  decision.previous = known.previous_of(page, has_room());
  if (!decision.model_version)
    decision.model_version = known.templates.version(known.templates.key_of(page.url(), page.site()).own);
  decision.joined = nullptr;
  decision.earlier.clear();
  decision.earlier.swap(decision.prospects);
  decision.prospects.reserve(parameters_.index.candidates + 2);  // and its own group, and its twin's
  if (!needs_candidates(page, decision.previous)) return false;
  if (!known.method.is_used()) search_by_spots(page, scratch, decision);
  return true;
}

// The second, by what the first found. Others may have committed between the two.
void Engine::finish_gathering(const Features& page, Scratch& scratch, Decision& decision) const {
  const Collection& known = *collection_;
  if (known.generation() != decision.generation) {
    decision.generation = known.generation();
    decision.previous = known.previous_of(page, has_room());
    if (!needs_candidates(page, decision.previous)) return;
  }
  // A changed page stays in its group if it still verifies; else pages with the very same text, then groups
  // by shared keys.
  if (decision.previous.known) add_prospect(decision.previous.group_id, nullptr, page, scratch, decision);
  if (page.header().width >= parameters_.decision.exact_width && !page.is_cut()) {
    const PageRef twin = known.pages.find(known.exact.find(page.digest().low));
    if (twin && twin->data->digest == page.digest() && twin->data->text != 0 &&
        twin->data->answer.page_id != decision.previous.page_id) {
      const SharedFeatures text = known.texts.find(twin->data->text, scratch.unpacked);
      if (text != nullptr && std::ranges::equal(text->symbols(), page.symbols()))
        add_prospect(twin->data->answer.group_id, twin->data, page, scratch, decision);
    }
  }
  if (known.method.is_used()) {
    gather_by_method(page, scratch, decision);
    return;
  }
  known.groups_of(decision.by_spots, scratch.spot_matches);
  const std::span<const Candidate> candidates = scratch.search.search(
      known.index, scratch.spot_matches, page, parameters_.index, decision.limited_candidates);
  scratch.work.add(Work::kCandidates, scratch.search.work());
  for (const Candidate& candidate : candidates)
    add_prospect(candidate.group_id, nullptr, page, scratch, decision);
  decision.limited_candidates |= decision.limited_spots;
}

// A search by spot signatures is long, and a later look may be under the writer's lock: it is made once, at
// the first look, under the lock that readers share. Later looks go by what it found and is still there. A
// group that others founded meanwhile is found by its keys and by equal text, so equal pages checked at once
// meet; near-duplicates checked at once that share spot signatures only may both found a group. Only where
// the first look needed no candidates, because the page was known as it is, and was then removed, is the
// search late.
void Engine::search_by_spots(const Features& page, Scratch& scratch, Decision& decision) const {
  if (decision.spots_searched) return;
  const auto found = collection_->spots.find(page, scratch.spot_search, decision.limited_spots,
                                             scratch.budget.share_of_search());
  if (!page.spots().empty()) {
    scratch.work.add(Work::kCandidates, scratch.spot_search.work());
    scratch.budget.spend(scratch.spot_search.work());
  }
  decision.by_spots.assign(found.begin(), found.end());
  decision.spots_searched = true;
  counters_.spot_searches.fetch_add(1, std::memory_order_relaxed);
}

// Unlike the search by spot signatures this one is repeated at each look: nothing else would find the group
// that another thread has founded for a near-duplicate meanwhile.
void Engine::gather_by_method(const Features& page, Scratch& scratch, Decision& decision) const {
  const detectors::MethodMatches found =
      collection_->method.find(page, parameters_.index.candidates, scratch.method_search);
  decision.limited_candidates |= found.limited;
  scratch.work.add(Work::kCandidates, found.work);
  for (const detectors::MethodMatch& match : found.matches)
    add_prospect(match.id, nullptr, page, scratch, decision);
}

void Engine::add_prospect(uint64_t group_id, const PageData* twin, const Features& page, Scratch& scratch,
                          Decision& decision) const {
  // A group that is becoming part of another one takes no page. Its members do not speak for the other one
  // before they were verified.
  if (const uint64_t current = collection_->aliases.resolve(group_id); current != group_id) {
    group_id = current;
    twin = nullptr;
  }
  const GroupRef group = collection_->pages.group(group_id);
  if (!group) return;
  for (Prospect& prospect : decision.prospects) {
    if (prospect.group_id != group_id) continue;
    if (twin != nullptr) add_twin(*twin, prospect);
    return;
  }
  Prospect prospect{group_id,
                    group->data->representative_page_id,
                    group->data->text,
                    0,
                    0,
                    group->data->loose_count,
                    group->data->page_count,
                    false,
                    {},
                    false,
                    nullptr};
  const Previous& previous = decision.previous;
  if (previous.known && represents_itself(*group, page, previous, scratch)) {
    // Never with its own old text, and be it a tombstone: the oldest other member speaks for the group.
    if (previous.group_id == group_id && previous.alone) return;
    prospect.matched_page_id = oldest_member_but(*group, previous.page_id);
    const PageRef other = collection_->pages.find(prospect.matched_page_id);
    prospect.text_id = other ? other->data->text : 0;
  }
  if (previous.known && previous.group_id == group_id) {
    prospect.loose_members -= previous.loose ? 1 : 0;
    --prospect.members;
  }
  if (twin != nullptr) add_twin(*twin, prospect);
  if (prospect.text_id == 0) return;
  for (const Prospect& earlier : decision.earlier) {
    if (earlier.group_id == prospect.group_id && earlier.text_id == prospect.text_id && earlier.verified) {
      prospect.verified = true;
      prospect.verification = earlier.verification;
      prospect.parts_weighed = earlier.parts_weighed;
      prospect.text = earlier.text;
    }
  }
  decision.prospects.push_back(std::move(prospect));
}

// What stands for the group is the page itself, as it was once.
bool Engine::represents_itself(const GroupRecord::View& group, const Features& page, const Previous& previous,
                               Scratch& scratch) const {
  if (group.data->text == 0) return false;
  if (group.data->representative_page_id != 0) return group.data->representative_page_id == previous.page_id;
  const SharedFeatures tombstone = collection_->texts.find(group.data->text, scratch.unpacked);
  return tombstone != nullptr && tombstone->url() == page.url();
}

uint64_t Engine::oldest_member_but(const GroupRecord::View& group, uint64_t page_id) const {
  uint64_t oldest = 0;
  collection_->pages.for_each_member(group, [&](uint64_t member) {
    if (member == page_id) return true;
    oldest = member;
    return false;
  });
  return oldest;
}

void Engine::add_twin(const PageData& twin, Prospect& prospect) {
  prospect.twin_text_id = twin.text;
  prospect.twin_page_id = twin.answer.page_id;
  if (prospect.matched_page_id == 0) hold_against_twin(prospect);
}

// A member with the very same text speaks for its group where the representative is gone, or does not
// resemble it.
void Engine::hold_against_twin(Prospect& prospect) {
  prospect.matched_page_id = prospect.twin_page_id;
  if (prospect.text_id == prospect.twin_text_id) return;
  prospect.verified = false;
  prospect.parts_weighed = false;
  prospect.text_id = prospect.twin_text_id;
  prospect.text = nullptr;
}

}  // namespace nd::engine
