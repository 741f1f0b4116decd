// Documents that are found by keys and then compared; the index of every baseline is built on it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "core/memory.hpp"
#include "index/aged_records.hpp"
#include "index/inverted_lists.hpp"

namespace nd::baselines {

// The limits that all baselines have.
struct Limits {
  uint64_t bytes = 0;           // budget of what is kept; beyond it the oldest documents go; 0: none
  uint64_t postings = 1 << 16;  // that a search looks at, at most; 0: no limit
  uint32_t matches = 64;        // that a search returns, at most; 0: no limit
  // Bytes of both documents that the comparisons of a search may read; the last pair may exceed them. 0: no
  // limit. Four million words or shingles, some ten milliseconds: `postings` alone would allow a hundred
  // times as many of the longest documents.
  uint64_t compared_bytes = uint64_t{1} << 25;
};

struct Match {
  uint64_t id;
  double score;     // 0..1
  uint32_t number;  // the older, the smaller
};

// What a search of a baseline returns.
struct Matches {
  Vector<Match> matches;  // best first, older first among equals
  bool limited = false;   // `postings` or `compared_bytes` was reached: matches may be missing
  bool more = false;      // there are more than `matches`: these are the best
  uint64_t postings = 0;  // looked at
  uint64_t compared = 0;  // documents
  // Keys looked up, slots that they were looked for in, postings, and what comparisons read, eight bytes at a
  // time.
  uint64_t work = 0;

  void rank(uint32_t limit) {
    std::sort(matches.begin(), matches.end(), [](const Match& a, const Match& b) {
      return a.score != b.score ? a.score > b.score : a.number < b.number;
    });
    more = limit != 0 && matches.size() > limit;
    if (more) matches.resize(limit);
  }
};

struct Counts {
  uint64_t documents = 0;
  uint64_t evicted = 0;  // by the budget, since the beginning
  uint64_t refused = 0;  // insertions that indexed nothing
};

// `Record` moves without throwing and has memory_bytes(); content_bytes(), which is the same for equal
// records however they were made; and compared_bytes(), what a comparison reads of it. Answers depend only on
// the limits and the calls, never on the secret.
//
// Threads: any number of searches or one writer.
template <typename Record>
class KeyedRecords {
 public:
  KeyedRecords(uint64_t secret, const Limits& limits) noexcept
      : secret_(secret), limits_(limits), entries_(secret), lists_(secret) {}

  // `keys` are distinct; a record without any is found by no search until remake() gives it some. Refused,
  // false: an id in use; more than an eighth of the budget; 2^32 - 2 insertions in all. Throws std::bad_alloc
  // and has changed nothing.
  bool insert(uint64_t id, Record record, Vector<uint64_t> keys) {
    Entry entry{std::move(record), std::move(keys)};
    const uint64_t bytes = bytes_of(entry);
    const uint64_t most_bytes = bytes + entry.keys.size() * Lists::kListBytes;
    if (contains(id) || entries_.exhausted() ||
        (limits_.bytes != 0 && most_bytes > limits_.bytes / kLargestShare)) {
      return refuse();
    }
    const uint32_t number = entries_.add(id, std::move(entry));
    try {
      post(number, entries_.record(number).keys, lists_);
    } catch (...) {
      entries_.remove(number);
      throw;
    }
    record_bytes_ += bytes;
    while (limits_.bytes != 0 && content_bytes() > limits_.bytes) {
      remove_number(entries_.oldest());
      ++counts_.evicted;
    }
    return true;
  }
  // Counts a document for which nothing is kept. Returns false.
  bool refuse() noexcept {
    ++counts_.refused;
    return false;
  }

  // False if the id is unknown.
  bool remove(uint64_t id) noexcept {
    const uint32_t number = entries_.number_of(id);
    if (number == 0) return false;
    remove_number(number);
    return true;
  }

  bool contains(uint64_t id) const noexcept { return entries_.number_of(id) != 0; }

  // The records that share a key and whose score(record) is not below 0. A search that is cut by a limit has
  // read the shortest lists, the newest postings of each, and compared the records that share most keys.
  // `asked_bytes`: what a comparison reads besides the record. Throws std::bad_alloc.
  template <typename Score>
  Matches find(std::span<const uint64_t> keys, uint64_t asked_bytes, const Score& score) const {
    Matches answer;
    uint64_t compared_bytes = 0;
    for (const Candidate& candidate : candidates(keys, answer)) {
      if (limits_.compared_bytes != 0 && compared_bytes >= limits_.compared_bytes) {
        answer.limited = true;
        break;
      }
      const Record& record = entries_.record(candidate.number).record;
      compared_bytes += asked_bytes + record.compared_bytes();
      ++answer.compared;
      const double value = score(record);
      if (value >= 0) answer.matches.push_back({entries_.id_of(candidate.number), value, candidate.number});
    }
    answer.work += keys.size() + answer.postings + answer.compared + compared_bytes / kWorkBytes;
    answer.rank(limits_.matches);
    return answer;
  }

