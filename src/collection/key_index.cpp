// Adds and removes groups of a key, and marks a key as hot when too many sites share it to tell anything.
#include "collection/key_index.hpp"

#include <algorithm>

namespace nd::engine {

bool KeyIndex::contains(const Groups& groups, uint64_t group_id, bool is_new) noexcept {
  probe_count_ += groups.probes() + 1;
  if (groups.empty()) return false;
  if (is_new) return groups.numbers().back() == group_id;  // a page that has a key twice adds it twice
  const store::NumberPlace found = groups.find(group_id);
  probe_count_ += found.passed;
  return found.place != groups.size();
}

// Counting sites at every addition would be quadratic, so they are counted when the limit is passed and at
// each multiple of it.
bool KeyIndex::may_be_hot(size_t group_count) const noexcept {
  const size_t limit = parameters_.hot_site_groups;
  return group_count > parameters_.hot_groups || (group_count > limit && (group_count - 1) % limit == 0);
}

bool KeyIndex::is_hot(const Groups& groups, const std::function<uint64_t(uint64_t)>& site_of) {
  if (groups.size() > parameters_.hot_groups) return true;
  Vector<uint64_t> sites;
  for (const uint64_t group_id : groups) {
    const uint64_t site = site_of(group_id);
    probe_count_ += sites.size() + 1;
    if (std::find(sites.begin(), sites.end(), site) != sites.end()) continue;
    if (sites.size() == parameters_.hot_sites) return false;
    sites.push_back(site);
  }
  return true;
}

bool KeyIndex::add(uint64_t key, uint64_t group_id, const std::function<uint64_t(uint64_t)>& site_of,
                   bool is_new) {
  const Groups before = table_.find(key);
  if (contains(before, group_id, is_new) || before.marked()) return false;
  if (!may_be_hot(table_.add(key, group_id))) return true;
  try {
    if (!is_hot(find(key), site_of)) return true;
  } catch (...) {
    table_.remove(key, group_id);
    throw;
  }
  table_.mark(key);
  return false;
}

std::optional<bool> KeyIndex::add_concurrently(uint64_t key, uint64_t group_id, bool is_new) noexcept {
  const store::PostingTable::Found before = table_.find_to_add(key);
  if (contains(before.list, group_id, is_new) || before.list.marked()) return false;
  if (may_be_hot(before.list.size() + 1)) return std::nullopt;
  const std::optional<size_t> added = table_.add_concurrently(key, group_id, before);
  return added ? std::optional(*added != 0) : std::nullopt;
}

void KeyIndex::prepare_removal(std::span<const uint64_t> keys) {
  probe_count_ += keys.size();
  for (const uint64_t key : keys)
    table_.prepare_change(key);
}

bool KeyIndex::has(uint64_t key, uint64_t group_id) noexcept {
  return contains(find(key), group_id, false);
}

bool KeyIndex::has_room(uint64_t group_id, std::span<const uint64_t> keys, std::span<const uint64_t> going,
                        const Held& held) noexcept {
  if (parameters_.bytes == 0) return true;
  uint64_t added = 0;
  for (const uint64_t key : keys)
    added += added_bytes(key, group_id, !may_have(held, key));
  if (added == 0) return true;
  uint64_t removed = 0;
  for (const uint64_t key : going)
    removed += removed_bytes(key, group_id);
  return content_bytes() + added <= parameters_.bytes + removed;
}

// The amount by which adding the group increases content_bytes().
uint64_t KeyIndex::added_bytes(uint64_t key, uint64_t group_id, bool is_new) noexcept {
  const Groups groups = find(key);
  if (contains(groups, group_id, is_new) || groups.marked()) return 0;
  return groups.empty() ? kEntryBytes + kGroupBytes : kGroupBytes;
}

// The amount by which removing it decreases content_bytes().
uint64_t KeyIndex::removed_bytes(uint64_t key, uint64_t group_id) noexcept {
  const Groups groups = find(key);
  if (!contains(groups, group_id, false)) return 0;
  return groups.size() == 1 ? kEntryBytes + kGroupBytes : kGroupBytes;
}

}  // namespace nd::engine
