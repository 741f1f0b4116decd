// Maps 64-bit keys to lists of postings, one per document, ascending by document.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "core/hash_map.hpp"
#include "core/memory.hpp"
#include "core/recycling_array.hpp"
#include "index/aging_list.hpp"

namespace nd {

// `Posting` has a uint32_t document. No answer depends on `secret`. Threads: as a standard container.
template <typename Posting>
class InvertedLists {
  static_assert(std::is_trivially_copyable_v<Posting>);

 public:
  // Approximate size of a list without its postings: its slot, its place and their share of free space.
  static constexpr uint64_t kListBytes = 72;

  explicit InvertedLists(uint64_t secret) noexcept : places_(secret) {}

  // Valid until the next change.
  std::span<const Posting> find(uint64_t key) const noexcept {
    uint64_t work = 0;
    return find(key, work);
  }
  // Adds to `work` the number of slots examined.
  std::span<const Posting> find(uint64_t key, uint64_t& work) const noexcept {
    const auto [place, probes] = places_.find_counted(key);
    work += probes;
    return place == 0 ? std::span<const Posting>() : lists_[place - 1].entries();
  }

  // Precondition: the document is greater than any in this list. Throws std::bad_alloc and has changed
  // nothing.
  void add(uint64_t key, const Posting& posting) {
    const auto [place, probes] = places_.find_counted(key);
    probe_count_ += probes + 1;
    if (place != 0) {
      append(lists_[place - 1], posting);
      ++posting_count_;
      return;
    }
    places_.reserve_more(1);
    const uint32_t taken = lists_.take();
    try {
      append(lists_[taken], posting);
    } catch (...) {
      lists_.give_back(taken);
      throw;
    }
    places_.put(key, taken + 1);
    ++posting_count_;
  }

  // False if it was not there. Cost: O(log n); removing any but the oldest moves the entries on the shorter
  // side.
  bool remove(uint64_t key, uint32_t document) noexcept {
    const auto [found, probes] = places_.find_counted(key);
    probe_count_ += probes + 1;
    if (found == 0) return false;
    const uint32_t place = found - 1;
    List& list = lists_[place];
    const std::span<const Posting> postings = list.entries();
    const auto at = std::lower_bound(postings.begin(), postings.end(), document,
                                     [](const Posting& posting, uint32_t d) { return posting.document < d; });
    probe_count_ += static_cast<uint64_t>(std::bit_width(postings.size()));
    if (at == postings.end() || at->document != document) return false;
    probe_count_ += list.erase(static_cast<size_t>(at - postings.begin()));
    --posting_count_;
    if (list.empty()) {
      held_bytes_ -= list.memory_bytes();
      lists_.give_back(place);
      places_.erase(key);
    }
    return true;
  }

  uint64_t key_count() const noexcept { return places_.size(); }
  uint64_t posting_count() const noexcept { return posting_count_; }
  // Keys that changes have looked up, the slots examined for them, and postings examined or moved, since the
  // object was created.
  uint64_t probe_count() const noexcept { return probe_count_; }
  // Exact, without what the allocator adds.
  uint64_t memory_bytes() const noexcept {
    return places_.memory_bytes() + lists_.memory_bytes() + held_bytes_;
  }

 private:
  using List = AgingList<Posting>;

  void append(List& list, const Posting& posting) {
    const size_t before = list.memory_bytes();
    list.push_back(posting);
    held_bytes_ += list.memory_bytes() - before;
  }

  HashMap<uint32_t> places_;  // from the key to its list, plus one
  RecyclingArray<List> lists_;
  uint64_t posting_count_ = 0;
  uint64_t held_bytes_ = 0;  // by the lists
  uint64_t probe_count_ = 0;
};

}  // namespace nd
