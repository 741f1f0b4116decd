// A hash table from 64-bit keys to small values that are not zero: a slot is free if its value is, so that a
// number takes sixteen bytes (segment_table.hpp).
#pragma once

#include <cassert>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "core/segment_table.hpp"

namespace nd {

// `Value` is trivially copyable, and Value{} has no byte but zeros. Every key is allowed. Threads: as a
// standard container.
template <typename Value>
class HashMap {
  static_assert(std::is_trivially_copyable_v<Value>);

 private:
  struct Slot {
    uint64_t key;
    Value value;
    bool is_used() const noexcept { return value != Value{}; }
  };
  using Table = SegmentTable<Slot>;

 public:
  static constexpr size_t kMostReserved = Table::kMostReserved;

  explicit HashMap(uint64_t secret) noexcept : table_(secret) {}

  // Zero if absent.
  Value find(uint64_t key) const noexcept { return find_counted(key).value; }
  struct Found {
    Value value;      // zero if absent
    uint32_t probes;  // slots looked at
  };
  Found find_counted(uint64_t key) const noexcept {
    const auto [slot, probes] = table_.find(key);
    return {slot == nullptr ? Value{} : slot->value, probes};
  }
  // The value in place, which must not become zero; null if absent. Valid until the next insertion or
  // erasure.
  Value* entry(uint64_t key) noexcept {
    Slot* slot = table_.find(key).slot;
    return slot == nullptr ? nullptr : &slot->value;
  }
  const Value* entry(uint64_t key) const noexcept {
    const Slot* slot = table_.find(key).slot;
    return slot == nullptr ? nullptr : &slot->value;
  }
  // See SegmentTable.
  void prefetch(uint64_t key) const noexcept { table_.prefetch(key); }

  // Adds or replaces; `value` is not zero. Replacing does not allocate. Throws std::bad_alloc and has changed
  // nothing. Cost: occasionally a segment is split, which does not depend on the size of the table.
  void put(uint64_t key, Value value) {
    assert(value != Value{});
    const typename Table::Inserted inserted = table_.insert({key, value});
    inserted.slot->value = value;
    probe_count_ += inserted.probes;
  }
  // The value in place, zero if it is new: it must be set before the next call. Otherwise as put().
  Value& operator[](uint64_t key) { return table_.insert({key, Value{}}).slot->value; }

  // Returns the value that was there, zero if none.
  Value erase(uint64_t key) noexcept {
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
  void swap(HashMap& other) noexcept {
    table_.swap(other.table_);
    std::swap(probe_count_, other.probe_count_);
  }

 private:
  Table table_;
  uint64_t probe_count_ = 0;
};

}  // namespace nd
