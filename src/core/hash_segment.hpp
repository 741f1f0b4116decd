// A piece of a SegmentTable: slots of open addressing with linear probing and deletion by backward shift, in
// one allocation. The table keeps the number of slots, a power of two, how many of them are used, and the
// secret of the hashes.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "core/hash.hpp"
#include "core/memory.hpp"

namespace nd {

// The value that a key is hashed with, and the number of slots of a segment.
struct SegmentShape {
  uint64_t secret = 0;
  size_t slot_count = 0;

  uint64_t hash_of(uint64_t key) const noexcept { return mix(key ^ secret); }
  size_t mask() const noexcept { return slot_count - 1; }
  size_t home(uint64_t hash) const noexcept { return static_cast<size_t>(hash) & mask(); }
  size_t next(size_t at) const noexcept { return (at + 1) & mask(); }
  // The number of slots from the home to this one.
  uint32_t probes(uint64_t hash, size_t at) const noexcept {
    return static_cast<uint32_t>((at - hash) & mask()) + 1;
  }
};

// `Slot` is trivially copyable, has a uint64_t `key` and is_used(), which is false if all its bytes are 0.
// At least one slot is free.
template <typename Slot>
class HashSegment {
  static_assert(std::is_trivially_copyable_v<Slot> && alignof(Slot) <= 16);

 public:
  // Both throw std::bad_alloc; release_bytes() frees what they return.
  static HashSegment* make(size_t slot_count) {
    void* memory = allocate_bytes(bytes_of(slot_count));
    std::memset(memory, 0, bytes_of(slot_count));
    return static_cast<HashSegment*>(memory);
  }
  HashSegment* copy(size_t slot_count) const {
    void* memory = allocate_bytes(bytes_of(slot_count));
    std::memcpy(memory, this, bytes_of(slot_count));
    return static_cast<HashSegment*>(memory);
  }
  static constexpr size_t bytes_of(size_t slot_count) noexcept { return slot_count * sizeof(Slot); }

  Slot* slots() noexcept { return reinterpret_cast<Slot*>(this); }

  // The slot of the key, or the free slot where it would go.
  size_t place(uint64_t key, uint64_t hash, const SegmentShape& shape) noexcept {
    size_t at = shape.home(hash);
    while (slots()[at].is_used() && slots()[at].key != key)
      at = shape.next(at);
    return at;
  }
  // Empties a used slot. Returns the free slot that ended the search for entries to move.
  size_t erase(size_t at, const SegmentShape& shape) noexcept {
    // Each entry that follows in the run moves up unless that would put it before its home.
    size_t follower = shape.next(at);
    for (; slots()[follower].is_used(); follower = shape.next(follower)) {
      const size_t distance_from_home = (follower - shape.hash_of(slots()[follower].key)) & shape.mask();
      const size_t distance_to_hole = (follower - at) & shape.mask();
      if (distance_from_home >= distance_to_hole) {
        slots()[at] = slots()[follower];
        at = follower;
      }
    }
    slots()[at] = Slot{};
    return follower;
  }
  // Moves all entries of `other`, a segment of another shape, into this one, which is empty.
  void take(HashSegment& other, size_t slot_count_of_other, const SegmentShape& shape) noexcept {
    for (size_t i = 0; i < slot_count_of_other; ++i) {
      const Slot& slot = other.slots()[i];
      if (slot.is_used()) slots()[place(slot.key, shape.hash_of(slot.key), shape)] = slot;
    }
  }
  // Moves the entries whose hash has a 1 in this bit to an empty segment. Returns their number.
  uint32_t split(HashSegment& sibling, unsigned bit, const SegmentShape& shape) noexcept {
    uint32_t moved = 0;
    size_t free = 0;
    while (slots()[free].is_used())
      ++free;
    // Entries that stay move up to their home, or behind those that have moved there, in the order of the
    // slots.
    for (size_t at = shape.next(free); at != free; at = shape.next(at)) {
      const Slot slot = std::exchange(slots()[at], Slot{});
      if (!slot.is_used()) continue;
      const uint64_t hash = shape.hash_of(slot.key);
      const bool moves = (hash >> bit & 1) != 0;
      HashSegment& to = moves ? sibling : *this;
      to.slots()[to.place(slot.key, hash, shape)] = slot;
      moved += moves;
    }
    return moved;
  }
};

}  // namespace nd
