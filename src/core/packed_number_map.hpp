// A hash table from 64-bit keys to numbers for indexes of many keys: 11 to 14 bytes per key where a NumberMap
// takes 21 to 43. Of a key's hash the bits that choose its segment are not kept, a number takes as many bytes
// as the widest of its segment, and segments grow in steps of a seventh to a quarter, so that they are
// between seven and nine tenths full.
#pragma once

#include <array>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <utility>

#include "core/memory.hpp"
#include "core/packed_segment.hpp"
#include "core/published.hpp"

namespace nd {

// Extendible hashing (R. Fagin et al., ACM TODS 4(3), 1979) over segments with linear probing in the order of
// Robin Hood hashing (P. Celis, 1986): an absent key is recognised by the first slot that is nearer to its
// home. Keys are mixed with a secret, so that no input can be written to collide. Every key is allowed.
// Threads: as a standard container, except put_beside(), beside which others may call find(), prefetch(),
// size() and memory_bytes(). Who finds a key looks again if its part of the table has changed meanwhile (a
// sequence lock), and waits as long as a few slots take to move.
class PackedNumberMap {
 public:
  // Numbers up to this one replace others without allocating.
  static constexpr uint64_t kGreatestNarrow = UINT32_MAX;
  // See reserve_more().
  static constexpr size_t kMostReserved = 16;

  explicit PackedNumberMap(uint64_t secret) noexcept : secret_(secret) {}
  PackedNumberMap(const PackedNumberMap&) = delete;
  PackedNumberMap& operator=(const PackedNumberMap&) = delete;
  ~PackedNumberMap() { release_all(); }

  struct Found {
    uint64_t value;   // 0 if absent
    uint32_t probes;  // slots looked at
  };
  Found find_counted(uint64_t key) const noexcept {
    if (directory_.empty()) return {0, 0};
    const uint64_t hash = hash_of(key);
    const size_t entry = entry_of(hash);
    const std::atomic<uint32_t>& changes = changes_[entry % kParts];
    for (;;) {
      const uint32_t before = changes.load(std::memory_order_acquire);
      const PackedSegment segment = PackedSegment::load_from(directory_[entry]);
      // Of two segments it must not be: what is read of one must be its memory.
      if (before % 2 == 0 && changes.load(std::memory_order_acquire) == before) {
        const PackedSegment::Read read = segment.read(hash);
        if (changes.load(std::memory_order_acquire) == before) return {read.value, read.probes};
      } else {
        give_way();
      }
    }
  }
  uint64_t find(uint64_t key) const noexcept { return find_counted(key).value; }

  // Prefetches the memory where find() of the key begins, so that the cache misses of several look-ups
  // overlap.
  void prefetch(uint64_t key) const noexcept {
    if (directory_.empty()) return;
    const uint64_t hash = hash_of(key);
    PackedSegment::load_from(directory_[entry_of(hash)]).prefetch(hash);
  }
  // The same for put().
  void prefetch_for_change(uint64_t key) const noexcept {
    if (!directory_.empty()) segment_of(hash_of(key)).prefetch_for_change(hash_of(key));
  }

  // Adds or replaces; `value` is not 0. Replacing does not allocate where fits(). Throws std::bad_alloc and
  // has changed nothing; not for lack of memory to grow, as long as there is room. Cost: occasionally a
  // segment is copied or split, whatever the size of the table.
  void put(uint64_t key, uint64_t value);
  // The same beside readers. False, and nothing has changed, where it needs what they must not see, or memory
  // that is not there: put() is for that. What they may still look at is released by release_replaced().
  bool put_beside(uint64_t key, uint64_t value) noexcept;
  // After the readers have ended who may have begun before the last put_beside().
  void release_replaced() noexcept;
  // The key, which is there, takes the number without allocating.
  bool fits(uint64_t key, uint64_t value) const noexcept {
    return value <= kGreatestNarrow || segment_of(hash_of(key)).fits(value);
  }
  // Returns the number that was there, 0 if none. No memory is freed.
  uint64_t erase(uint64_t key) noexcept;

  // visit(key, value), in no order that may influence an answer.
  template <typename Visitor>
  void for_each(Visitor&& visit) const {
    for (size_t i = 0; i < directory_.size(); ++i) {
      if (!is_first(i)) continue;
      directory_[i].for_each(i, [&](uint64_t hash, uint64_t value) { visit(unmix(hash) ^ secret_, value); });
    }
  }

  size_t size() const noexcept { return size_; }
  // Slots that put() and erase() have looked at, since it was made.
  uint64_t probe_count() const noexcept { return probe_count_; }
  // Exact, without what the allocator adds and without what release_replaced() releases.
  uint64_t memory_bytes() const noexcept {
    return segment_bytes_ + directory_.capacity() * sizeof(PackedSegment);
  }
  // Room for `count` insertions, none of which then throws, if they are kMostReserved at most and their
  // numbers kGreatestNarrow; where they are more, one of them may, should memory be short. Throws
  // std::bad_alloc and has lost nothing.
  void reserve_more(size_t count);
  void swap(PackedNumberMap& other) noexcept;

 private:
  // A segment of so many slots is split when it is full; one whose hashes are uneven may get more.
  static constexpr size_t kSegmentSlots = 512;
  // Of even hashes at most two entries are needed for a segment, and a few more by chance. Who knows the
  // secret of a table must not have a directory of any size made for a few keys.
  static constexpr size_t kMostEntriesPerSegment = 8;

  // Of the table, by the lowest bits of the hash, that are changed one at a time: so many that who looks
  // rarely meets a change.
  static constexpr size_t kParts = 512;

  // Readers of the parts in which entries of these lowest bits stand look again afterwards.
  class PartChange;

  uint64_t hash_of(uint64_t key) const noexcept { return mix(key ^ secret_); }
  size_t entry_of(uint64_t hash) const noexcept {
    return static_cast<size_t>(hash) & (directory_.size() - 1);
  }
  const PackedSegment& segment_of(uint64_t hash) const noexcept { return directory_[entry_of(hash)]; }
  bool is_first(size_t entry) const noexcept { return entry >> directory_[entry].depth() == 0; }
  bool change_beside(uint64_t hash, uint64_t value) noexcept;
  static void give_way() noexcept;
  void start(uint64_t value);
  bool grow(uint64_t hash, uint64_t value, bool is_beside);
  bool prepare_split(uint64_t hash);
  void split(uint64_t hash, uint64_t widest, bool is_beside);
  void replace(uint64_t hash, const PackedSegment& by) noexcept;
  void release(const PackedSegment& old, bool is_beside) noexcept;
  void release_all() noexcept;

  uint64_t secret_;
  Vector<PackedSegment> directory_;  // by the lowest bits of the hash; a segment of fewer stands there often
  size_t segment_count_ = 0;
  Published<uint64_t> segment_bytes_ = 0;
  Published<size_t> size_ = 0;
  size_t least_room_ = SIZE_MAX;  // no segment has less
  uint64_t probe_count_ = 0;
  Vector<PackedSegment> replaced_;                       // see release_replaced()
  std::array<std::atomic<uint32_t>, kParts> changes_{};  // odd: one is made
};

}  // namespace nd
