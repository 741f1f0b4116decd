// A piece of a PackedNumberMap: slots of open addressing, each the bytes of a number and then those of a
// hash.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "core/hash.hpp"
#include "core/memory.hpp"
#include "core/prefetch.hpp"

namespace nd {

// The key of mix().
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

// What a directory knows of a segment, so that a look-up reads nothing but slots. Copies refer to the same
// slots; make() allocates new ones, release() frees them.
//
// A segment of depth d holds hashes whose lowest d bits are the same, and keeps the others. A slot's home is
// by the highest bits. Slots are in the order of their homes, as far as there is a free one between
// (Robin Hood), and go on at the first behind the last. At least one is free: its number is 0.
class PackedSegment {
 public:
  static constexpr uint32_t kGreatestDepth = 32;  // homes are by the other bits

  // Throws std::bad_alloc. `value`: the widest number, at least.
  static PackedSegment make(size_t slot_count, uint32_t depth, uint64_t value) {
    PackedSegment segment;
    segment.slot_count_ = static_cast<uint32_t>(slot_count);
    segment.depth_ = static_cast<uint8_t>(depth);
    segment.hash_bytes_ = static_cast<uint8_t>((64 - depth + 7) / 8);
    segment.value_bytes_ = static_cast<uint8_t>(value_bytes_for(value));
    const size_t bytes = segment.memory_bytes();
    segment.head_ = static_cast<Head*>(allocate_bytes(bytes));
    std::memset(static_cast<void*>(segment.head_), 0, bytes);
    return segment;
  }
  void release() noexcept { release_bytes(head_); }

  uint32_t depth() const noexcept { return depth_; }
  size_t slot_count() const noexcept { return slot_count_; }
  size_t used() const noexcept { return head_->used; }
  // Of insertions.
  size_t room() const noexcept { return slot_count_ - 1 - used(); }
  bool fits(uint64_t value) const noexcept { return value_bytes_for(value) <= value_bytes_; }
  // The widest number that fits().
  uint64_t greatest_value() const noexcept { return mask_of(value_bytes_); }
  // The last slot is read in whole words.
  uint64_t memory_bytes() const noexcept {
    return sizeof(Head) + slot_count_ * slot_bytes() + sizeof(uint64_t);
  }
  // Also of the line behind, to which every other search goes on: most look at three or four slots.
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

  // The slot of the hash, or that in front of which it would stand.
  struct Place {
    size_t at;
    uint32_t probes;
    bool is_found;
  };
  Place place(uint64_t hash) const noexcept {
    const uint64_t rest = hash >> depth_;
    size_t at = home(hash);
    for (uint32_t distance = 0;; ++distance, at = next(at)) {
      if (value(at) == 0) return {at, distance + 1, false};
      const uint64_t there = rest_at(at);
      if (there == rest) return {at, distance + 1, true};
      if (distance_of(at, there) < distance) return {at, distance + 1, false};
    }
  }
  uint64_t value(size_t at) const noexcept { return load(slot(at)) & mask_of(value_bytes_); }
  void set_value(size_t at, uint64_t value) noexcept { std::memcpy(slot(at), &value, value_bytes_); }
  // At its place; there is room. Gives how many slots it looked at, and moved.
  uint32_t insert(size_t at, uint64_t hash, uint64_t value) noexcept;
  // Gives the same.
  uint32_t erase(size_t at) noexcept;
  // All of `other`, whose depth is not greater, that belongs here: the lowest bits of its hashes are those of
  // `low`. There is room.
  void take(const PackedSegment& other, uint64_t low) noexcept;

  // visit(hash, value); the lowest bits are those of `low`.
  template <typename Visitor>
  void for_each(uint64_t low, Visitor&& visit) const {
    for (size_t at = 0; at < slot_count_; ++at) {
      if (const uint64_t number = value(at)) visit(hash_at(at, low), number);
    }
  }

 private:
  struct Head {
    uint64_t used;
  };

  static constexpr size_t kSearchBytes = 40;  // of slots that prefetch() has at hand

  static constexpr unsigned value_bytes_for(uint64_t value) noexcept {
    return value <= UINT32_MAX ? 4 : (static_cast<unsigned>(std::bit_width(value)) + 7) / 8;
  }
  static constexpr uint64_t mask_of(unsigned bytes) noexcept { return ~uint64_t{0} >> (64 - 8 * bytes); }
  static uint64_t load(const uint8_t* from) noexcept {
    uint64_t word;
    std::memcpy(&word, from, sizeof word);
    return word;
  }
  size_t slot_bytes() const noexcept { return size_t{hash_bytes_} + value_bytes_; }
  uint8_t* slots() const noexcept { return reinterpret_cast<uint8_t*>(head_ + 1); }
  uint8_t* slot(size_t at) const noexcept { return slots() + at * slot_bytes(); }
  size_t next(size_t at) const noexcept { return at + 1 == slot_count_ ? 0 : at + 1; }
  // How far the slot is behind the other one, and which one is so far behind it.
  size_t behind(size_t base, size_t at) const noexcept {
    return at >= base ? at - base : at + slot_count_ - base;
  }
  size_t from(size_t base, size_t distance) const noexcept {
    return base + distance < slot_count_ ? base + distance : base + distance - slot_count_;
  }
  // The slot and the one behind it are free: whole words are written. Does not count it.
  void append(size_t at, uint64_t hash, uint64_t value) noexcept {
    const uint64_t rest = hash >> depth_;
    std::memcpy(slot(at), &value, sizeof value);
    std::memcpy(slot(at) + value_bytes_, &rest, sizeof rest);
  }
  size_t home(uint64_t hash) const noexcept { return static_cast<size_t>((hash >> 32) * slot_count_ >> 32); }
  uint64_t rest_at(size_t at) const noexcept { return load(slot(at) + value_bytes_) & mask_of(hash_bytes_); }
  uint64_t hash_at(size_t at, uint64_t low) const noexcept {
    return rest_at(at) << depth_ | (low & ((uint64_t{1} << depth_) - 1));
  }
  size_t distance_of(size_t at, uint64_t rest) const noexcept { return behind(home(rest << depth_), at); }

  Head* head_ = nullptr;
  uint32_t slot_count_ = 0;
  uint8_t depth_ = 0;
  uint8_t hash_bytes_ = 0;
  uint8_t value_bytes_ = 0;
};

}  // namespace nd
