// Maps each distinct hash to the documents that have it. Adding and removing a document is O(1), however many
// documents share its hash.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <span>
#include <utility>

#include "core/hash.hpp"
#include "core/hash_map.hpp"
#include "core/memory.hpp"

namespace nd::moz {

inline constexpr uint32_t kNoNumber = UINT32_MAX;

// Makes room for one more element, growing as push_back() does.
template <typename T>
void make_room(Vector<T>& vector) {
  if (vector.size() == vector.capacity()) vector.reserve(std::max<size_t>(8, vector.size() * 2));
}

// `Hash`: uint64_t or Hash128. A hash keeps its number as long as a document has it; numbers of hashes that
// are gone are reused, so there are never more numbers than there were hashes at one time. Threads: as a
// standard container.
template <typename Hash>
class HashOwners {
 public:
  static constexpr uint64_t kGreatestCount = kNoNumber - 1;  // of documents

  struct Owner {
    uint64_t id;
    uint64_t sequence;  // 1, 2, ... by insertion
  };

  // `secret`: see core/hash.hpp.
  explicit HashOwners(uint64_t secret) noexcept : secret_(secret), by_id_(mix(secret ^ 1)) {}

  uint64_t documents() const noexcept { return by_id_.size(); }
  uint64_t hashes() const noexcept { return size_; }
  bool contains(uint64_t id) const noexcept { return by_id_.find(id) != 0; }

  // By number; any value for a number that is not in use.
  std::span<const Hash> by_number() const noexcept { return hashes_; }
  uint32_t documents_of(uint32_t number) const noexcept { return lists_[number].count; }
  // visit(owner) from the oldest on, while it returns true.
  template <typename Visitor>
  void for_owners(uint32_t number, Visitor&& visit) const {
    for (uint32_t at = lists_[number].oldest; at != kNoNumber; at = nodes_[at].newer) {
      if (!visit(nodes_[at].owner)) return;
    }
  }

  // The number that add() would assign to a hash that no document has yet.
  uint32_t next_number() const noexcept {
    return free_number_ == kNoNumber ? static_cast<uint32_t>(hashes_.size()) : free_number_;
  }

  // The next add() does not allocate. Throws std::bad_alloc and has changed no document.
  void prepare() {
    if (free_node_ == kNoNumber) make_room(nodes_);
    if (free_number_ == kNoNumber) {
      make_room(hashes_);
      make_room(lists_);
    }
    by_id_.reserve_more(1);
    if ((size_ + 1) * 4 > slots_.size() * 3) grow();
  }

  struct Added {
    uint32_t number;
    bool is_first;  // no document had the hash before
  };
  // After prepare(); `id` is not contained, and documents() is below kGreatestCount.
  Added add(uint64_t id, const Hash& hash) noexcept {
    assert(!contains(id) && documents() < kGreatestCount);
    uint32_t& slot = slots_[place(hash)];
    const bool is_first = slot == kNoNumber;
    if (is_first) slot = take_number(hash);
    const uint32_t number = slot;
    const uint32_t node = take_node();
    List& list = lists_[number];
    nodes_[node] = {{id, ++last_sequence_}, number, list.newest, kNoNumber};
    (list.newest == kNoNumber ? list.oldest : nodes_[list.newest].newer) = node;
    list.newest = node;
    ++list.count;
    by_id_.put(id, uint64_t{node} + 1);
    return {number, is_first};
  }

  struct Removed {
    uint32_t number;  // kNoNumber if the id is unknown
    bool was_last;    // no document has the hash any more
  };
  Removed remove(uint64_t id) noexcept {
    const uint64_t found = by_id_.erase(id);
    if (found == 0) return {kNoNumber, false};
    const auto node = static_cast<uint32_t>(found - 1);
    const Node leaving = nodes_[node];
    List& list = lists_[leaving.number];
    (leaving.older == kNoNumber ? list.oldest : nodes_[leaving.older].newer) = leaving.newer;
    (leaving.newer == kNoNumber ? list.newest : nodes_[leaving.newer].older) = leaving.older;
    --list.count;
    nodes_[node].newer = std::exchange(free_node_, node);
    const bool was_last = list.count == 0;
    if (was_last) give_back(leaving.number);
    return {leaving.number, was_last};
  }

