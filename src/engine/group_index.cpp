// [9] By what a group is found: its keys, and the digests of its members' texts. Everything here runs under
// the writer's lock.
#include <algorithm>

#include "engine/decision.hpp"
#include "engine/engine.hpp"

namespace nd::engine {
namespace {

// Keys that members add to their group: variants drift away from the representative, and the next variant may
// share keys only with them (the one-way transitivity of TR2007012 section 4.2). It widens candidates, never
// groups.
constexpr size_t kMemberKeysLimit = 64;

}  // namespace

// A member's keys are its group's too. False if there was no room for them.
bool Engine::join(GroupSlot slot, const Features& page, uint64_t page_id) {
  GroupRecord& group = table_.group(slot);
  reserve_member_keys(group, std::min(kMemberKeysLimit, group.member_keys.size() + page.keys().size()));
  remember_exact(page, page_id);
  if (group.member_keys.size() >= kMemberKeysLimit) return true;
  if (!has_room(slot, page.keys(), {})) return false;
  const auto site_of = [this](GroupSlot other) { return table_.group(other).site; };
  const size_t known_count = group.member_keys.size();
  try {
    for (uint64_t key : page.keys()) {
      if (group.member_keys.size() == kMemberKeysLimit) break;
      if (index_.add(key, slot, site_of)) group.member_keys.push_back(key);
    }
  } catch (...) {
    for (; group.member_keys.size() > known_count; group.member_keys.pop_back())
      index_.remove(group.member_keys.back(), slot);
    throw;
  }
  return true;
}

// A new group. `keyed` is false if only the spot signatures and the text find it: it may be missed.
GroupSlot Engine::found(const std::shared_ptr<const Features>& features, uint64_t page_id, bool indexed,
                        bool& keyed) {
  const bool candidate = indexed && features->has_text();
  GroupRecord group;
  group.id = group.representative_page_id = page_id;
  group.site = stable_hash(features->site());
  group.members.push_back(page_id);
  if (candidate) group.representative = features;
  const GroupSlot slot = table_.insert_group(std::move(group));
  if (!candidate) return slot;
  try {
    keyed = add_keys(slot, features->keys(), {});
    remember_exact(*features, page_id);
  } catch (...) {
    remove_keys(slot);
    table_.erase_group(slot);
    throw;
  }
  spots_.put(slot, *features);
  return slot;
}

// Counts where there is none.
bool Engine::has_room(GroupSlot slot, std::span<const uint64_t> keys, std::span<const uint64_t> going) {
  if (index_.has_room(slot, keys, going)) return true;
  counters_.limit_index.fetch_add(1, std::memory_order_relaxed);
  return false;
}

// All of the keys or, where there is no room for them even once `going` have gone, none and false. The caller
// removes `going`: afterwards, since adding may throw and has then changed nothing.
bool Engine::add_keys(GroupSlot slot, std::span<const uint64_t> keys, std::span<const uint64_t> going) {
  if (!has_room(slot, keys, going)) return false;
  const auto site_of = [this](GroupSlot other) { return table_.group(other).site; };
  index_.reserve_more(keys.size());
  Vector<uint64_t> added;
  added.reserve(keys.size());
  try {
    for (uint64_t key : keys) {
      if (index_.add(key, slot, site_of)) added.push_back(key);
    }
  } catch (...) {
    for (uint64_t key : added)
      index_.remove(key, slot);
    throw;
  }
  return true;
}

// The group's keys that are not among `keys`; there is room to keep them all as its members' keys.
Vector<uint64_t> Engine::keys_beyond(GroupSlot slot, std::span<const uint64_t> keys) {
  GroupRecord& group = table_.group(slot);
  Vector<uint64_t> beyond(group.member_keys.begin(), group.member_keys.end());
  if (group.representative != nullptr) {
    const std::span<const uint64_t> own = group.representative->keys();
    beyond.insert(beyond.end(), own.begin(), own.end());
  }
  // What the index does not have of the group need not be remembered, so what is kept cannot pile up.
  std::erase_if(beyond, [&](uint64_t key) {
    return std::ranges::find(keys, key) != keys.end() || !index_.has(key, slot);
  });
  std::ranges::sort(beyond);
  const auto repeated = std::ranges::unique(beyond);
  beyond.erase(repeated.begin(), repeated.end());
  reserve_member_keys(group, beyond.size());
  return beyond;
}

// The group's representative is another text now. `going`: keys_beyond() of it.
void Engine::drop_keys(GroupSlot slot, std::span<const uint64_t> going) noexcept {
  table_.group(slot).member_keys.clear();
  for (uint64_t key : going)
    index_.remove(key, slot);
}

// The same, but the group is to be found by its old keys still.
void Engine::keep_keys(GroupSlot slot, std::span<const uint64_t> going) noexcept {
  table_.group(slot).member_keys.assign(going.begin(), going.end());
}

void Engine::reserve_member_keys(GroupRecord& group, size_t count) {
  const uint64_t bytes_before = group.member_keys.capacity() * sizeof(uint64_t);
  group.member_keys.reserve(count);
  member_key_bytes_ += group.member_keys.capacity() * sizeof(uint64_t) - bytes_before;
}

void Engine::remove_keys(GroupSlot slot) {
  spots_.remove(slot);
  const GroupRecord& group = table_.group(slot);
  if (group.representative != nullptr) {
    for (uint64_t key : group.representative->keys())
      index_.remove(key, slot);
  }
  for (uint64_t key : group.member_keys)
    index_.remove(key, slot);
}

void Engine::remember_exact(const Features& page, uint64_t page_id) {
  if (page.header().width < parameters_.decision.exact_width || page.is_cut()) return;
  uint64_t& first = exact_[page.digest().low];
  // A call that failed may have left an id behind which another page has now.
  const PageRecord* known = first == 0 ? nullptr : table_.find(first);
  if (known == nullptr || known->digest != page.digest()) first = page_id;
}

void Engine::forget_exact(const PageRecord& page) {
  uint64_t* first = exact_.find(page.digest.low);
  if (first == nullptr || *first != page.answer.page_id) return;
  const Vector<uint64_t>& members = table_.group(page.group).members;
  for (size_t i = 0; i < std::min(members.size(), kTwinSearchLimit); ++i) {
    const PageRecord* twin = table_.find(members[i]);
    if (members[i] != page.answer.page_id && twin != nullptr && twin->digest == page.digest &&
        twin->features != nullptr && !twin->features->is_cut()) {
      *first = members[i];
      return;
    }
  }
  exact_.erase(page.digest.low);
}

}  // namespace nd::engine