  template <typename Visit>
  void for_each(const Visit& visit) const {
    for (const uint32_t number : entries_.numbers())
      visit(entries_.record(number).record);
  }

  // Remakes every record, for a new epoch: remake(record) returns a record and its keys, none if it cannot
  // be found any more. Throws std::bad_alloc and has changed nothing.
  template <typename Remake>
  void remake(const Remake& remake) {
    const Vector<uint32_t> numbers = entries_.numbers();
    Vector<Entry> made;
    made.reserve(numbers.size());
    Lists lists(secret_);
    for (const uint32_t number : numbers) {
      auto [record, keys] = remake(entries_.record(number).record);
      made.push_back({std::move(record), std::move(keys)});
      probe_count_ += 1 + made.back().record.content_bytes() / kWorkBytes;
      post(number, made.back().keys, lists);
    }
    probe_count_ += lists_.probe_count();
    lists_ = std::move(lists);
    record_bytes_ = 0;
    for (size_t i = 0; i < numbers.size(); ++i) {
      record_bytes_ += bytes_of(made[i]);
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
  // Since the object was created: keys that changes have looked up, slots of tables looked at and postings
  // moved for them, and what remake() read, in units of eight bytes.
  uint64_t probe_count() const noexcept { return probe_count_ + lists_.probe_count(); }
  // What the budget counts.
  uint64_t content_bytes() const noexcept { return record_bytes_ + lists_.key_count() * Lists::kListBytes; }

 private:
  struct Posting {
    uint32_t document;
  };
  using Lists = InvertedLists<Posting>;
  struct KeyList {
    std::span<const Posting> postings;
    size_t place;  // of the key
  };
  struct Candidate {
    uint32_t number;
    uint32_t shared;  // keys found so far
  };
  struct Entry {
    Record record{};
    Vector<uint64_t> keys;
    uint64_t memory_bytes() const noexcept {
      return record.memory_bytes() + keys.capacity() * sizeof(uint64_t);
    }
  };
  static constexpr uint64_t kLargestShare = 8;  // a fraction of the budget: one page must not empty the index
  static constexpr uint64_t kEntryBytes = 96;
  static constexpr uint64_t kWorkBytes = 8;                    // read by a step
  static constexpr uint64_t kKeyBytes = 2 * sizeof(uint64_t);  // in the entry, and in its list

  static uint64_t bytes_of(const Entry& entry) noexcept {
    return kEntryBytes + entry.record.content_bytes() + entry.keys.size() * kKeyBytes;
  }

  // Sorted, the likeliest first.
  Vector<Candidate> candidates(std::span<const uint64_t> keys, Matches& answer) const {
    Vector<KeyList> lists;
    for (size_t i = 0; i < keys.size(); ++i)
      lists.push_back({lists_.find(keys[i], answer.work), i});
    // Sorted so that a key of very many documents does not crowd out the more selective ones.
    std::sort(lists.begin(), lists.end(), [](const KeyList& a, const KeyList& b) {
      return a.postings.size() != b.postings.size() ? a.postings.size() < b.postings.size()
                                                    : a.place < b.place;
    });
    Vector<uint32_t> met;
    for (const KeyList& list : lists) {
      size_t taken = list.postings.size();
      if (limits_.postings != 0) taken = std::min<uint64_t>(taken, limits_.postings - met.size());
      answer.limited = answer.limited || taken < list.postings.size();
      for (const Posting& posting : list.postings.last(taken))
        met.push_back(posting.document);
    }
    answer.postings = met.size();
    std::sort(met.begin(), met.end());
    Vector<Candidate> out;
    for (const uint32_t number : met) {
      if (out.empty() || out.back().number != number) out.push_back({number, 0});
      ++out.back().shared;
    }
    std::sort(out.begin(), out.end(), [](const Candidate& a, const Candidate& b) {
      return a.shared != b.shared ? a.shared > b.shared : a.number > b.number;
    });
    return out;
  }

  // All or nothing.
  static void post(uint32_t number, std::span<const uint64_t> keys, Lists& lists) {
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
    record_bytes_ -= bytes_of(entry);
    entries_.remove(number);
  }

  uint64_t secret_;
  Limits limits_;
  AgedRecords<Entry> entries_;
  Lists lists_;
  uint64_t record_bytes_ = 0;
  Counts counts_;
  uint64_t probe_count_ = 0;  // without the lists' own count
};

}  // namespace nd::baselines
