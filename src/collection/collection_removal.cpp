// [9] Pages leave the collection or their group; a group that has lost its representative elects another one.
#include "collection/collection.hpp"

namespace nd::engine {

// Loads everything that the departure needs into memory, so that the departure cannot fail.
Result<Collection::Departure> Collection::prepare_departure(uint64_t page_id) {
  Departure departure;
  departure.page = pages.change(page_id);
  if (departure.page == nullptr) return missing_record();
  const uint64_t group_id = departure.page->data.answer.group_id;
  departure.group = pages.change_group(group_id);
  if (departure.group == nullptr || !pages.prepare_removal(*departure.group, page_id))
    return missing_record();
  if (departure.group->data.page_count == 1) {
    departure.keys = keys_.of(*departure.group);
    index.prepare_removal(departure.keys);
    prepare_unrepresent(group_id);
  }
  return departure;
}

void Collection::depart(const Departure& departure) noexcept {
  PageRecord& page = *departure.page;
  GroupRecord& group = *departure.group;
  const uint64_t page_id = page.data.answer.page_id;
  const uint64_t group_id = page.data.answer.group_id;
  const uint64_t text = page.data.text;
  const uint64_t group_text = group.data.text;
  forget_exact(page);
  pages.remove_member(group, page_id);
  const bool is_last = group.data.page_count == 0;
  if (is_last) {
    unrepresent(group_id);
    keys_.remove(group_id, departure.keys);
    pages.erase_group(group_id);
  } else if (group.data.representative_page_id == page_id) {
    group.data.representative_page_id = 0;  // its text stays
  }
  pages.erase(page_id);
  release_text(text, page_id, group_id);
  if (is_last && group_text != text) release_text(group_text, page_id, group_id);
}

Result<void> Collection::remove(uint64_t page_id) {
  pages.reserve_more(1);
  texts.reserve_more(2);
  exact.reserve_more(1);
  Result<Departure> departure = prepare_departure(page_id);
  if (!departure) return std::move(departure).failure();
  const PageData page = departure->page->data;
  if (page.has(kCounted)) {
    if (const SharedFeatures counted = text_of(page)) knowledge.forget(page.site, *counted);
  }
  depart(*departure);
  events.append(EventKind::kRemoved, page_id, page.answer.group_id, 0, page.last_fetched_at_ms);
  ++commit_sequence_;
  return {};
}

Result<void> Collection::reelect(const Election& election, int64_t at_ms) {
  const uint64_t group_id = election.group_id;
  pages.reserve_more(1);
  texts.reserve_more(1);
  GroupRecord* group = pages.change_group(group_id);
  if (group == nullptr)
    return error(Status::kCorrupt, "the store lacks a group that lost its representative");
  // Otherwise a small journal could ask for this again and again, at the cost of a whole text each time.
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
  const Vector<uint64_t> held = distinct(keys_.of(*group));
  const Vector<uint64_t> going = keys_.beyond(group_id, *group, held, now);
  index.prepare_removal(going);
  prepare_unrepresent(group_id);
  const uint64_t old_site = group->data.site;
  if (features != nullptr) group->data.site = stable_hash(features->site());
  try {
    // If there is no room for them, the other source still knows the group.
    static_cast<void>(keys_.add(group_id, now, going, held));
  } catch (...) {
    group->data.site = old_site;
    throw;
  }
  keys_.remove(group_id, going);
  group->member_keys.clear();
  unrepresent(group_id);
  const uint64_t old_text = group->data.text;
  group->data.representative_page_id = election.page_id;
  group->data.text = features == nullptr ? 0 : elected->data.text;
  if (features != nullptr) represent(group_id, *features);
  release_text(old_text, 0, group_id);
  events.append(EventKind::kReelected, election.page_id, group_id, group_id, at_ms);
  ++commit_sequence_;
  return {};
}

}  // namespace nd::engine
