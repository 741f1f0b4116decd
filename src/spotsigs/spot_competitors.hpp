// The methods with which the SpotSigs paper compares SpotSigs, on the same signatures: I-Match-S and LSH-S.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/hash.hpp"
#include "core/memory.hpp"
#include "spotsigs/batch_join.hpp"
#include "spotsigs/document_frequencies.hpp"
#include "spotsigs/spot_vector.hpp"

namespace nd::spotsigs {

// One hash of the distinct signatures that the epoch keeps, whatever their counts; nothing if it keeps none,
// since an empty document matches nothing. Stable across machines and versions for equal hashes of the
// signatures.
//
// Deviation: XXH3 of 128 bits instead of SHA-1; the hash need not be cryptographic.
std::optional<Hash128> i_match_s(SpotVector spots, const Epoch& epoch);

// By document, the first one with the same hash (itself if there is none). The epoch is that of these
// documents, with the band; kWebBand in the paper's figures. `secret`: as for SpotDetector.
Vector<uint32_t> i_match_s_groups(std::span<const SpotVector> documents, IdfBand band, uint64_t secret);

// LSH-S (SpotSigs, "Competitors"): min-hash over the distinct spot signatures, in bands.
struct LshOptions {
  uint32_t rows = 6;    // k: min-hashes of a band; k, l and tau as in "Summary - Gold Set"
  uint32_t bands = 32;  // l
  bool verify = true;   // keep the pairs whose multi-set Jaccard reaches tau; off: all that share a band
  uint32_t tau = 440;   // thousandths, 1..1000
  // Each document is paired with at most so many documents of the same band hash, the first of the input. A
  // bucket of n documents would have n^2 / 2 pairs.
  uint32_t bucket_documents = 1000;
};

struct LshResult {
  Vector<SimilarPair> pairs;  // ascending by first, second; each once
  uint64_t candidates = 0;    // pairs that share a band
  uint64_t limited = 0;       // buckets larger than `bucket_documents`
};

// The `bands` band hashes of a document; none for an empty document. Stable, so that hashes may be stored:
// the permutations are fixed. Cost: rows x bands x |distinct signatures|.
void lsh_bands(SpotVector spots, const LshOptions& options, Vector<uint64_t>& out);

// Pairs that share a band: each with probability 1 - (1 - s^k)^l, s the Jaccard similarity of the sets.
LshResult lsh_s(std::span<const SpotVector> documents, const LshOptions& options);

}  // namespace nd::spotsigs
