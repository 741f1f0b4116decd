// Shingles: what stands beside what in a text, as a set of hashes; the features of the fingerprint vector.
#pragma once

#include <cstdint>
#include <span>

#include "core/memory.hpp"

namespace nd::moz {

// Moz does not say what its vector is made of. SpotSigs ("Summary - Gold Set") compares with shingles of 1
// and of 3 tokens; 3 tokens tell two texts of one subject apart, and 3 Chinese characters are about two
// words.
inline constexpr uint32_t kShingleTokens = 3;

// Appends the hash of each `length` (1 at least) tokens in a row. Fewer tokens than that are one shingle, so
// that short text is not lost; none are none. The hashes are stable across machines and versions; shingles
// that occur again are appended again.
//
// `tokens` is one run: text on both sides of a gap, such as two blocks, takes two calls.
// Cost: O(length) a token. Throws std::bad_alloc and has appended nothing.
void append_shingles(std::span<const uint32_t> tokens, uint32_t length, Vector<uint64_t>& out);

}  // namespace nd::moz
