// A sketch of a page for hosts that have one field of at most 127 bytes: one-permutation min-hash of the main
// content's shingles, a smaller one of all text's, and a byte of its title (docs/signature_format.md).
// Stateless; nothing is known of sites.
#pragma once

#include <cstdint>
#include <span>

#include "core/result.hpp"
#include "text/document.hpp"

namespace nd::engine {

// A few bins are stored wide, for the candidate keys; many are stored narrow, for the estimate: at the same
// size, four bits per bin estimate small similarities with two thirds of the error of twelve.
inline constexpr size_t kSignatureWideBins = 32;     // 12 bits each
inline constexpr size_t kSignatureNarrowBins = 120;  // 4 bits each
inline constexpr size_t kSignatureBins = kSignatureWideBins + kSignatureNarrowBins;
inline constexpr size_t kSignaturePageBins = 32;  // of all text, 4 bits each
// Version, width class, title, bins.
inline constexpr size_t kSignatureSize =
    3 + 3 * kSignatureWideBins / 2 + kSignatureNarrowBins / 2 + kSignaturePageBins / 2;
static_assert(kSignatureSize == 127);

// Empty for a page without tokens.
Vector<uint8_t> compute_signature(const text::Document& document);

// 32 candidate keys, each of two bins; pages of Jaccard similarity .3 share one with probability .91.
Result<Vector<uint64_t>> signature_keys(std::span<const uint8_t> signature);

// Estimated Jaccard similarity of the shingle sets, 0..1, standard error below .045; lowered for short pages
// and for pages of different titles, at most .9 for pages that differ outside their main content.
// Errors of both: kCorrupt, kUnsupportedVersion.
Result<double> compare_signatures(std::span<const uint8_t> a, std::span<const uint8_t> b);

}  // namespace nd::engine
