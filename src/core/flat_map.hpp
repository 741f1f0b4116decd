// A flat hash table from 64-bit keys to small values: open addressing, linear probing, deletion by backward
// shift. Keys are mixed with a secret, so that no input can be written to collide.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/hash.hpp"
#include "core/memory.hpp"

namespace nd {

// Threads: as a standard container.
template <typename Value>
class FlatMap {
  static_assert(std::is_trivially_copyable_v<Value>);

 private:
  struct Slot {
    uint64_t key;
    Value value;
    uint32_t used;
  };

 public:
  static constexpr uint64_t kSlotBytes = sizeof(Slot);

  explicit FlatMap(uint64_t secret) noexcept : secret_(secret) {}

  // Null if absent; valid until the next insertion or erasure.
  Value* find(uint64_t key) noexcept {
    if (slots_.empty()) return nullptr;
    for (size_t at = home(key);; at = next(at)) {
      if (slots_[at].used == 0) return nullptr;
      if (slots_[at].key == key) return &slots_[at].value;
    }
  }
  const Value* find(uint64_t key) const noexcept { return const_cast<FlatMap*>(this)->find(key); }
  // Has the memory at hand where find() will begin; several find() of a large table then wait for it
  // together.
  void prefetch(uint64_t key) const noexcept {
    if (!slots_.empty()) __builtin_prefetch(&slots_[home(key)]);
  }
  // The same as find(), and how many slots it looked at.
  struct Found {
    const Value* value;
    size_t probes;
  };
  Found find_counted(uint64_t key) const noexcept {
    if (slots_.empty()) return {nullptr, 0};
    size_t at = home(key);
    while (slots_[at].used != 0 && slots_[at].key != key)
      at = next(at);
    return {slots_[at].used == 0 ? nullptr : &slots_[at].value, ((at - home(key)) & mask()) + 1};
  }

  // The value of the key, value-initialised if it is new. May throw std::bad_alloc, then nothing has changed.
  Value& operator[](uint64_t key) {
    if ((size_ + 1) * 4 > slots_.size() * 3) grow();
    size_t at = home(key);
    while (slots_[at].used != 0) {
      if (slots_[at].key == key) return slots_[at].value;
      at = next(at);
    }
    slots_[at] = {key, Value{}, 1};
    ++size_;
    return slots_[at].value;
  }

  bool erase(uint64_t key) noexcept {
    if (slots_.empty()) return false;
    size_t at = home(key);
    for (;; at = next(at)) {
      if (slots_[at].used == 0) return false;
      if (slots_[at].key == key) break;
    }
    // Whatever follows in the run moves up unless that would put it before its home.
    for (size_t follower = next(at); slots_[follower].used != 0; follower = next(follower)) {
      const size_t distance_from_home = (follower - home(slots_[follower].key)) & mask();
      const size_t distance_to_hole = (follower - at) & mask();
      if (distance_from_home >= distance_to_hole) {
        slots_[at] = slots_[follower];
        at = follower;
      }
    }
    slots_[at].used = 0;
    --size_;
    return true;
  }

  // visit(key, value), in no order that may influence an answer.
  template <typename Visitor>
  void for_each(Visitor&& visit) const {
    for (const Slot& slot : slots_) {
      if (slot.used != 0) visit(slot.key, slot.value);
    }
  }

  size_t size() const noexcept { return size_; }
  // How many slots find() looks at.
  size_t probe_count(uint64_t key) const noexcept { return find_counted(key).probes; }
  uint64_t memory_bytes() const noexcept { return slots_.capacity() * sizeof(Slot); }
  // Room for `count` insertions, none of which then allocates.
  void reserve_more(size_t count) {
    while ((size_ + count + 1) * 4 > slots_.size() * 3)
      grow();
  }

 private:
  size_t mask() const noexcept { return slots_.size() - 1; }
  size_t home(uint64_t key) const noexcept { return static_cast<size_t>(mix(key ^ secret_)) & mask(); }
  size_t next(size_t at) const noexcept { return (at + 1) & mask(); }

  void grow() {
    Vector<Slot> old(slots_.empty() ? 16 : slots_.size() * 2, Slot{});
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.used == 0) continue;
      size_t at = home(slot.key);
      while (slots_[at].used != 0)
        at = next(at);
      slots_[at] = slot;
    }
  }

  Vector<Slot> slots_;  // a power of two, or none
  size_t size_ = 0;
  uint64_t secret_;
};

}  // namespace nd
