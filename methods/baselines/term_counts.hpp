// The words of a text with their counts, and how many documents of an epoch contain each of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "core/hash_map.hpp"
#include "core/memory.hpp"

namespace nd::baselines {

struct TermCount {
  uint32_t hash;
  uint32_t count;  // at least 1
};

// Ascending by hash, each hash once.
using TermVector = std::span<const TermCount>;

// Replaces `out` by the counts of the words, given their hashes in any order. Of more than `limit` distinct
// words those with the smallest hashes are kept, so that two similar texts keep the same ones. True if some
// were cut.
bool count_terms(std::span<const uint32_t> words, size_t limit, Vector<TermCount>& out);

// N and df, frozen while an epoch lasts. Threads: filled once, then any number of readers.
class EpochFrequencies {
 public:
  explicit EpochFrequencies(uint64_t secret) noexcept : frequencies_(secret) {}

  void count(TermVector terms) {
    for (const TermCount& term : terms)
      ++frequencies_[term.hash];
    ++documents_;
  }
  uint64_t documents() const noexcept { return documents_; }
  // 1 for a term that no document of the epoch contains: at least the page that is looked up does.
  uint64_t frequency(uint32_t hash) const noexcept { return std::max(frequencies_.find(hash), 1U); }
  uint64_t memory_bytes() const noexcept { return frequencies_.memory_bytes(); }

 private:
  HashMap<uint32_t> frequencies_;
  uint64_t documents_ = 0;
};

}  // namespace nd::baselines
