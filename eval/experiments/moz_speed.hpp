// What the two fingerprints of Moz cost: the vector that it had, and the simhash to which it changed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "moz/simhash.hpp"

namespace nd::eval {

// The text of a page, as both fingerprints get it.
struct MozText {
  std::vector<uint32_t> tokens;
  std::vector<moz::WeightedToken> weighted;  // the same tokens, weight 1
};

struct MozStep {
  const char* name;
  bool a_page;                            // the times are of a page, else of a pair
  double vector_ns;                       // median of the rounds, CPU time
  double simhash_ns;                      // of 64 bits
  double ratio, least_ratio, most_ratio;  // vector / simhash: median and range of the rounds' own
};

struct MozSpeed {
  std::vector<MozStep> steps;
  // Pairs that were near in the last round: so that no compiler leaves the comparisons out.
  uint64_t near_vectors = 0, near_vectors_early = 0, near_simhashes = 0;
};

// Rounds of all steps in turn, forwards and backwards, so that none is always first:
//   fingerprint       from tokens: shingles and vector, features and simhash
//   comparison        of all pairs: all entries of the vectors counted
//   comparison_early  the same until it is decided whether the vectors are near
//   both, both_early  a page's fingerprint and its comparisons with all others, each pair once
// No steps if there are fewer than two texts. All texts must have tokens. Cost: about .4 s a round for 2,000
// texts.
MozSpeed measure_moz(std::span<const MozText> texts, uint32_t rounds);

}  // namespace nd::eval
