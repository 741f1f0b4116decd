// A flat hash table from 64-bit keys to numbers that are not zero: sixteen bytes a slot, open addressing,
// linear probing, deletion by backward shift. Keys are mixed with a secret, so that no input can be written
// to collide.
#pragma once

#include <cassert>
#include <cstdint>
#include <utility>

#include "core/hash.hpp"
#include "core/memory.hpp"

namespace nd {

// Every key is allowed. Threads: as a standard container.
class NumberMap {
 public:
  explicit NumberMap(uint64_t secret) noexcept : secret_(secret) {}
  NumberMap(const NumberMap&) = delete;
  NumberMap& operator=(const NumberMap&) = delete;

  // 0 if absent.
  uint64_t find(uint64_t key) const noexcept { return slots_.empty() ? 0 : slots_[place(key)].value; }
  struct Found {
    uint64_t value;   // 0 if absent
    uint32_t probes;  // slots looked at
  };
  Found find_counted(uint64_t key) const noexcept {
    if (slots_.empty()) return {0, 0};
    const size_t at = place(key);
    return {slots_[at].value, static_cast<uint32_t>(probes(key, at))};
  }

  // Adds or replaces; `value` is not 0. Replacing does not allocate. Throws std::bad_alloc and has changed
  // nothing.
  void put(uint64_t key, uint64_t value) {
    assert(value != 0);
    if (slots_.empty()) grow();
    size_t at = place(key);
    passed_count_ += probes(key, at);
    if (slots_[at].value == 0) {
      if ((size_ + 1) * 4 > slots_.size() * 3) {
        grow();
        at = place(key);
      }
      ++size_;
    }
    slots_[at] = {key, value};
  }

  // What stood there; 0 if nothing did.
  uint64_t erase(uint64_t key) noexcept {
    if (slots_.empty()) return 0;
    size_t at = place(key);
    const uint64_t erased = slots_[at].value;
    if (erased == 0) return 0;
    // Whatever follows in the run moves up unless that would put it before its home.
    size_t follower = next(at);
    for (; slots_[follower].value != 0; follower = next(follower)) {
      const size_t distance_from_home = (follower - home(slots_[follower].key)) & mask();
      const size_t distance_to_hole = (follower - at) & mask();
      if (distance_from_home >= distance_to_hole) {
        slots_[at] = slots_[follower];
        at = follower;
      }
    }
    slots_[at].value = 0;
    --size_;
    passed_count_ += probes(key, follower);
    return erased;
  }

  // visit(key, value), in no order that may influence an answer.
  template <typename Visitor>
  void for_each(Visitor&& visit) const {
    for (const Slot& slot : slots_) {
      if (slot.value != 0) visit(slot.key, slot.value);
    }
  }

  size_t size() const noexcept { return size_; }
  // How many slots find() looks at.
  size_t probe_count(uint64_t key) const noexcept { return slots_.empty() ? 0 : probes(key, place(key)); }
  // Slots that put() and erase() have looked at, since it was made.
  uint64_t passed_count() const noexcept { return passed_count_; }
  uint64_t memory_bytes() const noexcept { return slots_.capacity() * sizeof(Slot); }
  // Room for `count` insertions, none of which then allocates.
  void reserve_more(size_t count) {
    while ((size_ + count) * 4 > slots_.size() * 3)
      grow();
  }
  void swap(NumberMap& other) noexcept {
    slots_.swap(other.slots_);
    std::swap(size_, other.size_);
    std::swap(secret_, other.secret_);
    std::swap(passed_count_, other.passed_count_);
  }

 private:
  struct Slot {
    uint64_t key;
    uint64_t value;  // 0: free
  };

  size_t mask() const noexcept { return slots_.size() - 1; }
  size_t home(uint64_t key) const noexcept { return static_cast<size_t>(mix(key ^ secret_)) & mask(); }
  size_t next(size_t at) const noexcept { return (at + 1) & mask(); }
  // Slots from the home of the key up to this one.
  size_t probes(uint64_t key, size_t at) const noexcept { return ((at - home(key)) & mask()) + 1; }
  // The slot of the key, or the free one where it would stand.
  size_t place(uint64_t key) const noexcept {
    size_t at = home(key);
    while (slots_[at].value != 0 && slots_[at].key != key)
      at = next(at);
    return at;
  }

  void grow() {
    Vector<Slot> old(slots_.empty() ? 16 : slots_.size() * 2, Slot{});
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.value != 0) slots_[place(slot.key)] = slot;
    }
  }

  Vector<Slot> slots_;  // a power of two with a free slot, or none
  size_t size_ = 0;
  uint64_t secret_;
  uint64_t passed_count_ = 0;
};

}  // namespace nd
