// The lists of a posting table in one of its memory layers, and the keys that this layer has as marked or
// erased. A list of one number is stored in its entry.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/memory.hpp"
#include "core/packed_number_map.hpp"
#include "core/recycling_array.hpp"
#include "core/relaxed_counter.hpp"
#include "store/number_list.hpp"

namespace nd::store {

// Threads: as a standard container, except that find(), list(), prefetch() and memory_bytes() may be called
// while another thread is in put_concurrently() or add_concurrently().
class PostingLayer {
 public:
  static constexpr uint64_t kGreatestNumber = (uint64_t{1} << 56) - 1;

  enum class Kind : uint8_t { kSingle, kList, kMarked, kErased, kAbsent };  // the first four: two bits
  struct Entry {
    Kind kind;
    uint32_t probes;  // slots examined for the key
    uint64_t value;   // the number of a single, or of the list
  };

  // Copies the list of another layer, leaving out invalid numbers (of a damaged run), and with room for more,
  // so that the next number does not force another copy of a long list. Throws std::bad_alloc.
  static NumberList copy(std::span<const uint64_t> numbers);

  explicit PostingLayer(uint64_t secret) noexcept : entries_(secret) {}
  PostingLayer(const PostingLayer&) = delete;
  PostingLayer& operator=(const PostingLayer&) = delete;
  ~PostingLayer() { release_replaced(); }

  // kAbsent: the layers below decide about the key.
  Entry find(uint64_t key) const noexcept;
  // For an entry that is a list. The numbers do not move until the list is changed by a call other than
  // add_concurrently(), or until release_replaced().
  NumberList::Content list(const Entry& entry) const noexcept { return lists_[entry.value].content(); }

  void prefetch(uint64_t key) const noexcept { entries_.prefetch(key); }
  void prefetch_for_change(uint64_t key) const noexcept { entries_.prefetch_for_change(key); }

  // For a key that the layer does not have; without a number it is marked as erased. Throws std::bad_alloc
  // and has changed nothing.
  void put(uint64_t key, NumberList list);
  // Appends to the list of a key that is not marked and whose entry was just found. Throws std::bad_alloc and
  // has changed nothing.
  void add(uint64_t key, const Entry& entry, uint64_t number);
  // Both may run while others read; put() takes ownership of the list only if it returns true. False, and
  // nothing has changed, if the call would disturb readers or lacks memory. Memory that readers may still use
  // is freed by release_replaced().
  bool put_concurrently(uint64_t key, NumberList& list) noexcept;
  bool add_concurrently(uint64_t key, const Entry& entry, uint64_t number) noexcept;
  // Called when all readers have finished that may have begun before the last of these calls.
  void release_replaced() noexcept;
  // For a key that the layer has; removing its last number erases the key. False if the number is not there.
  bool remove(uint64_t key, uint64_t number) noexcept;
  // These do not allocate if the layer has the key, nor after reserve_more(1).
  void set_marked(uint64_t key) noexcept { replace(key, make(Kind::kMarked, 0)); }
  void set_erased(uint64_t key) noexcept { replace(key, make(Kind::kErased, 0)); }
  // Removes the key from this layer.
  void forget(uint64_t key) noexcept;
  void reserve_more(size_t count) { entries_.reserve_more(count); }

  const PackedNumberMap& keys() const noexcept { return entries_; }
  uint64_t memory_bytes() const noexcept;
  void swap(PostingLayer& other) noexcept;
  // Slots examined by changes, and numbers that remove() examined or moved, since the layer was created.
  uint64_t probe_count() const noexcept { return probe_count_ + entries_.probe_count(); }

 private:
  static constexpr unsigned kKindBits = 2;
  static constexpr uint64_t kKinds = (uint64_t{1} << kKindBits) - 1;
  static constexpr uint64_t make(Kind kind, uint64_t value) noexcept {
    return value << kKindBits | static_cast<uint64_t>(kind);
  }
  // Each is the number of an entry that replaces any other without allocating.
  static constexpr uint64_t kMostLists = PackedNumberMap::kGreatestNarrow >> kKindBits;
  void replace(uint64_t key, uint64_t entry) noexcept;
  uint32_t keep(NumberList&& list);
  bool keep_concurrently(uint64_t key, NumberList& list) noexcept;
  void free_list(uint64_t list) noexcept;

  PackedNumberMap entries_;  // value above, kind below: never 0
  RecyclingArray<NumberList> lists_;
  RelaxedCounter<uint64_t> list_bytes_ = 0;
  RelaxedCounter<uint64_t> array_bytes_ = 0;  // of lists_ itself
  Vector<uint64_t*> replaced_;                // see release_replaced()
  uint64_t probe_count_ = 0;
};

// Where a number is in a list that is ordered by time of addition. Numbers are assigned in ascending order,
// so most lists ascend: all except those that an older number joined late.
struct NumberPlace {
  size_t place;     // the size of the list: the number is not there
  uint64_t passed;  // numbers examined
};

// `ascends`: the list is known to ascend. Cost: O(log n); in a list that may not ascend, O(n) for a number
// that is missing or joined late.
inline NumberPlace find_number(std::span<const uint64_t> numbers, uint64_t number, bool ascends) noexcept {
  if (numbers.empty() || numbers.front() == number) return {0, 1};
  const auto found = std::lower_bound(numbers.begin(), numbers.end(), number);
  const uint64_t halvings = std::bit_width(numbers.size());
  if (found != numbers.end() && *found == number)
    return {static_cast<size_t>(found - numbers.begin()), halvings};
  if (ascends) return {numbers.size(), halvings};
  // Searched from the end: the most recent numbers are asked for most.
  for (size_t place = numbers.size(); place > 0; --place) {
    if (numbers[place - 1] == number) return {place - 1, halvings + numbers.size() - place + 1};
  }
  return {numbers.size(), halvings + numbers.size()};
}

}  // namespace nd::store
