// Documents that are found by keys and then compared: what every baseline's index is made of.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "baselines/matches.hpp"
#include "core/aged_records.hpp"
#include "core/inverted_lists.hpp"
#include "core/memory.hpp"

namespace nd::baselines {

// `Record` has memory_bytes() and content_bytes(), which is the same for equal records however they were
// made, and moves without throwing. Answers are a function of the limits and of the
// calls alone, never of the secret.
//
// Threads: any number of searches or one writer.
template <typename Record>
class KeyedRecords {
 public:
  KeyedRecords(uint64_t secret, const Limits& limits) noexcept
      : secret_(secret), limits_(limits), entries_(secret), lists_(secret) {}

  // Refused, false: no keys; an id in use; more than an eighth of the budget; 2^32 - 1 insertions. `keys` are
  // distinct. Throws std::bad_alloc and has changed nothing.
  bool insert(uint64_t id, Record record, Vector<uint64_t> keys) {
    Entry entry{std::move(record), std::move(keys)};
    const uint64_t bytes = bytes_of(entry);
    if (entry.keys.empty() || contains(id) || entries_.exhausted() ||
        (limits_.bytes != 0 && bytes > limits_.bytes / kLargestShare)) {
      ++counts_.refused;
      return false;
    }
    const uint32_t number = entries_.add(id, std::move(entry));
    try {
      post(number, entries_.record(number).keys, lists_);
    } catch (...) {
      entries_.remove(number);
      throw;
    }
    content_bytes_ += bytes;
    while (limits_.bytes != 0 && content_bytes_ > limits_.bytes) {
      remove_number(entries_.oldest());
      ++counts_.evicted;
    }
    return true;
  }

  // False if the id is unknown.
  bool remove(uint64_t id) noexcept {
    const uint32_t number = entries_.number_of(id);
    if (number == 0) return false;
    remove_number(number);
    return true;
  }

  bool contains(uint64_t id) const noexcept { return entries_.number_of(id) != 0; }

  // The records that share a key and of which score(record) is not below 0. Throws std::bad_alloc.
  template <typename Score>
  Matches find(std::span<const uint64_t> keys, const Score& score) const {
    Matches answer;
    Vector<uint32_t> candidates;
    for (const uint64_t key : keys) {
      const std::span<const Posting> list = lists_.find(key);
      // The newest first: of what a limit cuts, the old is least likely to be asked for.
      for (size_t i = list.size(); i > 0 && !answer.limited; --i) {
        answer.limited = limits_.postings != 0 && answer.postings == limits_.postings;
        if (answer.limited) break;
        ++answer.postings;
        candidates.push_back(list[i - 1].document);
      }
    }
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    answer.compared = candidates.size();
    for (const uint32_t number : candidates) {
      const double value = score(entries_.record(number).record);
      if (value >= 0) answer.matches.push_back({entries_.id_of(number), value, number});
    }
    answer.rank(limits_.matches);
    return answer;
  }

  template <typename Visit>
  void for_each(const Visit& visit) const {
    for (const uint32_t number : entries_.numbers())
      visit(entries_.record(number).record);
  }

  // Makes every record anew, for a new epoch: remake(record) returns a record and its keys, none if it cannot
  // be found any more. Throws std::bad_alloc and has changed nothing.
  template <typename Remake>
  void remake(const Remake& remake) {
    const Vector<uint32_t> numbers = entries_.numbers();
    Vector<Entry> made;
    made.reserve(numbers.size());
    InvertedLists<Posting> lists(secret_);
    for (const uint32_t number : numbers) {
      auto [record, keys] = remake(entries_.record(number).record);
      made.push_back({std::move(record), std::move(keys)});
      post(number, made.back().keys, lists);
    }
    lists_ = std::move(lists);
    content_bytes_ = 0;
    for (size_t i = 0; i < numbers.size(); ++i) {
      content_bytes_ += bytes_of(made[i]);
      entries_.replace(numbers[i], std::move(made[i]));
    }
  }

  Counts counts() const noexcept {
    Counts counts = counts_;
    counts.documents = entries_.size();
    return counts;
  }
  // Exact, without what the allocator adds.
  uint64_t memory_bytes() const noexcept { return entries_.memory_bytes() + lists_.memory_bytes(); }
  // What the budget counts.
  uint64_t content_bytes() const noexcept { return content_bytes_; }

 private:
  struct Posting {
    uint32_t document;
  };
  struct Entry {
    Record record{};
    Vector<uint64_t> keys;
    uint64_t memory_bytes() const noexcept {
      return record.memory_bytes() + keys.capacity() * sizeof(uint64_t);
    }
  };
  static constexpr uint64_t kLargestShare = 8;  // of the budget: one page must not empty the index
  static constexpr uint64_t kEntryBytes = 96;
  static constexpr uint64_t kKeyBytes = sizeof(uint64_t) + 16;  // in the entry, and in its list

  static uint64_t bytes_of(const Entry& entry) noexcept {
    return kEntryBytes + entry.record.content_bytes() + entry.keys.size() * kKeyBytes;
  }

  // All or nothing.
  static void post(uint32_t number, std::span<const uint64_t> keys, InvertedLists<Posting>& lists) {
    size_t posted = 0;
    try {
      for (; posted < keys.size(); ++posted)
        lists.add(keys[posted], {number});
    } catch (...) {
      for (; posted > 0; --posted)
        lists.remove(keys[posted - 1], number);
      throw;
    }
  }

  void remove_number(uint32_t number) noexcept {
    const Entry& entry = entries_.record(number);
    for (const uint64_t key : entry.keys)
      lists_.remove(key, number);
    content_bytes_ -= bytes_of(entry);
    entries_.remove(number);
  }

  uint64_t secret_;
  Limits limits_;
  AgedRecords<Entry> entries_;
  InvertedLists<Posting> lists_;
  uint64_t content_bytes_ = 0;
  Counts counts_;
};

}  // namespace nd::baselines
