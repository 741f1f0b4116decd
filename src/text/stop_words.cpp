#include "text/stop_words.hpp"

#include <cstddef>

#include "core/hash.hpp"
#include "core/small_hash_set.hpp"
#include "core/utf8.hpp"
#include "text/stop_word_tables.hpp"

namespace nd::text {
namespace {

uint32_t token_hash(std::string_view word) noexcept {
  return static_cast<uint32_t>(stable_hash(word));
}

// Some 1,500 words: one slot in three is taken.
struct StopWords : SmallHashSet<4096> {
  StopWords() noexcept {
    for (const StopWordList& list : stop_word_lists())
      for_each_word(list.words, [this](std::string_view word) { insert(token_hash(word)); });
  }
};

struct ChineseStopWords : SmallHashSet<2048> {
  ChineseStopWords() noexcept {
    for_each_word(chinese_stop_words(), [this](std::string_view word) { insert(token_hash(word)); });
  }
};

struct ChineseFunctionCharacters : SmallHashSet<512> {
  ChineseFunctionCharacters() noexcept {
    const std::string_view characters = chinese_function_characters();
    for (size_t position = 0; position < characters.size();) {
      const size_t begin = position;
      next_code_point(characters, position);
      insert(token_hash(characters.substr(begin, position - begin)));
    }
  }
};

}  // namespace

bool is_stop_word(uint32_t hash) noexcept {
  static const StopWords words;
  return words.contains(hash);
}

bool is_chinese_stop_word(uint32_t hash) noexcept {
  static const ChineseStopWords words;
  return words.contains(hash);
}

bool is_chinese_function_character(uint32_t hash) noexcept {
  static const ChineseFunctionCharacters characters;
  return characters.contains(hash);
}

}  // namespace nd::text
