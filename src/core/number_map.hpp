// A hash table from 64-bit keys to numbers that are not zero: sixteen bytes a slot (segment_table.hpp).
#pragma once

#include <cassert>
#include <cstdint>
#include <utility>

#include "core/segment_table.hpp"

namespace nd {

// Every key is allowed. Threads: as a standard container.
class NumberMap {
 private:
  struct Slot {
    uint64_t key;
    uint64_t value;  // 0: free
    bool is_used() const noexcept { return value != 0; }
  };
  using Table = SegmentTable<Slot>;

 public:
  static constexpr size_t kMostReserved = Table::kMostReserved;

  explicit NumberMap(uint64_t secret) noexcept : table_(secret) {}
  NumberMap(const NumberMap&) = delete;
  NumberMap& operator=(const NumberMap&) = delete;

  // 0 if absent.
  uint64_t find(uint64_t key) const noexcept {
    const Slot* slot = table_.find(key).slot;
    return slot == nullptr ? 0 : slot->value;
  }
  struct Found {
    uint64_t value;   // 0 if absent
    uint32_t probes;  // slots looked at
  };
  Found find_counted(uint64_t key) const noexcept {
    const auto [slot, probes] = table_.find(key);
    return {slot == nullptr ? 0 : slot->value, probes};
  }

  // Adds or replaces; `value` is not 0. Replacing does not allocate. Throws std::bad_alloc and has changed
  // nothing. Cost: occasionally a segment is split, which does not depend on the size of the table.
  void put(uint64_t key, uint64_t value) {
    assert(value != 0);
    const Table::Inserted inserted = table_.insert({key, value});
    inserted.slot->value = value;
    probe_count_ += inserted.probes;
  }

  // Returns the number that was there, 0 if none.
  uint64_t erase(uint64_t key) noexcept {
    const auto [erased, probes] = table_.erase(key);
    if (erased.is_used()) probe_count_ += probes;
    return erased.value;
  }

  // visit(key, value), in an order that must not influence any answer.
  template <typename Visitor>
  void for_each(Visitor&& visit) const {
    table_.for_each([&](const Slot& slot) { visit(slot.key, slot.value); });
  }

  size_t size() const noexcept { return table_.size(); }
  // How many slots find() looks at.
  size_t probe_count(uint64_t key) const noexcept { return table_.find(key).probes; }
  // Slots that put() and erase() have examined, since the map was created.
  uint64_t probe_count() const noexcept { return probe_count_; }
  uint64_t memory_bytes() const noexcept { return table_.memory_bytes(); }
  // Makes room for `count` insertions. None of them then throws if `count` is at most kMostReserved; of more,
  // one may if memory runs out. Throws std::bad_alloc and has lost nothing.
  void reserve_more(size_t count) { table_.reserve_more(count); }
  void swap(NumberMap& other) noexcept {
    table_.swap(other.table_);
    std::swap(probe_count_, other.probe_count_);
  }

 private:
  Table table_;
  uint64_t probe_count_ = 0;
};

}  // namespace nd
