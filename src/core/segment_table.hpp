// A hash table by 64-bit keys that grows without a pause: extendible hashing (R. Fagin et al., ACM TODS 4(3),
// 1979) over segments of open addressing. Some bits of the hash choose the segment in the directory, others
// the slot in the segment. A segment that is full is split in two, which costs the same however large the
// table is; the directory, which is doubled occasionally, has sixteen bytes for some thousands of entries. Up
// to one segment it is a plain table that doubles.
//
// Keys are mixed with a secret, so that no input can be written to collide, in a segment or in a slot.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include "core/hash.hpp"
#include "core/memory.hpp"
#include "core/prefetch.hpp"
#include "core/segment_directory.hpp"

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

// `Slot`: see HashSegment. Threads: as a standard container.
template <typename Slot>
class SegmentTable {
 public:
  // In a table of several segments: 64 KiB or a little less each, which most allocators do not request from
  // the system and return one by one.
  static constexpr size_t kSegmentSlots = std::bit_floor(size_t{1 << 16} / sizeof(Slot));
  // See reserve_more().
  static constexpr size_t kMostReserved = kSegmentSlots / 4 - 1;

  explicit SegmentTable(uint64_t secret) noexcept : shape_{secret, 0} {}
  SegmentTable(const SegmentTable& other)
      : shape_(other.shape_), size_(other.size_), most_used_(other.most_used_) {
    directory_.copy(other.directory_, shape_.slot_count);
  }
  SegmentTable(SegmentTable&& other) noexcept : shape_{other.shape_.secret, 0} { swap(other); }
  SegmentTable& operator=(SegmentTable other) noexcept {
    swap(other);
    return *this;
  }

  struct Found {
    Slot* slot;       // null: absent
    uint32_t probes;  // slots looked at
  };
  // The slot is valid until the next insertion or erasure; its key must stay the same.
  Found find(uint64_t key) const noexcept {
    const uint64_t hash = shape_.hash_of(key);
    Segment* segment = directory_.find(hash);
    if (segment == nullptr) return {nullptr, 0};
    const size_t at = segment->place(key, hash, shape_);
    Slot& slot = segment->slots()[at];
    return {slot.is_used() ? &slot : nullptr, shape_.probes(hash, at)};
  }
  // Prefetches the memory where find() will begin, so that the cache misses of several find() in a large
  // table overlap.
  void prefetch(uint64_t key) const noexcept {
    const uint64_t hash = shape_.hash_of(key);
    if (Segment* segment = directory_.find(hash)) nd::prefetch(&segment->slots()[shape_.home(hash)]);
  }
  // The same where the key is to be inserted or erased.
  void prefetch_for_change(uint64_t key) const noexcept {
    const uint64_t hash = shape_.hash_of(key);
    Segment* segment = directory_.find(hash);
    if (segment == nullptr) return;
    nd::prefetch_for_change(&segment->slots()[shape_.home(hash)]);
  }

  // The slot of the key; if the key is new, `added`, which is used and has the key, is stored there. Throws
  // std::bad_alloc and has changed nothing; never because the table cannot grow, as long as there is room.
  struct Inserted {
    Slot* slot;
    bool is_new;
    uint32_t probes;
  };
  Inserted insert(const Slot& added) {
    const uint64_t hash = shape_.hash_of(added.key);
    for (bool may_grow = true;; may_grow = grow(hash)) {
      if (Segment* segment = directory_.find(hash)) {
        const size_t at = segment->place(added.key, hash, shape_);
        Slot& slot = segment->slots()[at];
        if (slot.is_used()) return {&slot, false, shape_.probes(hash, at)};
        uint32_t& used = directory_.used(hash);
        const bool is_roomy = (size_t{used} + 1) * 4 <= shape_.slot_count * 3;
        if (is_roomy || (!may_grow && used + 1 < shape_.slot_count)) {
          slot = added;
          ++used;
          most_used_ = std::max<size_t>(most_used_, used);
          ++size_;
          return {&slot, true, shape_.probes(hash, at)};
        }
      }
      if (!may_grow) throw std::bad_alloc();
    }
  }

