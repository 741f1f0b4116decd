// The keys by which a group is found, in the index and in the group's record: those of its representative,
// and a few of its members.
#pragma once

#include <cstdint>
#include <span>

#include "collection/counters.hpp"
#include "collection/features_table.hpp"
#include "collection/key_index.hpp"
#include "collection/page_table.hpp"
#include "core/memory.hpp"

namespace nd::engine {

// Keys that members add to their group: variants drift away from the representative, and the next variant may
// share keys only with them (the one-way transitivity of TR2007012 section 4.2). It widens candidates, never
// groups.
inline constexpr size_t kMemberKeysLimit = 64;

// Ascending, each once.
Vector<uint64_t> distinct(Vector<uint64_t> keys);
// `held`, which is distinct, without `keys`.
Vector<uint64_t> keys_without(std::span<const uint64_t> held, std::span<const uint64_t> keys);

// Threads: as a KeyIndex. All that it refers to outlives it.
class GroupKeys {
 public:
  GroupKeys(KeyIndex& index, PageTable& pages, const FeaturesTable& texts, Counters& counters) noexcept
      : index_(index), pages_(pages), texts_(texts), counters_(counters) {}

  // `held`: what the index may have of the group; `going`: keys that are removed afterwards. Counts it if
  // there is no room.
  bool has_room(uint64_t group_id, std::span<const uint64_t> keys, std::span<const uint64_t> going,
                const KeyIndex::Held& held);
  // Adds all of the keys; if there is no room for them, even without `going`, adds none and returns false.
  // The caller removes `going` afterwards, since adding may throw and must then have changed nothing.
  bool add(uint64_t group_id, std::span<const uint64_t> keys, std::span<const uint64_t> going,
           const KeyIndex::Held& held);
  // Adds all, or throws and adds none.
  void add_in_room(uint64_t group_id, std::span<const uint64_t> keys, const KeyIndex::Held& held);
  // Adds to its members' keys `posted`, which the index has, and then as many of `more` as there may be. If
  // it throws, none of them is left, neither there nor in the index.
  void add_of_member(uint64_t group_id, GroupRecord& group, std::span<const uint64_t> posted,
                     std::span<const uint64_t> more);
  void remove(uint64_t group_id, std::span<const uint64_t> keys) noexcept;

  // The keys of its representative and of its members.
  Vector<uint64_t> of(const GroupRecord& group) const;
  // The group's keys `held`, its representative's own among them, that are not among `keys`; there is room to
  // keep them all as its members' keys.
  Vector<uint64_t> beyond(uint64_t group_id, GroupRecord& group, std::span<const uint64_t> held,
                          std::span<const uint64_t> keys);

 private:
  uint64_t site_of(uint64_t group_id) const noexcept;

  KeyIndex& index_;
  PageTable& pages_;
  const FeaturesTable& texts_;
  Counters& counters_;
};

}  // namespace nd::engine
