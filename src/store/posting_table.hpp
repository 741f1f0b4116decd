// A layered table from 64-bit keys to lists of numbers: the inverted index of fingerprints, and that of spot
// signatures. Most lists are of one number, which costs no more than its entry.
#pragma once

#include <cstdint>
#include <span>

#include "store/layered_table.hpp"
#include "store/posting_layer.hpp"

namespace nd::store {

// A value in a run is empty if the key is marked, the number's least little-endian bytes if it is one, else
// an array of 64-bit numbers, read in place; what is none of these reads as absent. The numbers of a damaged
// run may be any.
class PostingTable final : public LayeredTable {
 public:
  static constexpr uint64_t kGreatestNumber = PostingLayer::kGreatestNumber;

  // The numbers of a key in the order of their addition. Lives until the key changes, or install(); a single
  // number lives in the List itself.
  class List {
   public:
    List() noexcept = default;
    size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    const uint64_t* begin() const noexcept { return numbers_ == nullptr ? &single_ : numbers_; }
    const uint64_t* end() const noexcept { return begin() + size_; }
    // Lives as long as the List.
    std::span<const uint64_t> numbers() const noexcept { return {begin(), size_}; }
    bool marked() const noexcept { return marked_; }  // then it is empty
    // Slots of the layers in memory, and runs, that the key was looked for in.
    uint32_t probes() const noexcept { return probes_; }
    // Cost: O(log n) in a list in memory that ascends.
    NumberPlace find(uint64_t number) const noexcept { return find_number(numbers(), number, ascends_); }

   private:
    friend class PostingTable;
    static List single(uint64_t number) noexcept;
    static List of(std::span<const uint64_t> numbers, bool ascends) noexcept;
    static List mark() noexcept;
    bool exists() const noexcept { return size_ != 0 || marked_; }

    const uint64_t* numbers_ = nullptr;  // null: the single number
    size_t size_ = 0;
    uint64_t single_ = 0;
    uint32_t probes_ = 0;
    bool marked_ = false;
    bool ascends_ = false;
  };

  // `secret`: see NumberMap.
  explicit PostingTable(uint64_t secret) noexcept
      : secret_(secret), active_(secret), frozen_(secret), spent_(secret) {}

  // Empty if the key is absent or marked.
  List find(uint64_t key) const noexcept;

  // Has the memory at hand where find() or add() begins; for many keys at once, before the first of them.
  void prefetch(uint64_t key) const noexcept { active_.prefetch(key); }
  void prefetch_for_change(uint64_t key) const noexcept { active_.prefetch_for_change(key); }

  // At the end of the list, which is made if there is none. `number`: 1..kGreatestNumber, not in the list.
  // Nothing if the key is marked. Gives the size of the list then; 0 if the key is marked. Throws
  // std::bad_alloc; the list is as before then. Cost: a list that stands in a run is copied first, unless
  // prepare_additions() has done so.
  size_t add(uint64_t key, uint64_t number);
  // Before add() of these keys, in this order, by the one thread that changes the table and beside those that
  // read it: looks for the keys, and copies the lists that stand in layers below, so that little is left to
  // do while nobody reads. Whatever else changes before is allowed, and has the rest looked for again. Throws
  // std::bad_alloc; the content is as before.
  void prepare_additions(std::span<const uint64_t> keys);
  // find(), by what was prepared of the key if add() may follow.
  List find_to_add(uint64_t key) noexcept;
  // False if it is not there. Does not allocate after prepare_change() of the key.
  bool remove(uint64_t key, uint64_t number) noexcept;
  // Takes the key into the memory's layer. Throws std::bad_alloc; the content is the same then as before.
  void prepare_change(uint64_t key);
  // The key has the list no more, and is marked for good: it takes nothing any more (a hot key). After
  // prepare_change() of the key; of one that is absent, after reserve_more(1).
  void mark(uint64_t key) noexcept;
  // Room for the entries of `count` keys. Throws std::bad_alloc.
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
  // Slots, and runs, that changes have looked for keys in, and numbers that they have looked at, moved or
  // copied, since the table was made.
  uint64_t probe_count() const noexcept { return probe_count_ + active_.probe_count(); }
  // After attach(): the runs do not say.
  void restore_counts(uint64_t marked_count, uint64_t number_count) noexcept;

  // Marked keys count.
  uint64_t size() const noexcept override { return size_; }
  uint64_t memory_bytes() const noexcept override { return active_.memory_bytes() + frozen_.memory_bytes(); }
  void attach(Runs runs, uint64_t size) noexcept override;
  void prepare_freeze() override {}
  void freeze() noexcept override;
  bool has_frozen() const noexcept override { return has_frozen_; }
  Result<void> write_frozen(RunSink& sink) const override;
  void install(Runs runs) noexcept override;
  void discard() noexcept override { PostingLayer(secret_).swap(spent_); }

 private:
  static List list_of(const PostingLayer& layer, const PostingLayer::Entry& entry) noexcept;
  static List list_of(const RunEntry& entry) noexcept;
  List find_below(uint64_t key) const noexcept;
  PostingLayer::Entry find_active(uint64_t key) noexcept;
  List list_at(const LayerMerge& merge) const noexcept;
  void take(uint64_t key, const List& below);
  PostingLayer::Entry take_for_change(uint64_t key);
  // A key as it stands, as long as nothing but the keys prepared before it changes.
  struct Prepared {
    uint64_t key = 0;
    PostingLayer::Entry entry{PostingLayer::Kind::kAbsent, 0, 0};  // of the active layer, or marked below
    PostingLayer::List below = {};                                 // of a key that the active layer lacks
  };
  Prepared prepare(uint64_t key);
  Prepared* prepared(uint64_t key) noexcept;
  size_t add_prepared(Prepared& prepared, uint64_t number);
  void forget_prepared() noexcept { next_prepared_ = prepared_.size(); }
  bool is_distinct(std::span<const uint64_t> keys);

  uint64_t secret_;
  PostingLayer active_;
  PostingLayer frozen_;
  PostingLayer spent_;  // empty between discard() and install()
  bool has_frozen_ = false;
  Runs runs_;
  uint64_t size_ = 0;
  uint64_t marked_count_ = 0;
  uint64_t number_count_ = 0;
  uint64_t probe_count_ = 0;  // by look-ups, and in the layers below
  // Of who changes the table alone: readers never look here.
  Vector<Prepared> prepared_;
  size_t next_prepared_ = 0;
  Vector<uint64_t> seen_keys_;  // a table; 0: free
};

}  // namespace nd::store
