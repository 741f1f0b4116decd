// Hash sets of the lists, built once, in which a token is found by its hash without its text.
#include "words/stop_words.hpp"

#include <cstddef>

#include "core/utf8.hpp"
#include "core/word_list.hpp"
#include "words/stop_word_tables.hpp"
#include "words/word_segmenter.hpp"

namespace nd::text {
namespace {

template <typename Set>
void insert_words(std::string_view words, Set& set) noexcept {
  for_each_word(words, [&](std::string_view word) { set.insert(token_hash(word)); });
}

template <typename Set>
void insert_stop_words(Set& set) noexcept {
  for (const StopWordList& list : stop_word_lists())
    insert_words(list.words, set);
}

template <typename Set>
void insert_function_characters(Set& set) noexcept {
  const std::string_view characters = chinese_function_characters();
  for (size_t position = 0; position < characters.size();) {
    const size_t begin = position;
    next_code_point(characters, position);
    set.insert(token_hash(characters.substr(begin, position - begin)));
  }
}

// Some 1,500 words: one slot in three is taken.
struct StopWords : SmallHashSet<4096> {
  StopWords() noexcept { insert_stop_words(*this); }
};

struct ChineseStopWords : SmallHashSet<2048> {
  ChineseStopWords() noexcept { insert_words(chinese_stop_words(), *this); }
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

FunctionWords::FunctionWords() noexcept {
  insert_stop_words(hashes_);
  insert_function_characters(hashes_);
}

const FunctionWords& FunctionWords::instance() noexcept {
  static const FunctionWords words;
  return words;
}

}  // namespace nd::text
