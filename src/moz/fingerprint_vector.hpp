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

// One of 128 bijections of the 64-bit numbers, x * factor + offset modulo 2^64: mix() of 1 to 128, made odd,
// and of 129 to 256. They are fixed, all different, and without a pattern that shingles could share.
struct Permutation {
  uint64_t factor;
  uint64_t offset;  // without it a shingle that mix() maps to 0 would be the minimum of all 128
};
Permutation permutation(size_t entry) noexcept;

// Entry i is the minimum of permutation(i) of mix(shingle). All are bijections, hence two entries are equal
// only if the same shingle gave them. mix() scatters whatever hashes come in, which a multiplication alone
// does not: its low bits do not depend on the high ones.
//
// nullopt if there are no shingles. Depends on the set of shingles alone and is the same on every machine.
// Cost: 128 multiplications per shingle.
std::optional<FingerprintVector> fingerprint_vector(std::span<const uint64_t> shingles) noexcept;

// Unequal entries, 0..128.
uint32_t difference(const FingerprintVector& a, const FingerprintVector& b) noexcept;
// difference(a, b) <= most. Stops as soon as that is decided, so comparing unlike pages costs only a few
// entries.
bool differ_by_at_most(const FingerprintVector& a, const FingerprintVector& b, uint32_t most) noexcept;

// Replaces `out` by a hash of each of most + 1 parts of the vector, 128 at most. Two vectors that differ in
// `most` entries or fewer, less than all, have an equal part, since each unequal entry spoils one: an index
// over these keys misses none of them. With kVectorDifference, of unlike pages two with Jaccard s share a
// part with about 7 s^18: .02 at s = .72. Keys of two parts are equal by chance only. Throws std::bad_alloc.
void part_keys(const FingerprintVector& vector, uint32_t most, Vector<uint64_t>& out);

}  // namespace nd::moz
