// I-Match-S (SpotSigs, "Competitors"): I-Match (Chowdhury et al., 2002) over spot signatures. Documents are
// duplicates if they have the same set of signatures inside the IDF band.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/hash.hpp"
#include "core/memory.hpp"
#include "spotsigs/document_frequencies.hpp"
#include "spotsigs/spot_vector.hpp"

namespace nd::spotsigs {

// One hash of the distinct signatures that the epoch keeps, whatever their counts; none if it keeps none: an
// empty document matches nothing. Stable across machines and versions for equal hashes of the signatures.
//
// Deviation: XXH3 of 128 bits in place of SHA-1. No proof of identity is asked of it.
std::optional<Hash128> i_match_s(SpotVector spots, const Epoch& epoch);

// By document, the first with the same hash (itself if there is none). The epoch is that of the documents in
// the band, kWebBand in the paper's figures. `secret`: as for SpotDetector.
Vector<uint32_t> i_match_s_groups(std::span<const SpotVector> documents, IdfBand band, uint64_t secret);

}  // namespace nd::spotsigs
