// The methods with which the SpotSigs paper compares SpotSigs, on the same signatures: I-Match-S and LSH-S.
#pragma once

#include <cstdint>
#include <optional>

#include "core/hash.hpp"
#include "core/memory.hpp"
#include "detectors/document_frequencies.hpp"
#include "spotsigs/spot_vector.hpp"

namespace nd::spotsigs {

// One hash of the distinct signatures that the epoch keeps, whatever their counts; nothing if it keeps none,
// since an empty document matches nothing. Stable across machines and versions for equal hashes of the
// signatures.
//
// Deviation: XXH3 of 128 bits instead of SHA-1; the hash need not be cryptographic.
std::optional<Hash128> i_match_s(SpotVector spots, const Epoch& epoch);

// LSH-S (SpotSigs, "Competitors"): min-hash over the distinct spot signatures, in bands.
struct LshOptions {
  uint32_t rows = 6;    // k: min-hashes of a band; k and l as in "Summary - Gold Set"
  uint32_t bands = 32;  // l
};

// The `bands` band hashes of a document; none for an empty document. Stable, so that hashes may be stored:
// the permutations are fixed. Cost: rows x bands x |distinct signatures|.
void lsh_bands(SpotVector spots, const LshOptions& options, Vector<uint64_t>& out);

}  // namespace nd::spotsigs
