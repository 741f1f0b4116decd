// [9] Makes two groups one (docs/merging.md). Steps that can fail come before anything is visible.
#include <algorithm>
#include <utility>

#include "engine/collection.hpp"

namespace nd::engine {
namespace {

// How many ids that led to the younger group one step redirects.
constexpr size_t kTurnedIds = 64;

// The most pages, groups and texts that one step removes.
constexpr size_t kErasures = 2;

Error missing() {
  return error(Status::kCorrupt, "the store lacks a page or a group that others refer to");
}

}  // namespace

uint64_t Collection::resolve(uint64_t group_id) const noexcept {
  const uint64_t current = aliases.resolve(group_id);
  if (pages.group(current)) return current;
  // Left behind by a merge whose older group has been removed.
  return pages.group(group_id) ? group_id : 0;
}

bool Collection::may_merge(uint64_t older, uint64_t younger) const noexcept {
  if (older == 0 || older >= younger || aliases.unfinished().size() >= kUnfinishedMerges) return false;
  if (aliases.is_busy(older) || aliases.is_busy(younger)) return false;
  const GroupRef to = pages.group(older);
  const GroupRef from = pages.group(younger);
  return to && from && to->data->text != 0 && from->data->text != 0 && to->data->site == from->data->site;
}

uint64_t Collection::template_key_of(uint64_t group_id) const noexcept {
  const GroupRef group = pages.group(group_id);
  const PageRef page = group ? pages.find(group->data->representative_page_id) : PageRef{};
  return page ? page->data->site : 0;
}

Vector<MergeTrial> Collection::merge_trials(const Features& page, std::span<const GroupPair> witnessed,
                                            size_t limit) const {
  Vector<MergeTrial> trials;
  const auto add = [&](uint64_t of_site, const SuspectedPair& pair, bool has_witness) {
    uint64_t older = resolve(pair.older);
    uint64_t younger = resolve(pair.younger);
    if (older > younger) std::swap(older, younger);
    const bool are_two = older != 0 && older != younger;
    if (are_two && !may_merge(older, younger)) return;
    trials.push_back({of_site, pair.older, pair.younger, older, younger, has_witness});
  };
  for (const auto& [a, b] : witnessed) {
    // Only a page of another site can show what is boilerplate of this one.
    if (site_of_group(a) == stable_hash(page.site())) continue;
    const uint64_t of_site = template_key_of(a);
    if (of_site == 0 || template_key_of(b) != of_site) continue;
    for (const SuspectedPair& pair : suspected_copies.pairs(of_site)) {
      const GroupPair now{resolve(pair.older), resolve(pair.younger)};
      if (now != GroupPair{a, b} && now != GroupPair{b, a}) continue;
      if (pair.witness_version != templates.version(of_site) && trials.size() < limit)
        add(of_site, pair, true);
      break;
    }
  }
  const uint64_t site = templates.key_of(page.url(), page.site()).own;
  const uint64_t version = templates.version(site);
  for (const SuspectedPair& pair : suspected_copies.pairs(site)) {
    if (trials.size() >= limit) break;
    if (pair.version != version) add(site, pair, false);
  }
  return trials;
}

// [9] Includes the pairs noted by the site's model.
void Collection::note_suspected_copies(uint64_t site, const Outcome& outcome,
                                       const RecordedAnswer& answer) noexcept {
  if (!parameters_.merging.enabled || !outcome.kept || outcome.suspected_copies.empty()) return;
  if (template_key_of(answer.group_id) != site) return;
  const uint64_t version = templates.version(site);
  for (uint64_t group_id : outcome.suspected_copies) {
    const uint64_t forgotten = suspected_copies.note(site, answer.group_id, group_id, version);
    counters_.limit_merges.fetch_add(forgotten, std::memory_order_relaxed);
  }
}

Result<void> Collection::merge(const MergeTrial& trial, const MergeVerdict& verdict) {
  if (!parameters_.merging.enabled) return error(Status::kCorrupt, "a merge in a store without merging");
  if (!verdict.merged) {
    if (verdict.forgotten) {
      suspected_copies.forget(trial.site, trial.noted_older, trial.noted_younger);
    } else {
      suspected_copies.compared(trial.site, trial.noted_older, trial.noted_younger, verdict.version,
                                trial.witnessed);
    }
    return {};
  }
  if (!may_merge(trial.older, trial.younger)) return error(Status::kCorrupt, "groups merge that cannot");
  pages.reserve_more(kErasures);
  texts.reserve_more(kErasures);
  GroupRecord* older = pages.change_group(trial.older);
  GroupRecord* younger = pages.change_group(trial.younger);
  if (older == nullptr || younger == nullptr) return missing();
  const uint64_t text = younger->data.text;
  const uint64_t representative = younger->data.representative_page_id;
  aliases.prepare(trial.older, trial.younger);
  const Vector<uint64_t> keys = distinct(keys_of(*younger));
  index.prepare_removal(keys);
  prepare_unrepresent(trial.younger);
  suspected_copies.forget(trial.site, trial.noted_older, trial.noted_younger);
  if (representative != 0 && std::ranges::binary_search(younger->first, representative)) {
    Result<void> adopted = adopt(representative, trial.younger, trial.older, verdict.answer, verdict.loose);
    if (!adopted) return adopted;
    if (verdict.lifted) pages.change(representative)->data.marks |= kWitnessed;
  }
  // Nothing below can fail.
  unrepresent(trial.younger);
  remove_keys(trial.younger, keys);
  if (pages.group(trial.younger)) {
    younger->data.representative_page_id = 0;
    younger->data.text = 0;
    younger->member_keys.clear();
  }
  release_text(text, representative, trial.younger);
  aliases.begin(trial.older, trial.younger, verdict.lifted);
  templates.note_suspected_copies(trial.site, trial.older,
                                  trial.younger);  // what both taught is no longer boilerplate
  events.append(EventKind::kMerged, representative, trial.younger, trial.older, verdict.at_ms);
  counters_.merges.fetch_add(1, std::memory_order_relaxed);
  counters_.merges_by_witness.fetch_add(trial.witnessed, std::memory_order_relaxed);
  ++commit_sequence_;
  return {};
}

// Makes the page a member of the older group; it keeps its id.
Result<void> Collection::adopt(uint64_t page_id, uint64_t younger, uint64_t older,
                               const RecordedAnswer& answer, bool loose) {
  PageRecord* page = pages.change(page_id);
  GroupRecord* from = pages.change_group(younger);
  GroupRecord* to = pages.change_group(older);
  if (page == nullptr || from == nullptr || to == nullptr || page->data.answer.group_id != younger)
    return missing();
  const SharedFeatures text = text_of(page->data);
  if (text == nullptr && page->data.text != 0) return missing();
  if (!pages.prepare_removal(*from, page_id)) return missing();
  spots.prepare_member_removal(page_id);
  const size_t known_keys = to->member_keys.size();
  // If there is no room for the page's keys, the group is still found by its own.
  if (text != nullptr) static_cast<void>(join(older, *to, *text, page_id));
  try {
    pages.move_member(*from, *to, page_id);
  } catch (...) {
    drop_member_keys(older, *to, known_keys);
    throw;
  }
  set_loose(*page, *from, false);
  if (from->data.page_count == 0) pages.erase_group(younger);
  PageData& data = page->data;
  data.answer = answer;
  data.answer.page_id = page_id;
  data.answer.group_id = older;
  set_loose(*page, *to, loose);
  teach_adopted(*page, text.get(), younger, older);
  ++commit_sequence_;
  return {};
}

// The page's contribution moves from the younger group to the older one, and with it that of every other
// member on its host with the same text, although that member has yet to be moved: otherwise, text in both
// groups would become boilerplate.
void Collection::teach_adopted(PageRecord& page, const Features* text, uint64_t younger,
                               uint64_t older) noexcept {
  PageData& data = page.data;
  if (text == nullptr || data.site == 0 || parameters_.detector.method_decides()) return;
  const SiteKey site = templates.key_of(text->url(), text->site());
  templates.rename(site, text->blocks(), younger, older);
  templates.learn(site, text->blocks(), older, false);
  data.model_version = templates.version(data.site);
  data.marks = (data.marks & ~uint32_t{kYoungSite}) |
               (templates.is_young(data.site, older) ? uint32_t{kYoungSite} : 0U);
}

Result<uint64_t> Collection::settle(const Settlement& settlement) {
  const uint64_t younger = settlement.younger;
  if (!parameters_.merging.enabled || !aliases.is_unfinished(younger))
    return error(Status::kCorrupt, "a step of a merge that is not there");
  pages.reserve_more(kErasures);
  texts.reserve_more(kErasures);
  const AliasData* alias = aliases.find(younger);
  if (settlement.page_id == 0 || alias == nullptr || alias->current == younger) {
    if (aliases.turn(younger, kTurnedIds)) aliases.finish(younger);
    return uint64_t{0};
  }
  const PageRef page = pages.find(settlement.page_id);
  const GroupRef group = pages.group(younger);
  const uint64_t target = settlement.group_id;
  if (!page || !group || page->data->answer.group_id != younger ||
      (target != 0 && target != alias->current && target != alias->remainder))
    return missing();
  const bool witnessed = alias->witnessed != 0;
  const bool named = pages.names_part(*group, settlement.page_id);
  if (target == 0 || target != alias->current || named) return turn_out(*page, settlement);
  const Result<void> adopted =
      adopt(settlement.page_id, younger, target, settlement.answer, settlement.loose);
  if (!adopted) return adopted.failure();
  if (witnessed) pages.change(settlement.page_id)->data.marks |= kWitnessed;
  return settlement.page_id;
}

// A member that does not verify leaves, like a page that moves to another group; so does a member whose id
// names a part of the member list.
Result<uint64_t> Collection::turn_out(const PageRecord::View& page, const Settlement& settlement) {
  const SharedFeatures text = text_of(*page.data);
  if (text == nullptr) return missing();
  Outcome outcome;
  outcome.previous = previous_of(settlement.page_id, *text, true);
  outcome.previous.template_changed = true;
  outcome.previous.alone = false;  // the id of the group that it leaves is an alias
  outcome.previous.contribution = settlement.younger;
  outcome.answer = settlement.answer;
  outcome.answer.flags |= kRecrawl | kRegrouped;
  outcome.joined = settlement.group_id;
  outcome.loose = settlement.loose;
  outcome.model_version = page.data->model_version;
  const AliasData alias = *aliases.find(settlement.younger);
  if (settlement.undecided && alias.current != settlement.group_id)
    outcome.suspected_copies.push_back(alias.current);
  aliases.set_remainder(settlement.younger, alias.remainder);  // in memory: it cannot fail afterwards
  const Result<RecordedAnswer> moved = commit(*text, outcome);
  if (!moved) return moved.failure();
  if (settlement.group_id == 0 && alias.remainder == 0)
    aliases.set_remainder(settlement.younger, moved->group_id);
  return moved->page_id;
}

// [9] Drops ids that lead to a group that no longer exists, among those whose age is checked.
void Collection::drop_aliases() noexcept {
  for (uint64_t id = aged_.begin + 1; id <= aged_.end; ++id) {
    if (aliases.find(id) == nullptr || aliases.is_busy(id)) continue;
    if (!pages.group(aliases.resolve(id))) aliases.erase(id);
  }
}

}  // namespace nd::engine
