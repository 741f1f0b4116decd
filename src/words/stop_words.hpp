// Stop words of the ten largest languages of the web and of Chinese, and the function characters of Chinese.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/small_hash_set.hpp"

namespace nd::text {

// True for a function word (article, preposition, pronoun, auxiliary, conjunction …) of English, Russian,
// Spanish, German, French, Japanese, Portuguese, Turkish, Italian or Persian, in normalised form. One table
// for all languages: a page's declared language is too often wrong. `hash` is Token::hash of the word.
bool is_stop_word(uint32_t hash) noexcept;

// True for a function word of Chinese as WordSegmenter cuts it (的 了 这个 我们 …), simplified or
// traditional. Not part of is_stop_word(): that one is also applied to single characters, most of which are
// parts of words.
bool is_chinese_stop_word(uint32_t hash) noexcept;

// The words of is_stop_word() and the characters that make up Chinese function words (的 了 是 在 和 …) in
// one table: this is what weighing a page looks up for each of its tokens.
class FunctionWords {
 public:
  // Built at the first call of the process, then never changed.
  static const FunctionWords& instance() noexcept;

  bool contains(uint32_t hash) const noexcept { return hashes_.contains(hash); }

 private:
  FunctionWords() noexcept;
  // Some 1,500 words and 200 characters.
  SmallHashSet<4096> hashes_;
};

}  // namespace nd::text
