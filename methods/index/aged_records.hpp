// Records by the caller's ids, numbered by age: the basis of every index of documents.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/hash_map.hpp"
#include "core/memory.hpp"
#include "core/recycling_array.hpp"

namespace nd {

// `Record` has memory_bytes() and moves without throwing. Numbers go up from 1 by insertion and are never
// used again; 0 means none. Threads: as a standard container.
template <typename Record>
class AgedRecords {
 public:
  static constexpr uint32_t kGreatestNumber = UINT32_MAX - 1;

  explicit AgedRecords(uint64_t secret) noexcept : numbers_(secret), places_(secret) {}

  uint32_t number_of(uint64_t id) const noexcept { return static_cast<uint32_t>(numbers_.find(id)); }
  uint64_t id_of(uint32_t number) const noexcept { return entries_[place(number)].id; }
  const Record& record(uint32_t number) const noexcept { return entries_[place(number)].record; }
  // The caller must not change how much memory the record holds.
  Record& record(uint32_t number) noexcept { return entries_[place(number)].record; }
  bool contains(uint32_t number) const noexcept { return places_.find(number) != 0; }
  size_t size() const noexcept { return places_.size(); }
  bool exhausted() const noexcept { return last_number_ == kGreatestNumber; }

  // Precondition: the id is unknown and the numbers are not exhausted. Throws std::bad_alloc and has changed
  // nothing.
  uint32_t add(uint64_t id, Record record) {
    numbers_.reserve_more(1);
    places_.reserve_more(1);
    const uint32_t taken = entries_.take();
    Entry& entry = entries_[taken];
    const uint32_t number = ++last_number_;
    entry = {id, number, std::move(record)};
    held_bytes_ += entry.record.memory_bytes();
    numbers_.put(id, number);
    places_.put(number, uint64_t{taken} + 1);
    return number;
  }

  // Replaces the record of a number that is in use.
  void replace(uint32_t number, Record record) noexcept {
    Entry& entry = entries_[place(number)];
    held_bytes_ -= entry.record.memory_bytes();
    entry.record = std::move(record);
    held_bytes_ += entry.record.memory_bytes();
  }

  // Precondition: the number is in use.
  void remove(uint32_t number) noexcept {
    const uint32_t at = place(number);
    const Entry& entry = entries_[at];
    held_bytes_ -= entry.record.memory_bytes();
    numbers_.erase(entry.id);
    places_.erase(number);
    entries_.give_back(at);
  }

  // 0 if there is none. Cost: all calls together pass each number once.
  uint32_t oldest() noexcept {
    if (size() == 0) return 0;
    while (!contains(oldest_number_))
      ++oldest_number_;
    return oldest_number_;
  }

  // The oldest first. Throws std::bad_alloc.
  Vector<uint32_t> numbers() const {
    Vector<uint32_t> all;
    all.reserve(size());
    entries_.for_each_place([&](uint32_t, const Entry& entry) {
      if (entry.number != 0) all.push_back(entry.number);
    });
    std::sort(all.begin(), all.end());
    return all;
  }

  // Exact, without what the allocator adds.
  uint64_t memory_bytes() const noexcept {
    return numbers_.memory_bytes() + places_.memory_bytes() + entries_.memory_bytes() + held_bytes_;
  }

 private:
  struct Entry {
    uint64_t id = 0;
    uint32_t number = 0;  // 0: free
    Record record{};
  };

  uint32_t place(uint32_t number) const noexcept { return static_cast<uint32_t>(places_.find(number) - 1); }

  HashMap<uint64_t> numbers_;  // from the id
  HashMap<uint64_t> places_;   // from the number to its entry, plus one
  RecyclingArray<Entry> entries_;
  uint32_t last_number_ = 0;
  uint32_t oldest_number_ = 1;
  uint64_t held_bytes_ = 0;  // by the records
};

}  // namespace nd
