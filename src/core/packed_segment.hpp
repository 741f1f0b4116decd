// A piece of a PackedNumberMap: slots of open addressing, each the bytes of a number and then those of a
// hash.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>

#include "core/hash.hpp"
#include "core/memory.hpp"
#include "core/prefetch.hpp"

namespace nd {

// The inverse of mix().
constexpr uint64_t unmix(uint64_t hash) noexcept {
  // The inverse of an odd factor modulo 2^64: each step doubles the number of correct bits.
  constexpr auto inverse = [](uint64_t factor) {
    uint64_t result = factor;
    for (int step = 0; step < 5; ++step)
      result *= 2 - factor * result;
    return result;
  };
  hash ^= hash >> 33;
  hash *= inverse(0xc4ceb9fe1a85ec53ULL);
  hash ^= hash >> 33;
  hash *= inverse(0xff51afd7ed558ccdULL);
  hash ^= hash >> 33;
  return hash;
}

// The directory's entry for a segment, so that a look-up reads only slots. Copies refer to the same slots;
// make() allocates new ones, release() frees them.
//
// Threads: one changes a segment. If it does so by store_to(), set_value_concurrently() and
// insert_concurrently(), others may meanwhile copy its directory entry by load_from() and search by read().
// During a change they may find anything, but they read only the segment's memory; PackedNumberMap decides
// when to search again.
//
// A segment of depth d holds hashes whose lowest d bits are the same, and keeps the others. The highest bits
// choose a slot's home. Slots between two free ones are in the order of their homes (Robin Hood); the first
// slot follows the last. At least one slot is free: its number is 0.
class PackedSegment {
 public:
  static constexpr uint32_t kGreatestDepth = 32;  // the other bits choose the home

  // Throws std::bad_alloc. `value`: the widest number, at least.
  static PackedSegment make(size_t slot_count, uint32_t depth, uint64_t value) {
    PackedSegment segment;
    segment.shape_.slot_count = static_cast<uint32_t>(slot_count);
    segment.shape_.depth = static_cast<uint8_t>(depth);
    segment.shape_.hash_bytes = static_cast<uint8_t>((64 - depth + 7) / 8);
    segment.shape_.value_bytes = static_cast<uint8_t>(value_bytes_for(value));
    const size_t bytes = segment.memory_bytes();
    segment.head_ = static_cast<Head*>(allocate_bytes(bytes));
    std::memset(static_cast<void*>(segment.head_), 0, bytes);
    return segment;
  }
  void release() noexcept { release_bytes(head_); }

  // If `entry` is being stored meanwhile, one half may be that of another segment.
  static PackedSegment load_from(const PackedSegment& entry) noexcept {
    PackedSegment loaded;
    loaded.head_ = atomic(entry.head_).load(std::memory_order_acquire);
    loaded.shape_ = atomic(entry.shape_).load(std::memory_order_acquire);
    return loaded;
  }
  void store_to(PackedSegment& entry) const noexcept {
    atomic(entry.head_).store(head_, std::memory_order_release);
    atomic(entry.shape_).store(shape_, std::memory_order_release);
  }

  uint32_t depth() const noexcept { return shape_.depth; }
  size_t slot_count() const noexcept { return shape_.slot_count; }
  size_t used() const noexcept { return head_->used; }
  // For how many insertions.
  size_t room() const noexcept { return slot_count() - 1 - used(); }
  bool fits(uint64_t value) const noexcept { return value_bytes_for(value) <= value_bytes(); }
  // The widest number that fits().
  uint64_t greatest_value() const noexcept { return mask_of(value_bytes()); }
  // Includes the rest of the last word: slots are read in whole words.
  uint64_t memory_bytes() const noexcept {
    return sizeof(Head) + (slot_count() * slot_bytes() / sizeof(uint64_t) + 3) * sizeof(uint64_t);
  }
  // Prefetches the next cache line as well, to which every other search continues: most examine three or four
  // slots.
  void prefetch(uint64_t hash) const noexcept {
    const uint8_t* begin = slot(home(hash));
    nd::prefetch(begin);
    nd::prefetch(begin + kSearchBytes);
  }
  void prefetch_for_change(uint64_t hash) const noexcept {
    uint8_t* begin = slot(home(hash));
    nd::prefetch_for_change(head_);
    nd::prefetch_for_change(begin);
    nd::prefetch_for_change(begin + kSearchBytes);
  }

