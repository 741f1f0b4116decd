// The key index: from a candidate key, a fingerprint or a shingle key, to the groups whose representative, or
// one of whose members, has it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "store/posting_table.hpp"

namespace nd::engine {

struct IndexParameters {
  uint32_t hot_groups = 10000;     // a key in more groups is deleted (TR2007012 section 4.2)
  uint32_t hot_site_groups = 400;  // a key in more groups than this ...
  uint32_t hot_sites = 8;          // ... of at most so many sites too
  uint32_t candidates = 16;        // groups ranked for a page
  uint32_t postings = 1024;        // groups looked at while ranking
  uint64_t bytes = 0;              // of the key index's content; beyond it no key is added. 0: no bound
  bool all_of_one_key = false;     // groups that share a single key of many are all ranked
  bool first_similar = false;      // in a partition of a whole collection; see lcs/partition.hpp
};

// Groups are named by their ids, 1..2^56 - 1. Those of a damaged store may be any number.
// Threads: any number of readers, or one writer; add_concurrently() and release_replaced() while others read.
class KeyIndex {
 public:
  using Groups = store::PostingTable::List;

  KeyIndex(uint64_t secret, const IndexParameters& parameters) noexcept
      : parameters_(parameters), table_(secret) {}

  // See PostingTable.
  void prefetch(std::span<const uint64_t> keys) const noexcept {
    for (const uint64_t key : keys)
      table_.prefetch(key);
  }
  void prefetch_for_change(std::span<const uint64_t> keys) const noexcept {
    for (const uint64_t key : keys)
      table_.prefetch_for_change(key);
  }

  // The groups of a key by the time of their addition; empty if it is unknown or hot. Valid until the next
  // change.
  Groups find(uint64_t key) const noexcept { return table_.find(key); }

  // Adds the group to the key unless it is there or the key is hot. True if added. `site_of` is called when
  // the key nears the limits: a key that occurs in very many groups, or in many groups of few sites, is a
  // template or spam (TR2007012 section 4.2) and is deleted for good. The report counts pages; this index
  // counts groups, so that copies of an article never make its fingerprints hot. Throws std::bad_alloc and
  // has changed nothing. `is_new`: the group is known not to have the key, except through the addition just
  // before; the list then need not be searched.
  bool add(uint64_t key, uint64_t group_id, const std::function<uint64_t(uint64_t)>& site_of,
           bool is_new = false);
  // add() while others read. Returns nothing, and has changed nothing, if it would disturb readers (as for a
  // key near the limits) or lacks memory.
  std::optional<bool> add_concurrently(uint64_t key, uint64_t group_id, bool is_new = false) noexcept;
  // See PostingTable.
  void release_replaced() noexcept { table_.release_replaced(); }
  // Does not allocate after prepare_removal() of the key.
  void remove(uint64_t key, uint64_t group_id) noexcept {
    ++probe_count_;
    table_.remove(key, group_id);
  }
  // Throws std::bad_alloc; the content is then the same as before.
  void prepare_removal(std::span<const uint64_t> keys);

  // The keys that a group may have, ascending: only their lists are searched for it. Without these, all lists
  // are.
  using Held = std::optional<std::span<const uint64_t>>;
  static bool may_have(const Held& held, uint64_t key) noexcept {
    return !held || std::binary_search(held->begin(), held->end(), key);
  }

  // Whether parameters.bytes leaves room for the keys that the group does not yet have, once it has lost
  // `going` (some of its keys, none among `keys`). The content counts, in whichever layer it is: removing
  // entries makes room again. Cost: O(keys) look-ups, each with a search of a list for the keys that the
  // group may have.
  bool has_room(uint64_t group_id, std::span<const uint64_t> keys, std::span<const uint64_t> going,
                const Held& held = std::nullopt) noexcept;
  // False for hot keys.
  bool has(uint64_t key, uint64_t group_id) noexcept;

  // Makes room for the entries of `count` keys, so that adding a page's keys mostly fails before the first of
  // them or not at all. Throws std::bad_alloc.
  void reserve_more(size_t count) { table_.reserve_more(count); }

  uint64_t key_count() const noexcept { return table_.size() - hot_count(); }
  uint64_t hot_count() const noexcept { return table_.marked_count(); }
  uint64_t memory_bytes() const noexcept { return table_.memory_bytes(); }
  // The least that the content of all layers could take. The same for every secret and every layering.
  uint64_t content_bytes() const noexcept {
    return table_.size() * kEntryBytes + table_.number_count() * kGroupBytes;
  }

  // Keys looked up, table slots examined, and groups examined, moved or copied for them, by all calls except
  // find(), since the index was created.
  uint64_t probe_count() const noexcept { return probe_count_ + table_.probe_count(); }

  // What a snapshot must store besides the table, and how many keys the table has.
  struct State {
    uint64_t hot_count = 0;
    uint64_t group_count = 0;  // in the lists of all keys
  };
  State state() const noexcept { return {table_.marked_count(), table_.number_count()}; }
  void restore(const State& state) noexcept { table_.restore_counts(state.hot_count, state.group_count); }
  store::LayeredTable& table() noexcept { return table_; }

 private:
  static constexpr uint64_t kEntryBytes = 16;
  static constexpr uint64_t kGroupBytes = sizeof(uint64_t);
  bool contains(const Groups& groups, uint64_t group_id, bool is_new) noexcept;
  uint64_t added_bytes(uint64_t key, uint64_t group_id, bool is_new) noexcept;
  uint64_t removed_bytes(uint64_t key, uint64_t group_id) noexcept;
  bool may_be_hot(size_t group_count) const noexcept;
  bool is_hot(const Groups& groups, const std::function<uint64_t(uint64_t)>& site_of);

  IndexParameters parameters_;
  store::PostingTable table_;
  uint64_t probe_count_ = 0;
};

}  // namespace nd::engine
