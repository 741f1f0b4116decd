// A hash table from 64-bit keys to small values (segment_table.hpp).
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/segment_table.hpp"

namespace nd {

// Threads: as a standard container.
template <typename Value>
class SegmentMap {
  static_assert(std::is_trivially_copyable_v<Value>);

 private:
  struct Slot {
    uint64_t key;
    uint32_t used;  // next to the key: a look-up reads both, and the value only if the key is present
    Value value;
    bool is_used() const noexcept { return used != 0; }
  };
  using Table = SegmentTable<Slot>;

 public:
  static constexpr uint64_t kSlotBytes = sizeof(Slot);

  explicit SegmentMap(uint64_t secret) noexcept : table_(secret) {}

  // Null if absent; valid until the next insertion or erasure.
  Value* find(uint64_t key) noexcept {
    Slot* slot = table_.find(key).slot;
    return slot == nullptr ? nullptr : &slot->value;
  }
  const Value* find(uint64_t key) const noexcept { return find_counted(key).value; }
  // Prefetches the memory where find() will begin, so that the cache misses of several find() in a large
  // table overlap.
  void prefetch(uint64_t key) const noexcept { table_.prefetch(key); }
  void prefetch_for_change(uint64_t key) const noexcept { table_.prefetch_for_change(key); }
  // The same as find(); also returns how many slots it looked at.
  struct Found {
    const Value* value;
    size_t probes;
  };
  Found find_counted(uint64_t key) const noexcept {
    const auto [slot, probes] = table_.find(key);
    return {slot == nullptr ? nullptr : &slot->value, probes};
  }

  // The value of the key, value-initialised if it is new. May throw std::bad_alloc, then nothing has changed.
  Value& operator[](uint64_t key) { return table_.insert({key, 1, Value{}}).slot->value; }
  bool erase(uint64_t key) noexcept { return table_.erase(key).first.is_used(); }

  // visit(key, value), in an order that must not influence any answer.
  template <typename Visitor>
  void for_each(Visitor&& visit) const {
    table_.for_each([&](const Slot& slot) { visit(slot.key, slot.value); });
  }

  size_t size() const noexcept { return table_.size(); }
  // How many slots find() looks at.
  size_t probe_count(uint64_t key) const noexcept { return find_counted(key).probes; }
  uint64_t memory_bytes() const noexcept { return table_.memory_bytes(); }
  // See SegmentTable.
  void reserve_more(size_t count) { table_.reserve_more(count); }

 private:
  Table table_;
};

}  // namespace nd