  // Returns the erased slot, with is_used() false if there was none, and how many slots were examined. Frees
  // no memory.
  std::pair<Slot, uint32_t> erase(uint64_t key) noexcept {
    const uint64_t hash = shape_.hash_of(key);
    Segment* segment = directory_.find(hash);
    if (segment == nullptr) return {Slot{}, 0};
    const size_t at = segment->place(key, hash, shape_);
    const Slot erased = segment->slots()[at];
    if (!erased.is_used()) return {erased, shape_.probes(hash, at)};
    --size_;
    --directory_.used(hash);
    return {erased, shape_.probes(hash, segment->erase(at, shape_))};
  }

  // visit(slot), in no order that may influence an answer.
  template <typename Visitor>
  void for_each(Visitor&& visit) const {
    directory_.for_each([&](Segment* segment, uint32_t) {
      for (size_t at = 0; at < shape_.slot_count; ++at) {
        if (const Slot& slot = segment->slots()[at]; slot.is_used()) visit(slot);
      }
    });
  }

  size_t size() const noexcept { return size_; }
  // Exact, without what the allocator adds.
  uint64_t memory_bytes() const noexcept {
    return directory_.segment_count() * Segment::bytes_of(shape_.slot_count) + directory_.memory_bytes();
  }
  // Makes room for `count` insertions. None of them then throws if `count` is at most kMostReserved; of more,
  // one may if memory runs out. Throws std::bad_alloc and has lost nothing.
  void reserve_more(size_t count) {
    while (shape_.slot_count < kSegmentSlots && (size_ + count) * 4 > shape_.slot_count * 3)
      double_slots();
    const size_t reserved = std::min(count, kMostReserved);
    if (most_used_ + reserved >= shape_.slot_count) relieve(reserved);
  }
  void swap(SegmentTable& other) noexcept {
    directory_.swap(other.directory_);
    std::swap(shape_, other.shape_);
    std::swap(size_, other.size_);
    std::swap(most_used_, other.most_used_);
  }

 private:
  using Segment = HashSegment<Slot>;

  static constexpr size_t kLeastSlots = 16;

  // Makes room where the hash belongs. False, with nothing changed, if memory is short.
  bool grow(uint64_t hash) noexcept {
    try {
      if (shape_.slot_count < kSegmentSlots || !split(hash)) double_slots();
      return true;
    } catch (const std::bad_alloc&) {
      return false;
    }
  }

  // Moves half of the hash's segment to a new one. False, with nothing changed, if that cannot help. Throws
  // std::bad_alloc; the content is then the same.
  bool split(uint64_t hash) {
    if (!directory_.prepare_split(hash)) return false;
    Segment* sibling = Segment::make(shape_.slot_count);
    const unsigned bit = SegmentDirectory<Segment>::kFirstBit + directory_.depth(hash);
    directory_.add_sibling(hash, sibling, directory_.find(hash)->split(*sibling, bit, shape_));
    return true;
  }

  // Doubles every segment: for a table of one segment, and if the hashes are so unevenly distributed that
  // splitting does not help.
  void double_slots() {
    SegmentShape larger = shape_;
    larger.slot_count = std::max(kLeastSlots, 2 * shape_.slot_count);
    if (shape_.slot_count == 0) {
      directory_.start(Segment::make(larger.slot_count));
    } else {
      directory_.replace_all(
          [&] { return Segment::make(larger.slot_count); },
          [&](Segment* old, Segment* successor) { successor->take(*old, shape_.slot_count, larger); });
    }
    shape_ = larger;
  }

  // Splits or doubles until each segment has room for so many more.
  void relieve(size_t count) {
    for (;;) {
      Segment* fullest = nullptr;
      most_used_ = 0;
      directory_.for_each([&](Segment* segment, uint32_t used) {
        if (fullest != nullptr && used <= most_used_) return;
        fullest = segment;
        most_used_ = used;
      });
      if (fullest == nullptr || most_used_ + count < shape_.slot_count) return;
      const Slot* slot = fullest->slots();
      while (!slot->is_used())
        ++slot;
      if (shape_.slot_count < kSegmentSlots || !split(shape_.hash_of(slot->key))) double_slots();
    }
  }

  SegmentDirectory<Segment> directory_;
  SegmentShape shape_;  // of all segments; without slots if there is none
  size_t size_ = 0;
  size_t most_used_ = 0;  // at least that of any segment
};

}  // namespace nd
