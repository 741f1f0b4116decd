// The legacy fingerprint of Moz: a vector of 128 numbers, nearly all of which are equal in near-duplicates.
// Moz does not say how it is made; it behaves like min-hash (Broder, Charikar, Frieze, Mitzenmacher 2000),
// where the probability that an entry is equal is the Jaccard similarity of the two sets of shingles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/memory.hpp"

namespace nd::moz {

inline constexpr size_t kVectorEntries = 128;  // Moz, "Improving our page similarity measurement"
// The most entries in which near-duplicates may differ (Moz, "The solution": "the threshold we currently have
// defined for the legacy fingerprints").
inline constexpr uint32_t kVectorDifference = 6;

using FingerprintVector = std::array<uint64_t, kVectorEntries>;

// One of 128 bijections of the 64-bit numbers, x * factor + offset modulo 2^64. The factors are mix() of 1 to
// 128, made odd, the offsets mix() of 129 to 256: fixed, all different, and without a pattern that shingles
// could share.
struct Permutation {
  uint64_t factor;
  uint64_t offset;  // without it a shingle that mix() maps to 0 would be the minimum of all 128
};
Permutation permutation(size_t entry) noexcept;

// Entry i is the minimum of permutation(i) of mix(shingle). All are bijections, hence two entries are equal
// only if they come from the same shingle. mix() scatters any hashes; a multiplication alone would not,
// because its low bits do not depend on the high ones.
//
// nullopt if there are no shingles. Depends on the set of shingles alone and is the same on every machine.
// Cost: 128 multiplications per shingle.
std::optional<FingerprintVector> fingerprint_vector(std::span<const uint64_t> shingles) noexcept;

// The number of unequal entries, 0..128.
uint32_t difference(const FingerprintVector& a, const FingerprintVector& b) noexcept;
// difference(a, b) <= most. Stops as soon as that is decided, so comparing dissimilar pages costs only a few
// entries.
bool differ_by_at_most(const FingerprintVector& a, const FingerprintVector& b, uint32_t most) noexcept;

// Replaces `out` by a hash of each of most + 1 parts of the vector, at most 128. Two vectors that differ in
// at most `most` entries (fewer than 128) have an equal part, since each unequal entry affects one part: an
// index over these keys misses none. With kVectorDifference, two dissimilar pages with Jaccard s share a part
// with probability about 7 s^18: .02 at s = .72. Keys of different parts are equal only by chance. Throws
// std::bad_alloc.
void part_keys(const FingerprintVector& vector, uint32_t most, Vector<uint64_t>& out);

}  // namespace nd::moz
