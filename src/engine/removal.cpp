// [9] Pages go, and groups that have lost what represented them elect anew.
#include <algorithm>
#include <utility>

#include "engine/collection.hpp"

namespace nd::engine {

Result<void> Collection::remove(uint64_t page_id) {
  pages.reserve_more(1);
  texts.reserve_more(2);
  exact.reserve_more(1);
  Result<Departure> departure = prepare_departure(page_id);
  if (!departure) return std::move(departure).failure();
  const PageData page = departure->page->data;
  SharedFeatures contribution;
  if (contribution_of(page) != 0) contribution = text_of(page);
  if (contribution != nullptr) {
    templates.unlearn(templates.key_of(contribution->url(), contribution->site()), contribution->blocks(),
                      page.answer.group_id);
  }
  depart(*departure);
  events.append(EventKind::kRemoved, page_id, page.answer.group_id, 0, page.last_fetched_at_ms);
  ++generation_;
  return {};
}

Result<void> Collection::reelect(const Election& election, int64_t at_ms) {
  const uint64_t group_id = election.group_id;
  pages.reserve_more(1);
  texts.reserve_more(1);
  GroupRecord* group = pages.change_group(group_id);
  if (group == nullptr)
    return error(Status::kCorrupt, "the store lacks a group that lost its representative");
  // What a journal of some bytes could ask for again and again, at the price of a whole text each time.
  if (group->data.representative_page_id != 0 || group->data.text == 0)
    return error(Status::kCorrupt, "a group elects that has not lost its representative");
  PageRecord* elected = election.page_id == 0 ? nullptr : pages.change(election.page_id);
  SharedFeatures features;
  if (elected != nullptr &&
      (elected->data.answer.group_id != group_id || elected->data.text == group->data.text))
    return error(Status::kCorrupt, "a group elects a page that cannot represent it");
  if (election.page_id != 0) {
    features = elected == nullptr ? nullptr : text_of(elected->data);
    if (features == nullptr) return error(Status::kCorrupt, "the store lacks the text of a page");
  }
  const std::span<const uint64_t> now = features == nullptr ? std::span<const uint64_t>{} : features->keys();
  const Vector<uint64_t> held = distinct(keys_of(*group));
  const Vector<uint64_t> going = keys_beyond(group_id, *group, held, now);
  index.prepare_removal(going);
  prepare_unrepresent(group_id);
  spots.prepare_member_removal(election.page_id);
  const uint64_t old_site = group->data.site;
  if (features != nullptr) group->data.site = stable_hash(features->site());
  try {
    // Without room for them the other source still knows the group.
    static_cast<void>(add_keys(group_id, now, going, held));
  } catch (...) {
    group->data.site = old_site;
    throw;
  }
  remove_keys(group_id, going);
  group->member_keys.clear();
  unrepresent(group_id);
  const uint64_t old_text = group->data.text;
  group->data.representative_page_id = election.page_id;
  group->data.text = features == nullptr ? 0 : elected->data.text;
  if (features != nullptr) {
    set_loose(*elected, *group, false);
    spots.remove_member(election.page_id);
    represent(group_id, *features);
  }
  release_text(old_text, 0, group_id);
  events.append(EventKind::kReelected, election.page_id, group_id, group_id, at_ms);
  ++generation_;
  return {};
}

}  // namespace nd::engine
