// Which groups are worth comparing a page with: those that share a key, the likeliest first.
#pragma once

#include <cstdint>
#include <span>

#include "core/memory.hpp"
#include "engine/features.hpp"
#include "engine/key_index.hpp"

namespace nd::engine {

struct Candidate {
  GroupSlot group;
  uint32_t shared_keys;
  double score;  // sum over the shared keys of 1 / (groups that have the key)
};

// Reusable buffers. Threads: one object, one thread at a time, while nobody writes the index.
class CandidateSearch {
 public:
  // The candidates in descending score (ties: the older group), at most parameters.candidates. Keys are read
  // from the rarest on until parameters.postings groups have been looked at. `limited` tells whether a limit
  // cut anything. Cost: O(keys) look-ups and at most `postings` group counts.
  std::span<const Candidate> search(const KeyIndex& index, const Features& page,
                                    const IndexParameters& parameters, bool& limited);

 private:
  struct KeyGroups {
    std::span<const GroupSlot> groups;
    GroupSlot single;
  };
  Vector<KeyGroups> found_;
  Vector<Candidate> candidates_;
};

}  // namespace nd::engine
