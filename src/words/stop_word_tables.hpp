// The lists behind stop_words.hpp, one string a language, words between single spaces, in normal form
// (NFKC_Casefold: German ß is ss, Persian has no ZWNJ). A word is listed in each form in which it can occur:
// append_tokens() splits at apostrophes ("don", "t"; French "l", "qu") and makes one token of each kana;
// WordSegmenter does neither.
#pragma once

#include <span>
#include <string_view>

namespace nd::text {

struct StopWordList {
  std::string_view language;  // BCP 47
  std::string_view words;
};

// English, Russian, Spanish, German, French, Japanese, Portuguese, Turkish, Italian, Persian. No list
// contains a word twice, but several lists may contain the same word.
std::span<const StopWordList> stop_word_lists() noexcept;

// Chinese words, simplified and traditional, as a list of its own; each is one word of ICU's dictionary.
std::string_view chinese_stop_words() noexcept;

// Simplified and traditional, without spaces between.
std::string_view chinese_function_characters() noexcept;

}  // namespace nd::text
