// A hash table from 64-bit keys to numbers for indexes of many keys: 12 to 19 bytes per key where a HashMap
// takes 21 to 43. The bits of a hash that choose the segment are not stored, a number takes as many bytes as
// the widest one in its segment, and segments grow in steps of a third to a half, so that they are between
// six and nine tenths full. Steps of half that size would take a thirteenth less memory, and copy each key
// three times as often.
#pragma once

#include <array>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <utility>

#include "core/memory.hpp"
#include "core/packed_segment.hpp"
#include "core/relaxed_counter.hpp"

namespace nd {

// Extendible hashing (R. Fagin et al., ACM TODS 4(3), 1979) over segments with linear probing in the order of
// Robin Hood hashing (P. Celis, 1986): an absent key is recognised by the first slot that is nearer to its
// home. Keys are mixed with a secret, so that no input can be written to collide. Every key is allowed.
// Threads: as a standard container, except that other threads may call find(), prefetch(), size() and
// memory_bytes() during put_concurrently(). A look-up is repeated if its part of the table has changed
// meanwhile (a sequence lock); it waits as long as moving a few slots takes.
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
      // The copied entry must not be a mixture of two segments: only memory of one segment may be read.
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

  // Adds or replaces; `value` is not 0. Replacing does not allocate if fits(). Throws std::bad_alloc and has
  // changed nothing; never because the table cannot grow, as long as there is room. Cost: occasionally a
  // segment is copied or split, whatever the size of the table.
  void put(uint64_t key, uint64_t value);
  // The same while others read. False, with nothing changed, if the change is one that they must not see, or
  // memory is short; then call put(). Memory that readers may still use is released by release_replaced().
  bool put_concurrently(uint64_t key, uint64_t value) noexcept;
  // Call it once all readers have ended that may have begun before the last put_concurrently().
  void release_replaced() noexcept;
  // Whether the number of this key, which is present, can be replaced by `value` without allocating.
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
  // Slots that put() and erase() have examined, since the map was created.
  uint64_t probe_count() const noexcept { return probe_count_; }
  // Exact, without what the allocator adds and without what release_replaced() releases.
  uint64_t memory_bytes() const noexcept {
    return segment_bytes_ + directory_.capacity() * sizeof(PackedSegment);
  }
  // Makes room for `count` insertions. None of them then throws if `count` is at most kMostReserved and their
  // numbers at most kGreatestNarrow; otherwise one may if memory runs out. Throws std::bad_alloc and has lost
  // nothing.
  void reserve_more(size_t count);
  void swap(PackedNumberMap& other) noexcept;

 private:
  // A segment of so many slots is split when it is full; one whose hashes are unevenly distributed may grow
  // further.
  static constexpr size_t kSegmentSlots = 512;
  // Evenly distributed hashes need at most two entries per segment, and a few more by chance. The limit keeps
  // someone who knows the table's secret from blowing up the directory with a few keys.
  static constexpr size_t kMostEntriesPerSegment = 8;

  // Parts of the table, by the lowest bits of the hash, that are changed one at a time: so many that a
  // look-up rarely has to be repeated.
  static constexpr size_t kParts = 512;

  // Makes readers repeat their look-up in the parts that contain entries with these lowest bits.
  class PartChange;

  uint64_t hash_of(uint64_t key) const noexcept { return mix(key ^ secret_); }
  size_t entry_of(uint64_t hash) const noexcept {
    return static_cast<size_t>(hash) & (directory_.size() - 1);
  }
  const PackedSegment& segment_of(uint64_t hash) const noexcept { return directory_[entry_of(hash)]; }
  bool is_first(size_t entry) const noexcept { return entry >> directory_[entry].depth() == 0; }
  bool change_concurrently(uint64_t hash, uint64_t value) noexcept;
  static void give_way() noexcept;
  void start(uint64_t value);
  bool grow(uint64_t hash, uint64_t value, bool is_concurrent);
  bool prepare_split(uint64_t hash);
  void split(uint64_t hash, uint64_t widest, bool is_concurrent);
  void replace(uint64_t hash, const PackedSegment& by) noexcept;
  void release(const PackedSegment& old, bool is_concurrent) noexcept;
  void release_all() noexcept;

  uint64_t secret_;
  Vector<PackedSegment> directory_;  // by the lowest bits of the hash; a segment may have several
  size_t segment_count_ = 0;
  RelaxedCounter<uint64_t> segment_bytes_ = 0;
  RelaxedCounter<size_t> size_ = 0;
  size_t least_room_ = SIZE_MAX;  // at most that of any segment
  uint64_t probe_count_ = 0;
  Vector<PackedSegment> replaced_;                       // see release_replaced()
  std::array<std::atomic<uint32_t>, kParts> changes_{};  // odd: a change is in progress
};

}  // namespace nd