  // The slot of the hash, or the one before which it would be inserted.
  struct Place {
    size_t at;
    uint32_t probes;
    bool is_found;
  };
  Place place(uint64_t hash) const noexcept {
    const uint64_t rest = hash >> depth();
    size_t at = home(hash);
    for (uint32_t distance = 0;; ++distance, at = next(at)) {
      if (value(at) == 0) return {at, distance + 1, false};
      const uint64_t there = rest_at(at);
      if (there == rest) return {at, distance + 1, true};
      if (distance_of(at, there) < distance) return {at, distance + 1, false};
    }
  }
  uint64_t value(size_t at) const noexcept { return load(slot(at)) & mask_of(value_bytes()); }
  void set_value(size_t at, uint64_t value) noexcept { std::memcpy(slot(at), &value, value_bytes()); }
  void set_value_concurrently(size_t at, uint64_t value) noexcept;
  // The number that place() would find, or 0.
  struct Read {
    uint64_t value;
    uint32_t probes;
  };
  Read read(uint64_t hash) const noexcept {
    const uint64_t rest = hash >> depth();
    size_t at = home(hash);
    for (uint32_t distance = 0; distance < slot_count(); ++distance, at = next(at)) {
      const size_t begin = at * slot_bytes();
      const uint64_t number = read_word(begin) & mask_of(value_bytes());
      if (number == 0) return {0, distance + 1};
      const uint64_t there = read_word(begin + value_bytes()) & mask_of(hash_bytes());
      if (there == rest) return {number, distance + 1};
      if (distance_of(at, there) < distance) return {0, distance + 1};
    }
    return {0, shape_.slot_count};
  }
  // `at`: from place(); there is room. Returns how many slots were examined or moved.
  uint32_t insert(size_t at, uint64_t hash, uint64_t value) noexcept;
  // The same while others read. 0, with nothing changed, if very many slots would move.
  uint32_t insert_concurrently(size_t at, uint64_t hash, uint64_t value) noexcept;
  // Returns the same as insert().
  uint32_t erase(size_t at) noexcept;
  // Copies those slots of `other`, whose depth is not greater, that belong here: the lowest bits of their
  // hashes are those of `low`. There is room.
  void take(const PackedSegment& other, uint64_t low) noexcept;

  // visit(hash, value); the lowest bits are those of `low`.
  template <typename Visitor>
  void for_each(uint64_t low, Visitor&& visit) const {
    for (size_t at = 0; at < slot_count(); ++at) {
      if (const uint64_t number = value(at)) visit(hash_at(at, low), number);
    }
  }

 private:
  struct Head {
    uint64_t used;
  };

  // Everything except the slots; one word, so that it is read and stored at once.
  struct alignas(uint64_t) Shape {
    uint32_t slot_count = 0;
    uint8_t depth = 0;
    uint8_t hash_bytes = 0;
    uint8_t value_bytes = 0;
    uint8_t unused = 0;
  };
  static_assert(sizeof(Shape) == sizeof(uint64_t));

  static constexpr size_t kSearchBytes = 40;        // bytes of slots covered by prefetch()
  static constexpr size_t kMostMovedBytes = 1'024;  // by insert_concurrently()

  static constexpr unsigned value_bytes_for(uint64_t value) noexcept {
    return value <= UINT32_MAX ? 4 : (static_cast<unsigned>(std::bit_width(value)) + 7) / 8;
  }
  static constexpr uint64_t mask_of(unsigned bytes) noexcept { return ~uint64_t{0} >> (64 - 8 * bytes); }
  static uint64_t load(const uint8_t* from) noexcept {
    uint64_t word;
    std::memcpy(&word, from, sizeof word);
    return word;
  }
  // A search during a change only reads.
  template <typename T>
  static std::atomic_ref<T> atomic(const T& of) noexcept {
    return std::atomic_ref<T>(const_cast<T&>(of));
  }
  unsigned hash_bytes() const noexcept { return shape_.hash_bytes; }
  unsigned value_bytes() const noexcept { return shape_.value_bytes; }
  size_t slot_bytes() const noexcept { return size_t{hash_bytes()} + value_bytes(); }
  uint64_t* words() const noexcept { return reinterpret_cast<uint64_t*>(head_ + 1); }
  uint8_t* slots() const noexcept { return reinterpret_cast<uint8_t*>(head_ + 1); }
  uint8_t* slot(size_t at) const noexcept { return slots() + at * slot_bytes(); }
  size_t next(size_t at) const noexcept { return at + 1 == slot_count() ? 0 : at + 1; }
  // How far the slot is behind `base`, and the inverse: which slot is that far behind it.
  size_t behind(size_t base, size_t at) const noexcept {
    return at >= base ? at - base : at + slot_count() - base;
  }
  size_t from(size_t base, size_t distance) const noexcept {
    return base + distance < slot_count() ? base + distance : base + distance - slot_count();
  }
  // Writes a slot in whole words, so that it and the one behind it must be free. Does not count it as used.
  void write(uint8_t* to, uint64_t hash, uint64_t value) const noexcept {
    const uint64_t rest = hash >> depth();
    std::memcpy(to, &value, sizeof value);
    std::memcpy(to + value_bytes(), &rest, sizeof rest);
  }
  size_t home(uint64_t hash) const noexcept { return static_cast<size_t>((hash >> 32) * slot_count() >> 32); }
  uint64_t rest_at(size_t at) const noexcept {
    return load(slot(at) + value_bytes()) & mask_of(hash_bytes());
  }
  uint64_t hash_at(size_t at, uint64_t low) const noexcept {
    return rest_at(at) << depth() | (low & ((uint64_t{1} << depth()) - 1));
  }
  size_t distance_of(size_t at, uint64_t rest) const noexcept { return behind(home(rest << depth()), at); }
  // Eight bytes of the slots from any position.
  uint64_t read_word(size_t begin) const noexcept {
    const uint64_t* word = words() + begin / sizeof(uint64_t);
    const size_t shift = begin % sizeof(uint64_t) * 8;
    const uint64_t low = atomic(word[0]).load(std::memory_order_acquire);
    const uint64_t high = atomic(word[1]).load(std::memory_order_acquire);
    return low >> shift | high << 1 << (63 - shift);
  }
  template <typename Change>
  void change_concurrently(size_t begin, size_t end, Change&& change) noexcept;

  Head* head_ = nullptr;
  Shape shape_;
};

}  // namespace nd
