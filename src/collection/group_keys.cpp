// Adds and removes the keys of groups so that a failure leaves none behind.
#include "collection/group_keys.hpp"

#include <algorithm>
#include <iterator>

namespace nd::engine {

Vector<uint64_t> distinct(Vector<uint64_t> keys) {
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

// A page has up to 1,280 keys, too many to look up one by one.
Vector<uint64_t> keys_without(std::span<const uint64_t> held, std::span<const uint64_t> keys) {
  const Vector<uint64_t> ascending = distinct({keys.begin(), keys.end()});
  Vector<uint64_t> out;
  out.reserve(held.size());
  std::ranges::set_difference(held, ascending, std::back_inserter(out));
  return out;
}

uint64_t GroupKeys::site_of(uint64_t group_id) const noexcept {
  const GroupRef group = pages_.group(group_id);
  return group ? group->data->site : 0;
}

bool GroupKeys::has_room(uint64_t group_id, std::span<const uint64_t> keys, std::span<const uint64_t> going,
                         const KeyIndex::Held& held) {
  if (index_.has_room(group_id, keys, going, held)) return true;
  counters_.limit_index.fetch_add(1, std::memory_order_relaxed);
  return false;
}

bool GroupKeys::add(uint64_t group_id, std::span<const uint64_t> keys, std::span<const uint64_t> going,
                    const KeyIndex::Held& held) {
  if (!has_room(group_id, keys, going, held)) return false;
  add_in_room(group_id, keys, held);
  return true;
}

void GroupKeys::add_in_room(uint64_t group_id, std::span<const uint64_t> keys, const KeyIndex::Held& held) {
  const auto site = [this](uint64_t other) { return site_of(other); };
  index_.reserve_more(keys.size());
  Vector<uint64_t> added;
  added.reserve(keys.size());
  try {
    for (uint64_t key : keys) {
      if (index_.add(key, group_id, site, !KeyIndex::may_have(held, key))) added.push_back(key);
    }
  } catch (...) {
    remove(group_id, added);
    throw;
  }
}

void GroupKeys::add_of_member(uint64_t group_id, GroupRecord& group, std::span<const uint64_t> posted,
                              std::span<const uint64_t> more) {
  const auto site = [this](uint64_t other) { return site_of(other); };
  const size_t known_count = group.member_keys.size();
  try {
    group.member_keys.insert(group.member_keys.end(), posted.begin(), posted.end());
    for (uint64_t key : more) {
      if (group.member_keys.size() == kMemberKeysLimit) break;
      if (index_.add(key, group_id, site)) group.member_keys.push_back(key);
    }
  } catch (...) {
    for (; group.member_keys.size() > known_count; group.member_keys.pop_back())
      index_.remove(group.member_keys.back(), group_id);
    throw;
  }
}

Vector<uint64_t> GroupKeys::beyond(uint64_t group_id, GroupRecord& group, std::span<const uint64_t> held,
                                   std::span<const uint64_t> keys) {
  Vector<uint64_t> beyond = keys_without(held, keys);
  // Keys that the index lacks for the group need not be remembered, so the list cannot grow without bound.
  std::erase_if(beyond, [&](uint64_t key) { return !index_.has(key, group_id); });
  const uint64_t bytes_before = group.memory_bytes();
  group.member_keys.reserve(beyond.size());
  pages_.changed_group(bytes_before, group);
  return beyond;
}

Vector<uint64_t> GroupKeys::of(const GroupRecord& group) const {
  Vector<uint64_t> keys(group.member_keys.begin(), group.member_keys.end());
  if (group.data.text == 0) return keys;
  if (const SharedFeatures representative = texts_.find(group.data.text)) {
    const std::span<const uint64_t> own = representative->keys();
    keys.insert(keys.end(), own.begin(), own.end());
  }
  return keys;
}

void GroupKeys::remove(uint64_t group_id, std::span<const uint64_t> keys) noexcept {
  for (uint64_t key : keys)
    index_.remove(key, group_id);
}

}  // namespace nd::engine
