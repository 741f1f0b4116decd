// The lists of stop words: languages, normal form, no content words.
#include "words/stop_words.hpp"

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>

#include "core/hash.hpp"
#include "core/utf8.hpp"
#include "words/normalize.hpp"
#include "words/stop_word_tables.hpp"
#include "words/word_segmenter.hpp"

namespace nd::text {
namespace {

uint32_t hash_of(std::string_view word) {
  Vector<Token> tokens;
  append_tokens(word, 0, tokens);
  EXPECT_EQ(tokens.size(), 1U) << word;
  return tokens.empty() ? 0 : tokens[0].hash;
}

std::set<std::string> words_of(const StopWordList& list) {
  std::istringstream stream{std::string(list.words)};
  std::set<std::string> words;
  for (std::string word; stream >> word;)
    EXPECT_TRUE(words.insert(word).second) << list.language << " " << word;
  return words;
}

TEST(StopWords, KnowsTheTenLanguages) {
  for (const char* word :
       {"the", "of", "don", "и",    "который", "que",   "también", "und",   "dass", "les", "été",
        "の",  "は", "não", "você", "için",    "değil", "perché",  "della", "که",   "است", "میشود"}) {
    EXPECT_TRUE(is_stop_word(hash_of(word))) << word;
  }
}

TEST(StopWords, LeavesContentWordsAlone) {
  for (const char* word : {"campaign", "carolina", "house", "президент", "gobierno", "regierung",
                           "république", "governo", "hükümet", "دولت", "国", "x", "2024"}) {
    EXPECT_FALSE(is_stop_word(hash_of(word))) << word;
  }
  EXPECT_FALSE(is_stop_word(0));
}

TEST(StopWords, ListsHoldFrequentWordsInNormalForm) {
  Normalizer normalizer = *Normalizer::create();
  WordSegmenter segmenter = *WordSegmenter::create();
  ASSERT_EQ(stop_word_lists().size(), 10U);
  for (const StopWordList& list : stop_word_lists()) {
    const std::set<std::string> words = words_of(list);
    EXPECT_GE(words.size(), 80U) << list.language;
    size_t bytes = 0;
    for (const std::string& word : words) {
      bytes += word.size() + 1;
      String form;
      normalizer.append(word, form);
      EXPECT_EQ(form, std::string_view(word)) << list.language;
      const auto hash = static_cast<uint32_t>(stable_hash(word));
      EXPECT_NE(hash, 0U);
      EXPECT_TRUE(is_stop_word(hash)) << list.language << " " << word;
      Vector<Token> tokens;
      append_tokens(word, 0, tokens);
      Vector<Range> segments;
      segmenter.append_words(word, 0, segments);
      EXPECT_TRUE(tokens.size() == 1 || segments.size() == 1 || list.language == "ja") << word;
    }
    EXPECT_EQ(bytes, list.words.size() + 1) << list.language << ": more than one space between words";
  }
}

TEST(StopWords, KnowsChineseFunctionCharacters) {
  const FunctionWords& words = FunctionWords::instance();
  for (const char* character : {"的", "了", "是", "在", "这", "這", "们", "們", "于", "於"}) {
    EXPECT_TRUE(words.contains(hash_of(character))) << character;
  }
  for (const char* character : {"国", "國", "人", "学", "電"}) {
    EXPECT_FALSE(words.contains(hash_of(character))) << character;
  }
  EXPECT_FALSE(words.contains(0));
}

TEST(StopWords, ChineseWordsAreWordsOfTheDictionary) {
  Normalizer normalizer = *Normalizer::create();
  WordSegmenter segmenter = *WordSegmenter::create();
  size_t longer = 0;
  for (const std::string& word : words_of({"zh", chinese_stop_words()})) {
    String form;
    normalizer.append(word, form);
    EXPECT_EQ(form, std::string_view(word));
    Vector<Range> segments;
    segmenter.append_words(word, 0, segments);
    EXPECT_EQ(segments.size(), 1U) << word;
    EXPECT_TRUE(is_chinese_stop_word(static_cast<uint32_t>(stable_hash(word)))) << word;
    longer += word.size() > 3;
  }
  EXPECT_GT(longer, 200U);
  for (const char* word : {"图书馆", "圖書館", "北京", "the", "の"})
    EXPECT_FALSE(is_chinese_stop_word(static_cast<uint32_t>(stable_hash(word)))) << word;
  EXPECT_FALSE(is_chinese_stop_word(0));
}

TEST(StopWords, ChineseListHoldsDistinctIdeographs) {
  const std::string_view characters = chinese_function_characters();
  std::set<char32_t> seen;
  for (size_t position = 0; position < characters.size();) {
    const char32_t c = next_code_point(characters, position);
    EXPECT_TRUE(c >= 0x4e00 && c <= 0x9fff);
    EXPECT_TRUE(seen.insert(c).second) << characters.substr(position - 3, 3);
  }
  EXPECT_GE(seen.size(), 60U);
}

}  // namespace
}  // namespace nd::text
