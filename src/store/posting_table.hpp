// A layered table from 64-bit keys to lists of numbers: the inverted index of fingerprints, and that of spot
// signatures. Most lists are of one number, which costs no more than its entry.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/relaxed_counter.hpp"
#include "store/layered_table.hpp"
#include "store/posting_layer.hpp"

namespace nd::store {

// Threads: as in LayeredTable; during add_concurrently() others may call find(), prefetch(), the counts and
// memory_bytes().
//
// A value in a run is empty if the key is marked; one number is stored in its shortest little-endian form,
// several as an array of 64-bit numbers, read in place. Anything else reads as absent. The numbers of a
// damaged run may have any value.
class PostingTable final : public TableOfLayers<PostingLayer> {
 public:
  static constexpr uint64_t kGreatestNumber = PostingLayer::kGreatestNumber;

  // The numbers of a key in the order of their addition. Valid until the key changes, or until install(); a
  // single number is stored in the List itself.
  class List {
   public:
    List() noexcept = default;
    size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    const uint64_t* begin() const noexcept { return numbers_ == nullptr ? &single_ : numbers_; }
    const uint64_t* end() const noexcept { return begin() + size_; }
    // Valid as long as the List.
    std::span<const uint64_t> numbers() const noexcept { return {begin(), size_}; }
    bool marked() const noexcept { return marked_; }  // then it is empty
    // Slots of the memory layers and runs examined for the key.
    uint32_t probes() const noexcept { return probes_; }
    // Cost: O(log n) in a list in memory that ascends.
    NumberPlace find(uint64_t number) const noexcept { return find_number(numbers(), number, ascends_); }

   private:
    friend class PostingTable;
    static List single(uint64_t number) noexcept;
    static List of(const NumberList::Content& content) noexcept;
    static List mark() noexcept;
    bool exists() const noexcept { return size_ != 0 || marked_; }

    const uint64_t* numbers_ = nullptr;  // null: the single number
    size_t size_ = 0;
    uint64_t single_ = 0;
    uint32_t probes_ = 0;
    bool marked_ = false;
    bool ascends_ = false;
  };

  // `secret`: see HashMap.
  explicit PostingTable(uint64_t secret) noexcept : TableOfLayers(secret) {}

  // Empty if the key is absent or marked.
  List find(uint64_t key) const noexcept;

  // Prefetches the memory that find() or add() reads first; for many keys, call it for all before the first
  // look-up.
  void prefetch(uint64_t key) const noexcept { active_.prefetch(key); }
  void prefetch_for_change(uint64_t key) const noexcept { active_.prefetch_for_change(key); }

  // Appends to the key's list, which is created if there is none. `number`: 1..kGreatestNumber, not in the
  // list. Returns the new size of the list; 0, having done nothing, if the key is marked. Throws
  // std::bad_alloc; the list is then the same as before. Cost: a list in a run is copied first.
  size_t add(uint64_t key, uint64_t number);
  // The state of a key before an addition; valid until the key changes.
  struct Found {
    PostingLayer::Entry active;
    List list;
  };
  // find(), for the thread that adds.
  Found find_to_add(uint64_t key) noexcept;
  // add() while others read. Returns nothing, and has changed nothing, if it would disturb readers or lacks
  // memory. Memory that readers may still use is freed by release_replaced().
  std::optional<size_t> add_concurrently(uint64_t key, uint64_t number, const Found& found) noexcept;
  std::optional<size_t> add_concurrently(uint64_t key, uint64_t number) noexcept {
    return add_concurrently(key, number, find_to_add(key));
  }
  // Called when all readers have finished that may have begun before the last add_concurrently().
  void release_replaced() noexcept { active_.release_replaced(); }
  // False if it is not there. Does not allocate after prepare_change() of the key.
  bool remove(uint64_t key, uint64_t number) noexcept;
  // Copies the key into the memory layer. Throws std::bad_alloc; the content is then the same as before.
  void prepare_change(uint64_t key);
  // Drops the key's list and marks the key for good (a hot key): it accepts no more numbers. Call after
  // prepare_change() of the key; for an absent key, after reserve_more(1).
  void mark(uint64_t key) noexcept;
  // Makes room for the entries of `count` keys. Throws std::bad_alloc.
  void reserve_more(size_t count) { active_.reserve_more(count); }

  // visit(key, list) of all keys that are not absent, ascending; false stops. Throws std::bad_alloc before
  // the first visit. Cost: a merge of all layers.
  template <typename Visitor>
  void for_each(Visitor&& visit) const {
    LayerMerge merge(ascending_keys(active_.keys(), 0), ascending_keys(frozen_.keys(), 0), runs_, 0);
    while (merge.next()) {
      const List list = list_at(merge);
      if (list.exists() && !visit(merge.key(), list)) return;
    }
  }

  uint64_t marked_count() const noexcept { return marked_count_; }
  uint64_t number_count() const noexcept { return number_count_; }  // in all lists
  // Slots and runs that changes searched for keys, and numbers that they examined, moved or copied, since the
  // table was created.
  uint64_t probe_count() const noexcept { return probe_count_ + active_.probe_count(); }
  // Called after attach(), since the runs do not record it.
  void restore_counts(uint64_t marked_count, uint64_t number_count) noexcept;

  // Marked keys count in size().
  void freeze() noexcept override;
  Result<void> write_frozen(RunSink& sink) const override;

 private:
  static List list_of(const PostingLayer& layer, const PostingLayer::Entry& entry) noexcept;
  static List list_of(const RunEntry& entry) noexcept;
  List find_below(uint64_t key) const noexcept;
  PostingLayer::Entry find_active(uint64_t key) noexcept;
  List list_at(const LayerMerge& merge) const noexcept;
  void take(uint64_t key, const List& below);
  PostingLayer::Entry take_for_change(uint64_t key);
  RelaxedCounter<uint64_t> marked_count_ = 0;
  RelaxedCounter<uint64_t> number_count_ = 0;
  uint64_t probe_count_ = 0;  // by look-ups, and in the layers below
};

}  // namespace nd::store
