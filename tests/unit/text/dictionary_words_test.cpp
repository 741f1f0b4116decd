#include "text/dictionary_words.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/hash.hpp"
#include "random_text.hpp"
#include "text/character_classes.hpp"
#include "text/normalize.hpp"

namespace nd::text {
namespace {

std::vector<std::string> words_of(DictionaryWords& dictionary, std::string_view text) {
  Vector<Token> tokens;
  append_tokens(text, 0, tokens);
  Vector<Word> found;
  dictionary.append(text, tokens, found);
  EXPECT_LE(found.size(), tokens.size());
  std::vector<std::string> words;
  for (const Word& word : found) {
    EXPECT_EQ(word.hash, static_cast<uint32_t>(stable_hash(word.text.of(text))));
    words.emplace_back(word.text.of(text));
  }
  return words;
}

TEST(DictionaryWordsTest, TokensAndSegmentsInTheirOrder) {
  DictionaryWords dictionary = *DictionaryWords::create();
  using Strings = std::vector<std::string>;
  EXPECT_EQ(words_of(dictionary, "the harbour's 3 lamps"), (Strings{"the", "harbour", "s", "3", "lamps"}));
  EXPECT_EQ(words_of(dictionary, "我们的学校,在北京"), (Strings{"我们", "的", "学校", "在", "北京"}));
  EXPECT_EQ(words_of(dictionary, "ndc用2天检查了学校 the end"),
            (Strings{"ndc", "用", "2", "天", "检查", "了", "学校", "the", "end"}));
  EXPECT_EQ(words_of(dictionary, "東京は日本です"), (Strings{"東京", "は", "日本", "です"}));
  EXPECT_EQ(words_of(dictionary, "สวัสดีครับ"), (Strings{"สวัสดี", "ครับ"}));
  EXPECT_EQ(words_of(dictionary, ""), Strings{});
}

TEST(DictionaryWordsTest, OnlyTheTokensGivenCount) {
  DictionaryWords dictionary = *DictionaryWords::create();
  const std::string text = "学校 and 北京";
  Vector<Token> tokens;
  append_tokens(text, 0, tokens);
  ASSERT_EQ(tokens.size(), 5U);
  Vector<Word> found;
  dictionary.append(text, std::span(tokens).subspan(2, 1), found);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].text, tokens[2].text);
  EXPECT_EQ(found[0].hash, tokens[2].hash);
}

// Words neither overlap nor leave out a token, whatever the text.
TEST(DictionaryWordsTest, WordsCoverTheTokensOfAnyText) {
  DictionaryWords dictionary = *DictionaryWords::create();
  Normalizer normalizer = *Normalizer::create();
  RandomText random(5, mixed_alphabets());
  size_t segmented = 0;
  for (int round = 0; round < 3000; ++round) {
    String text;
    normalizer.append(random(60), text);
    Vector<Token> tokens;
    append_tokens(text, 0, tokens);
    Vector<Word> words;
    dictionary.append(text, tokens, words);
    ASSERT_LE(words.size(), tokens.size());
    segmented += words.size() < tokens.size();
    size_t word = 0;
    for (const Token& token : tokens) {
      while (word < words.size() && words[word].text.end <= token.text.begin)
        ++word;
      ASSERT_LT(word, words.size()) << text;
      ASSERT_LE(words[word].text.begin, token.text.begin) << text;
    }
    for (size_t i = 1; i < words.size(); ++i)
      ASSERT_LE(words[i - 1].text.end, words[i].text.begin) << text;
  }
  EXPECT_GT(segmented, 300U);
}

}  // namespace
}  // namespace nd::text
