#include "engine/key_index.hpp"

#include <algorithm>
#include <utility>

namespace nd::engine {

std::span<const GroupSlot> KeyIndex::find(uint64_t key, GroupSlot& single) const noexcept {
  const Entry* entry = entries_.find(key);
  if (entry == nullptr || entry->kind == Kind::kHot) return {};
  if (entry->kind == Kind::kList) return lists_[entry->value];
  single = entry->value;
  return {&single, 1};
}

bool KeyIndex::is_hot(std::span<const GroupSlot> groups,
                      const std::function<uint64_t(GroupSlot)>& site_of) const {
  if (groups.size() > parameters_.hot_groups) return true;
  // Counting sites at every addition would be quadratic: look when the limit is passed and at each multiple
  // of it.
  const size_t limit = parameters_.hot_site_groups;
  if (groups.size() <= limit || (groups.size() - 1) % limit != 0) return false;
  Vector<uint64_t> sites;
  for (GroupSlot group : groups) {
    const uint64_t site = site_of(group);
    if (std::find(sites.begin(), sites.end(), site) != sites.end()) continue;
    if (sites.size() == parameters_.hot_sites) return false;
    sites.push_back(site);
  }
  return true;
}

bool KeyIndex::add(uint64_t key, GroupSlot group, const std::function<uint64_t(GroupSlot)>& site_of) {
  Entry* entry = entries_.find(key);
  if (entry == nullptr) {
    entries_[key] = {group, Kind::kSingle};
    return true;
  }
  if (entry->kind == Kind::kHot) return false;
  if (entry->kind == Kind::kSingle) {
    if (entry->value == group) return false;
    const uint32_t list = new_list();
    lists_[list].push_back(entry->value);
    ++listed_count_;
    *entry = {list, Kind::kList};
  }
  Vector<GroupSlot>& groups = lists_[entry->value];
  // Lists are searched from the end: what was added last is asked for most.
  if (std::find(groups.rbegin(), groups.rend(), group) != groups.rend()) return false;
  const size_t capacity_before = groups.capacity();
  groups.push_back(group);
  ++listed_count_;
  list_bytes_ += (groups.capacity() - capacity_before) * sizeof(GroupSlot);
  try {
    if (!is_hot(groups, site_of)) return true;
  } catch (...) {
    remove(key, group);
    throw;
  }
  free_list(entry->value);
  *entry = {0, Kind::kHot};
  ++hot_count_;
  return false;
}

void KeyIndex::remove(uint64_t key, GroupSlot group) noexcept {
  Entry* entry = entries_.find(key);
  if (entry == nullptr || entry->kind == Kind::kHot) return;
  if (entry->kind == Kind::kSingle) {
    if (entry->value == group) entries_.erase(key);
    return;
  }
  Vector<GroupSlot>& groups = lists_[entry->value];
  const auto found = std::find(groups.begin(), groups.end(), group);
  if (found == groups.end()) return;
  groups.erase(found);
  --listed_count_;
  if (groups.size() == 1) {
    const GroupSlot last = groups.front();
    free_list(entry->value);
    *entry = {last, Kind::kSingle};
  }
}

bool KeyIndex::has(uint64_t key, GroupSlot group) const noexcept {
  GroupSlot single = 0;
  const std::span<const GroupSlot> groups = find(key, single);
  return std::find(groups.rbegin(), groups.rend(), group) != groups.rend();
}

bool KeyIndex::has_room(GroupSlot group, std::span<const uint64_t> keys,
                        std::span<const uint64_t> going) const noexcept {
  if (parameters_.bytes == 0) return true;
  uint64_t added = 0;
  for (uint64_t key : keys)
    added += added_bytes(key, group);
  if (added == 0) return true;
  uint64_t removed = 0;
  for (uint64_t key : going)
    removed += removed_bytes(key, group);
  return content_bytes() + added <= parameters_.bytes + removed;
}

// What content_bytes() grows by with the group.
uint64_t KeyIndex::added_bytes(uint64_t key, GroupSlot group) const noexcept {
  const Entry* entry = entries_.find(key);
  if (entry == nullptr) return kEntryBytes;
  if (entry->kind == Kind::kHot || has(key, group)) return 0;
  return entry->kind == Kind::kSingle ? kListBytes + 2 * sizeof(GroupSlot) : sizeof(GroupSlot);
}

// What content_bytes() shrinks by without it.
uint64_t KeyIndex::removed_bytes(uint64_t key, GroupSlot group) const noexcept {
  if (!has(key, group)) return 0;
  const Entry& entry = *entries_.find(key);
  if (entry.kind == Kind::kSingle) return kEntryBytes;
  return lists_[entry.value].size() == 2 ? kListBytes + 2 * sizeof(GroupSlot) : sizeof(GroupSlot);
}

void KeyIndex::reserve_more(size_t count) {
  entries_.reserve_more(count);
}

uint32_t KeyIndex::new_list() {
  if (!free_lists_.empty()) {
    const uint32_t list = free_lists_.back();
    lists_[list].reserve(2);
    free_lists_.pop_back();
    list_bytes_ += lists_[list].capacity() * sizeof(GroupSlot);
    return list;
  }
  if (free_lists_.capacity() <= lists_.size())
    free_lists_.reserve(2 * lists_.size() + 16);  // free_list() must not fail
  Vector<GroupSlot> groups;
  groups.reserve(2);
  lists_.push_back(std::move(groups));
  list_bytes_ += sizeof(Vector<GroupSlot>) + lists_.back().capacity() * sizeof(GroupSlot);
  return static_cast<uint32_t>(lists_.size() - 1);
}

void KeyIndex::free_list(uint32_t list) noexcept {
  list_bytes_ -= lists_[list].capacity() * sizeof(GroupSlot);
  listed_count_ -= lists_[list].size();
  Vector<GroupSlot>().swap(lists_[list]);
  free_lists_.push_back(list);
}

}  // namespace nd::engine