  // Exact, without what the allocator adds.
  uint64_t memory_bytes() const noexcept {
    return hashes_.capacity() * sizeof(Hash) + lists_.capacity() * sizeof(List) +
           nodes_.capacity() * sizeof(Node) + slots_.capacity() * sizeof(uint32_t) + by_id_.memory_bytes();
  }

 private:
  struct Node {
    Owner owner;
    uint32_t number;
    uint32_t older;
    uint32_t newer;  // of a free node: the next free one
  };
  struct List {
    uint32_t oldest;
    uint32_t newest;  // of a free number: the next free one
    uint32_t count;
  };

  uint64_t keyed(uint64_t hash) const noexcept { return mix(hash ^ secret_); }
  uint64_t keyed(const Hash128& hash) const noexcept { return mix(mix(hash.low ^ secret_) ^ hash.high); }
  size_t mask() const noexcept { return slots_.size() - 1; }
  size_t home(const Hash& hash) const noexcept { return static_cast<size_t>(keyed(hash)) & mask(); }
  size_t next(size_t at) const noexcept { return (at + 1) & mask(); }
  // The slot of the hash, or the free one where it would go.
  size_t place(const Hash& hash) const noexcept {
    size_t at = home(hash);
    while (slots_[at] != kNoNumber && hashes_[slots_[at]] != hash)
      at = next(at);
    return at;
  }

  void grow() {
    Vector<uint32_t> old(slots_.empty() ? 16 : slots_.size() * 2, kNoNumber);
    old.swap(slots_);
    for (const uint32_t number : old) {
      if (number != kNoNumber) slots_[place(hashes_[number])] = number;
    }
  }

  uint32_t take_number(const Hash& hash) noexcept {
    ++size_;
    const uint32_t number = next_number();
    if (number == hashes_.size()) {
      hashes_.push_back(hash);
      lists_.push_back({kNoNumber, kNoNumber, 0});
      return number;
    }
    free_number_ = lists_[number].newest;
    hashes_[number] = hash;
    lists_[number] = {kNoNumber, kNoNumber, 0};
    return number;
  }

  void give_back(uint32_t number) noexcept {
    size_t at = place(hashes_[number]);
    // Each entry that follows in the run moves up unless that would put it before its home.
    for (size_t follower = next(at); slots_[follower] != kNoNumber; follower = next(follower)) {
      const size_t distance_from_home = (follower - home(hashes_[slots_[follower]])) & mask();
      const size_t distance_to_hole = (follower - at) & mask();
      if (distance_from_home >= distance_to_hole) {
        slots_[at] = slots_[follower];
        at = follower;
      }
    }
    slots_[at] = kNoNumber;
    lists_[number].newest = std::exchange(free_number_, number);
    --size_;
  }

  uint32_t take_node() noexcept {
    if (free_node_ != kNoNumber) return std::exchange(free_node_, nodes_[free_node_].newer);
    nodes_.emplace_back();
    return static_cast<uint32_t>(nodes_.size() - 1);
  }

  uint64_t secret_;
  HashMap<uint64_t> by_id_;  // to the place in nodes_, plus one
  Vector<uint32_t> slots_;   // numbers by keyed hash; a power of two with a free slot, or none
  Vector<Hash> hashes_;
  Vector<List> lists_;
  Vector<Node> nodes_;
  uint64_t size_ = 0;
  uint64_t last_sequence_ = 0;
  uint32_t free_number_ = kNoNumber;
  uint32_t free_node_ = kNoNumber;
};

}  // namespace nd::moz
