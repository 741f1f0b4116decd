// The fingerprint index: from a candidate key to the groups whose representative, or one of whose members,
// has it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "core/flat_map.hpp"
#include "core/memory.hpp"
#include "engine/group_slot.hpp"
#include "engine/parameters.hpp"

namespace nd::engine {

// Threads: any number of readers, or one writer.
class KeyIndex {
 public:
  KeyIndex(uint64_t secret, const IndexParameters& parameters) noexcept
      : parameters_(parameters), entries_(secret) {}

  // The groups of a key; empty if unknown or hot. Valid until the next change. `single` gives a lone group
  // its home.
  std::span<const GroupSlot> find(uint64_t key, GroupSlot& single) const noexcept;

  // Adds the group to the key unless it is there or the key is hot. True if added. `site_of` is asked when
  // the key nears the limits: a key that occurs in very many groups, or in many groups of few sites, is a
  // template or spam (TR2007012 section 4.2) and is deleted for good. The report counts pages; groups are
  // counted here, so that copies of one article never make its own fingerprints hot. Throws std::bad_alloc
  // and has changed nothing.
  bool add(uint64_t key, GroupSlot group, const std::function<uint64_t(GroupSlot)>& site_of);
  void remove(uint64_t key, GroupSlot group) noexcept;

  // Whether parameters.bytes leaves room for the keys that the group has not yet, once it has lost `going`
  // (of its keys, none among `keys`). What counts is the content, not the tables, which double and do not
  // shrink: what was removed makes room again. Cost: O(keys) look-ups, each with a search of a list.
  bool has_room(GroupSlot group, std::span<const uint64_t> keys,
                std::span<const uint64_t> going) const noexcept;
  // False for hot keys.
  bool has(uint64_t key, GroupSlot group) const noexcept;

  // Room for `count` additions, so that adding a page's keys fails before the first of them or not at all.
  void reserve_more(size_t count);

  uint64_t key_count() const noexcept { return entries_.size() - hot_count_; }
  uint64_t hot_count() const noexcept { return hot_count_; }
  uint64_t memory_bytes() const noexcept { return entries_.memory_bytes() + list_bytes_; }
  // What of it is in use: the least it could be.
  uint64_t content_bytes() const noexcept {
    return entries_.size() * kEntryBytes + (lists_.size() - free_lists_.size()) * kListBytes +
           listed_count_ * sizeof(GroupSlot);
  }

 private:
  enum class Kind : uint32_t { kSingle, kList, kHot };
  struct Entry {
    uint32_t value;  // a group slot, or the number of a list
    Kind kind;
  };
  static constexpr uint64_t kEntryBytes = FlatMap<Entry>::kSlotBytes;
  static constexpr uint64_t kListBytes = sizeof(Vector<GroupSlot>);
  uint64_t added_bytes(uint64_t key, GroupSlot group) const noexcept;
  uint64_t removed_bytes(uint64_t key, GroupSlot group) const noexcept;
  bool is_hot(std::span<const GroupSlot> groups, const std::function<uint64_t(GroupSlot)>& site_of) const;
  uint32_t new_list();
  void free_list(uint32_t list) noexcept;

  IndexParameters parameters_;
  FlatMap<Entry> entries_;
  Vector<Vector<GroupSlot>> lists_;  // ascending by time of addition
  Vector<uint32_t> free_lists_;
  uint64_t hot_count_ = 0;
  uint64_t list_bytes_ = 0;
  uint64_t listed_count_ = 0;  // groups in lists
};

}  // namespace nd::engine
