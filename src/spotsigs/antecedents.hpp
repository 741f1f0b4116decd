// Which words a spot signature begins at, and which its chain passes over.
#pragma once

#include <cstdint>

namespace nd::spotsigs {

enum class WordKind : uint8_t {
  kContent,
  kStopWord,    // passed over
  kAntecedent,  // a stop word at which a signature begins
};

// Of a word in normalised form; `hash` is text::Word::hash. One table for all languages, as in
// text/stop_words.hpp: a page's declared language is too often wrong.
WordKind word_kind(uint32_t hash) noexcept;

}  // namespace nd::spotsigs
