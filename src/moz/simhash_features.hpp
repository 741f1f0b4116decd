// The weighted features of a page, of which a simhash is made, and its shingles, of which a fingerprint
// vector is.
#pragma once

#include <cstdint>
#include <span>

#include "core/hash.hpp"
#include "core/memory.hpp"

namespace nd::moz {

struct WeightedFeature {
  uint64_t hash;    // any value of a good hash; stable if the simhash is to be
  uint32_t weight;  // 0: counts for nothing
};

struct WeightedFeature128 {
  Hash128 hash;
  uint32_t weight;
};

struct WeightedToken {
  uint32_t hash;    // stable, as text::Token::hash
  uint32_t weight;  // 0: left out, as a stop word
  // One character of a script that is written without spaces, not a word. A caller that has cut Chinese into
  // words gives these, with false.
  bool is_character;
};

// Appends the features of one run of text: of words each word, of characters in a row each two neighbours.
// Single characters say too little: a few hundred of them are most of any Chinese text, and with them the
// order is lost. The weight of two is the smaller; a character between words is a feature itself.
//
// A feature that occurs again is appended again: a simhash adds the weights up. Hashes are stable across
// machines and versions. Cost: O(tokens). Throws std::bad_alloc and has appended whole features.
void append_features(std::span<const WeightedToken> run, Vector<WeightedFeature>& out);

// The same feature for a simhash of 128 bits. Two features with one hash stay one.
WeightedFeature128 widened(const WeightedFeature& feature) noexcept;

// Tokens in a shingle: what stands beside what in a text, as a set of hashes.
//
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
