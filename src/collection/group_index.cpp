// [9] Adds and removes the entries by which a group is found: its keys, and the digests of its members'
// texts.
#include <algorithm>
#include <cassert>
#include <iterator>
#include <optional>
#include <utility>

#include "collection/collection.hpp"

namespace nd::engine {

// For a new page with text that is kept, while others read. These entries lead readers nowhere before the
// page exists: an absent document or group is ignored.
void Collection::post(const Features& page, const Outcome& outcome) {
  assert(posted_.page_id == 0);
  const size_t key_count = page.keys().size();
  posted_.keys.clear();
  posted_.keys.reserve(key_count);
  posted_.left.clear();
  posted_.left.reserve(key_count);
  const uint64_t page_id = last_id_ + 1;
  const GroupRef group = outcome.joined == 0 ? GroupRef() : pages.group(outcome.joined);
  if (outcome.joined != 0 && !group) return;
  posted_.page_id = page_id;
  posted_.group_id = group ? outcome.joined : page_id;
  index.prefetch_for_change(page.keys());
  if (!group) {
    posted_.has_room = keys_.has_room(page_id, page.keys(), {}, std::span<const uint64_t>{});
    if (posted_.has_room) post_keys(page, key_count);
    spots.post(page_id, page);
    return;
  }
  const size_t known_count = group->member_keys.size();
  posted_.has_room =
      known_count >= kMemberKeysLimit || keys_.has_room(outcome.joined, page.keys(), {}, std::nullopt);
  if (posted_.has_room) post_keys(page, kMemberKeysLimit - std::min(kMemberKeysLimit, known_count));
}

// Posts at most `most` keys, in their order. A key that cannot be posted is left to the commit, and so are
// all later ones unless the group takes all of its keys.
void Collection::post_keys(const Features& page, size_t most) {
  const std::span<const uint64_t> keys = page.keys();
  const bool takes_all = posted_.group_id == posted_.page_id;
  for (size_t i = 0; i < keys.size() && posted_.keys.size() < most; ++i) {
    const std::optional<bool> added = index.add_concurrently(keys[i], posted_.group_id, takes_all);
    if (added && *added) posted_.keys.push_back(keys[i]);
    if (added) continue;
    const std::span<const uint64_t> left = takes_all ? keys.subspan(i, 1) : keys.subspan(i);
    posted_.left.insert(posted_.left.end(), left.begin(), left.end());
    if (!takes_all) return;
  }
}

void Collection::cancel_commit() noexcept {
  spots.unpost();
  if (posted_.page_id == 0) return;
  keys_.remove(posted_.group_id, posted_.keys);
  posted_.page_id = 0;
}

void Collection::release_replaced() noexcept {
  index.release_replaced();
  spots.release_replaced();
}

// Adds a member's keys to its group. False if there was no room for them.
bool Collection::add_member_keys(uint64_t group_id, GroupRecord& group, const Features& page,
                                 uint64_t page_id) {
  const bool is_here = is_posted(page_id);
  const size_t known_count = group.member_keys.size();
  const uint64_t bytes_before = group.memory_bytes();
  group.member_keys.reserve(std::min(kMemberKeysLimit, known_count + page.keys().size()));
  pages.changed_group(bytes_before, group);
  remember_exact(page, page_id);
  if (known_count >= kMemberKeysLimit) return true;
  if (!(is_here ? posted_.has_room : keys_.has_room(group_id, page.keys(), {}, std::nullopt))) return false;
  if (is_here) {
    keys_.add_of_member(group_id, group, posted_.keys, posted_.left);
  } else {
    keys_.add_of_member(group_id, group, {}, page.keys());
  }
  return true;
}

// Indexes a new group. False if only the spot signatures and the text lead to it, so that it may be missed.
bool Collection::found(const Features& features, uint64_t page_id, uint64_t text) {
  const bool candidate = text != 0 && features.has_text();
  GroupRecord group;
  group.data.representative_page_id = page_id;
  group.data.site = stable_hash(features.site());
  group.data.text = candidate ? text : 0;
  group.data.page_count = 1;
  group.first.push_back(page_id);
  pages.insert_group(page_id, std::move(group));
  if (!candidate) return true;
  bool keyed = false;
  try {
    if (is_posted(page_id)) {
      keyed = posted_.has_room;
      if (!posted_.left.empty()) keys_.add_in_room(page_id, posted_.left, std::span<const uint64_t>{});
    } else {
      keyed = keys_.add(page_id, features.keys(), {}, std::span<const uint64_t>{});
    }
    remember_exact(features, page_id);
  } catch (...) {
    keys_.remove(page_id, features.keys());
    pages.erase_group(page_id);
    throw;
  }
  represent(page_id, features);
  return keyed;
}

// Prepares what remove() of the sources needs.
void Collection::prepare_unrepresent(uint64_t group_id) {
  spots.prepare_removal(group_id);
  method.prepare_removal(group_id);
}

// Makes this text, which the group already has, its representative.
void Collection::represent(uint64_t group_id, const Features& representative) noexcept {
  const GroupRef group = pages.group(group_id);
  const spotsigs::SharedSpots* here = group ? texts.spots_here(group->data->text) : nullptr;
  if (here != nullptr && std::ranges::equal(here->spots(), representative.spots())) {
    spots.put(group_id, *here);
  } else {
    spots.put(group_id, representative);
  }
  method.put(group_id, representative);
}

void Collection::unrepresent(uint64_t group_id) noexcept {
  spots.remove(group_id);
  method.remove(group_id);
}

void Collection::remember_exact(const Features& page, uint64_t page_id) {
  if (!can_be_exact(page, parameters_.decision)) return;
  const uint64_t first = exact.find(page.digest().low);
  // A call that failed may have left behind an id that another page has now.
  const PageRef known = first == 0 ? PageRef{} : pages.find(first);
  if (!known || known->data->digest != page.digest()) exact.put(page.digest().low, page_id);
}

void Collection::forget_exact(const PageRecord& page) noexcept {
  const uint64_t digest = page.data.digest.low;
  const uint64_t page_id = page.data.answer.page_id;
  if (exact.find(digest) != page_id) return;
  uint64_t copy_id = 0;
  if (const GroupRef group = pages.group(page.data.answer.group_id)) {
    size_t looked_at = 0;
    pages.for_each_member(*group, [&](uint64_t member) {
      const PageRef exact_copy = pages.find(member);
      if (member != page_id && exact_copy && exact_copy->data->digest == page.data.digest &&
          exact_copy->data->text != 0 && !exact_copy->data->has(kCut)) {
        copy_id = member;
        return false;
      }
      return ++looked_at < kCopySearchLimit;
    });
  }
  if (copy_id != 0) {
    exact.put(digest, copy_id);  // replaces another entry, so it does not allocate
  } else {
    exact.erase(digest);
  }
}

}  // namespace nd::engine
