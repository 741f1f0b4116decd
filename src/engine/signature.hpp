// A sketch of a page for hosts that have one field of at most 127 bytes: one-permutation min-hash of the main
// content's shingles, 16 bits a bin (docs/signature_format.md). Stateless; it knows no site and no template.
#pragma once

#include <cstdint>
#include <span>

#include "core/result.hpp"
#include "engine/parameters.hpp"
#include "text/document.hpp"

namespace nd::engine {

inline constexpr size_t kSignatureBins = 60;
inline constexpr size_t kSignatureSize = 7 + 2 * kSignatureBins;  // version, width class, 5 reserved, bins
static_assert(kSignatureSize == 127);

// Empty for a page without tokens.
Vector<uint8_t> compute_signature(const text::Document& document, const Parameters& parameters);

// Candidate keys: runs of three bins; pages of Jaccard similarity .5 share one of 20 with probability .93.
Result<Vector<uint64_t>> signature_keys(std::span<const uint8_t> signature);

// Estimated Jaccard similarity of the shingle sets, 0..1; standard error sqrt(J(1-J)/60).
Result<double> compare_signatures(std::span<const uint8_t> a, std::span<const uint8_t> b);

}  // namespace nd::engine
