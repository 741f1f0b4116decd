// The other measures that SpotSigs names ("How to deduplicate a large collection efficiently?") beside the
// Jaccard, over the same signatures.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spotsigs/spot_vector.hpp"

namespace nd::eval {

// Two documents that share a signature; 0..1.
struct MeasuredPair {
  uint32_t first;
  uint32_t second;
  float cosine;  // of the counts
  // By Kullback-Leibler. The divergence of one document's shares from the other's is infinite where that
  // lacks a signature, so it is that of each from the mean of both (Jensen and Shannon), of which the
  // greatest possible is one bit: 1 less the mean of the two, in bits.
  float divergence;
};

// Those of which either measure is at least `least`, which is above 0; ascending by second, first. Cost: some
// ten nanoseconds for every two occurrences of one signature; quadratic.
std::vector<MeasuredPair> measured_pairs(std::span<const spotsigs::SpotVector> documents, float least);

}  // namespace nd::eval
