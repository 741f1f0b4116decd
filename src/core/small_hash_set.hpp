// A set of 32-bit hashes that is filled once from a table of the library and then only read.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace nd {

// Cuckoo hashing (Pagh and Rodler 2004): an entry is in one of two slots, so that a look-up is two loads and
// no branch. At less than half full, every entry finds a slot; the tests look all of them up. Zero marks a
// free slot; no entry hashes to it. The hashes are not mixed with a secret, because the entries are the
// library's own.
template <size_t kSlots>
class SmallHashSet {
 public:
  void insert(uint32_t hash) noexcept {
    if (contains(hash)) return;
    size_t slot = first_slot(hash);
    for (size_t moves = 0; moves < kSlots && hash != 0; ++moves) {
      std::swap(hash, slots_[slot]);
      slot = slot == first_slot(hash) ? second_slot(hash) : first_slot(hash);
    }
    assert(hash == 0);
  }

  bool contains(uint32_t hash) const noexcept {
    const uint32_t unlike_first = slots_[first_slot(hash)] ^ hash;
    const uint32_t unlike_second = slots_[second_slot(hash)] ^ hash;
    return std::min(unlike_first, unlike_second) == 0 && hash != 0;
  }

 private:
  static_assert((kSlots & (kSlots - 1)) == 0 && kSlots <= 1 << 16);
  static constexpr size_t first_slot(uint32_t hash) noexcept { return hash & (kSlots - 1); }
  static constexpr size_t second_slot(uint32_t hash) noexcept { return (hash >> 16) & (kSlots - 1); }

  std::array<uint32_t, kSlots> slots_{};
};

}  // namespace nd
