// The weighted features of a page, of which a simhash is made.
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

}  // namespace nd::moz
