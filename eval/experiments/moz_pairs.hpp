// The two fingerprints of Moz over pairs of pages.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "moz/fingerprint_vector.hpp"
#include "moz_histogram.hpp"

namespace nd::eval {

// A page that has both fingerprints.
struct MozPage {
  uint32_t page;   // its number in the collection
  uint32_t label;  // kNoLabel: unknown
  uint32_t site;
  moz::FingerprintVector vector;
  uint64_t simhash;
};

struct MozPair {
  uint32_t a, b;  // numbers of pages, a < b
  uint32_t vector_difference;
  uint32_t simhash_difference;
  Likeness likeness;
};

struct MozPairs {
  MozHistogram histogram;
  std::vector<MozPair>
      simhash_only;  // of that quadrant, different labels first, then largest vector difference
};

// All pairs if they are `limit` or fewer, else a sample of so many; `listed` of the quadrant at most. Cost:
// about 70 ns a pair.
MozPairs compare_pairs(std::span<const MozPage> pages, uint64_t limit, uint64_t seed, size_t listed);

}  // namespace nd::eval
