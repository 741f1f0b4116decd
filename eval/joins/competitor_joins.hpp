// The methods with which the SpotSigs paper compares SpotSigs, on a whole collection at once.
#pragma once

#include <cstdint>
#include <span>

#include "core/memory.hpp"
#include "detectors/document_frequencies.hpp"
#include "detectors/spot_competitors.hpp"
#include "joins/batch_join.hpp"
#include "spotsigs/spot_vector.hpp"

namespace nd::spotsigs {

// By document, the first one with the same hash (itself if there is none). The epoch is that of these
// documents, with the band; kWebBand in the paper's figures. `secret`: as for SpotDetector.
Vector<uint32_t> i_match_s_groups(std::span<const SpotVector> documents, IdfBand band, uint64_t secret);

struct LshJoinOptions {
  LshOptions lsh{};
  bool verify = true;  // keep the pairs whose multi-set Jaccard reaches tau; off: all that share a band
  uint32_t tau = 440;  // thousandths, 1..1000; "Summary - Gold Set"
  // Each document is paired with at most so many documents of the same band hash, the first of the input. A
  // bucket of n documents would have n^2 / 2 pairs.
  uint32_t bucket_documents = 1000;
};

struct LshResult {
  Vector<SimilarPair> pairs;  // ascending by first, second; each once
  uint64_t candidates = 0;    // pairs that share a band
  uint64_t limited = 0;       // buckets larger than `bucket_documents`
};

// Pairs that share a band: each with probability 1 - (1 - s^k)^l, s the Jaccard similarity of the sets.
LshResult lsh_s(std::span<const SpotVector> documents, const LshJoinOptions& options);

}  // namespace nd::spotsigs
