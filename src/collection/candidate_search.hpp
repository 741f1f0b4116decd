// Finds the groups that are worth comparing with a page: those that share a key, the likeliest first.
#pragma once

#include <cstdint>
#include <span>

#include "collection/key_index.hpp"
#include "core/memory.hpp"
#include "page/features.hpp"
#include "spotsigs/spot_probe_scratch.hpp"

namespace nd::engine {

// A group worth a comparison, with what it was ranked by.
struct RankedGroup {
  uint64_t group_id;
  uint32_t shared_keys;
  double score;  // sum over the shared keys of 1 / (groups that have the key); see also kSpotScore
  bool by_spots;
};

// Reusable buffers. Threads: one object, one thread at a time, while nobody writes the index.
class CandidateSearch {
 public:
  // `secret`: any number that the authors of pages do not know; no answer depends on it.
  explicit CandidateSearch(uint64_t secret) noexcept : secret_(secret) {}

  // The groups that share a key, and those of `by_spots`, in descending score (ties: the smaller id, which is
  // the older group), at most parameters.candidates; of those by a single key of many, the likeliest two.
  // Keys are read from the rarest on until parameters.postings groups have been looked at. `limited` tells
  // whether a limit cut anything. Cost: O(keys) look-ups and at most `postings` group counts, each O(1).
  std::span<const RankedGroup> search(const KeyIndex& index, std::span<const spotsigs::SpotMatch> by_spots,
                                      const Features& page, const IndexParameters& parameters, bool& limited);

  // Counts of the last search: keys looked up, groups counted, and table slots examined for both.
  uint64_t work() const noexcept { return work_; }

  uint64_t memory_bytes() const noexcept {
    return found_.capacity() * sizeof(KeyGroups) + candidates_.capacity() * sizeof(RankedGroup) +
           places_.capacity() * sizeof(Place);
  }

 private:
  struct KeyGroups {
    KeyIndex::Groups groups;
    uint32_t position;  // among the page's known keys
  };
  // Where a group is in candidates_, in a table whose size is a power of two.
  struct Place {
    uint32_t search;  // 0: free; the slot is valid in the search of this number
    uint32_t index;
  };
  void begin_count(size_t most_groups);
  RankedGroup& count(uint64_t group_id, double score, uint32_t shared_keys);
  void drop_unlikely();

  uint64_t secret_;
  Vector<KeyGroups> found_;
  Vector<RankedGroup> candidates_;
  Vector<Place> places_;
  uint32_t search_ = 0;
  uint64_t work_ = 0;
};

}  // namespace nd::engine
