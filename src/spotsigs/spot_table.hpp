// The hash table of the spot index: from a signature to one 32-bit value, in 12 bytes an entry. Most
// signatures of a crawl occur in one document, so this table is most of the index. It is divided into shards
// that grow by themselves: no insertion stops to move the whole table, and memory follows the number of
// entries. Keys are mixed with a secret, so that no page can be written to collide; how full each shard is,
// and so memory_bytes(), depends on it. greatest_bytes() does not.
#pragma once

#include <cstdint>

#include "core/memory.hpp"

namespace nd::spotsigs {

// Threads: as a standard container.
class SpotTable {
 public:
  static constexpr uint32_t kAbsent = UINT32_MAX;  // never a value
  // An entry and the free slots beside it, at most: no shard stays less than half full.
  static constexpr uint64_t kGreatestBytesPerEntry = 24;

  explicit SpotTable(uint64_t secret) noexcept : secret_(secret) {}

  uint32_t find(uint64_t key) const noexcept;  // kAbsent if it is not there
  // Fetches the cache line of the key, for a find() soon after.
  void prefetch(uint64_t key) const noexcept;
  // Adds or replaces. Throws std::bad_alloc and has changed nothing; replacing never throws.
  void put(uint64_t key, uint32_t value);
  void erase(uint64_t key) noexcept;  // nothing if it is not there

  // visit(key, value&), in no order that may influence an answer; it must not change the table's keys.
  template <typename Visitor>
  void for_each(Visitor&& visit) {
    for (Shard& shard : shards_) {
      for (Slot& slot : shard.slots) {
        if (slot.value != kAbsent) visit(slot.key(), slot.value);
      }
    }
  }

  uint64_t size() const noexcept { return size_; }
  uint64_t memory_bytes() const noexcept { return shards_.capacity() * sizeof(Shard) + slot_bytes_; }
  // The most that memory_bytes() is for as many entries, whatever the secret and the order in which they came
  // and went; unless memory was wanting to shrink a shard, which its next erasure tries again.
  uint64_t greatest_bytes() const noexcept;

 private:
  struct Slot {
    uint32_t key_low;
    uint32_t key_high;
    uint32_t value;  // kAbsent: free
    uint64_t key() const noexcept { return uint64_t{key_high} << 32 | key_low; }
  };
  static_assert(sizeof(Slot) == 12 && kGreatestBytesPerEntry == 2 * sizeof(Slot));
  static constexpr unsigned kShardBits = 10;

  // Open addressing, linear probing, deletion by backward shift; any number of slots.
  struct Shard {
    Vector<Slot> slots;
    size_t used = 0;
  };

  uint64_t hash(uint64_t key) const noexcept;
  const Shard& shard_of(uint64_t hash) const noexcept { return shards_[hash >> (64 - kShardBits)]; }
  Shard& shard_of(uint64_t hash) noexcept { return shards_[hash >> (64 - kShardBits)]; }
  static size_t home(const Shard& shard, uint64_t hash) noexcept;
  // The slot of the key, or the free slot where it would stand. The shard has a free slot.
  size_t place(const Shard& shard, uint64_t key, uint64_t hash) const noexcept;
  void resize(Shard& shard, size_t slots);
  void shrink(Shard& shard) noexcept;

  Vector<Shard> shards_;  // none until the first entry
  uint64_t slot_bytes_ = 0;
  uint64_t size_ = 0;
  uint64_t secret_;
};

}  // namespace nd::spotsigs
