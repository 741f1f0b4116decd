// The multi-set of a page's spot signatures, the unit that SpotSigs compares (Theobald et al., SIGIR 2008).
#pragma once

#include <cstdint>
#include <span>

namespace nd::spotsigs {

inline constexpr uint32_t kSpotHashBits = 56;

// One distinct signature and how often it occurs. The hash is stable across machines and versions.
struct Spot {
  uint64_t hash;   // stable hash of antecedent and chain
  uint32_t count;  // at least 1
};

// Ascending by hash, each hash once.
using SpotVector = std::span<const Spot>;

// |d|: the signatures with their multiplicity.
uint64_t length(SpotVector spots) noexcept;

// Multi-set Jaccard as a fraction, shared / united: the sums of the smaller and of the larger counts.
struct Overlap {
  uint64_t shared;
  uint64_t united;
};
// Cost: O(|a| + |b|) distinct signatures.
Overlap overlap(SpotVector a, SpotVector b) noexcept;

}  // namespace nd::spotsigs
