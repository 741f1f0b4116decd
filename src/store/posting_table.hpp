// A layered table from 64-bit keys to lists of numbers: the inverted index of fingerprints, and that of spot
// signatures. Most lists are of one number, which costs no more than its entry.
#pragma once

#include <cstdint>
#include <span>

#include "store/layered_table.hpp"

namespace nd::store {

class PostingTable final : public LayeredTable {
 public:
  static constexpr uint64_t kGreatestNumber = (uint64_t{1} << 56) - 1;

  explicit PostingTable(uint64_t secret) noexcept;

  // What a list is: the numbers in the order of their addition. Lives until the key changes, or install(); a
  // single number lives in the List itself.
  class List;
  List find(uint64_t key) const noexcept;

  // At the end of the list, which is made if there is none. `number` 1..kGreatestNumber, not in the list.
  // Throws std::bad_alloc; the list is as before then. Cost: a list that stands in a run is copied first.
  void add(uint64_t key, uint64_t number);
  // False if it is not there. Does not allocate after prepare_removal() of the key.
  bool remove(uint64_t key, uint64_t number) noexcept;
  // Takes the key into the memory's layer. Throws std::bad_alloc; the content is the same then as before.
  void prepare_change(uint64_t key);
  // The key has the list no more, and is marked for good: it takes nothing any more (a hot key).
  void mark(uint64_t key) noexcept;  // after prepare_change()
  void reserve_more(size_t count);

  uint64_t marked_count() const noexcept;
  uint64_t number_count() const noexcept;  // in all lists
};

}  // namespace nd::store
