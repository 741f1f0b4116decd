// Tokens and dictionary words against their definitions and ICU.
#include "words/word_segmenter.hpp"

#include <gtest/gtest.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <string>
#include <vector>

#include "core/hash.hpp"
#include "random_text.hpp"
#include "words/character_classes.hpp"
#include "words/normalize.hpp"

namespace nd::text {
namespace {

using Strings = std::vector<std::string>;

Strings tokens(std::string_view text) {
  Vector<Token> out;
  append_tokens(text, 0, out);
  Strings strings;
  for (const Token& token : out)
    strings.emplace_back(token.text.of(text));
  return strings;
}

bool has_category(char32_t c, uint32_t mask) {
  return (U_MASK(u_charType(static_cast<UChar32>(c))) & mask) != 0;
}

bool is_spaceless(char32_t c) {
  if (!has_category(c, U_GC_L_MASK | U_GC_N_MASK)) return false;
  if ((c >= 0x3041 && c <= 0x30ff) || (c >= 0x31f0 && c <= 0x31ff)) return true;
  UErrorCode status = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(static_cast<UChar32>(c), &status);
  return script == USCRIPT_HAN || script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA ||
         script == USCRIPT_THAI || script == USCRIPT_LAO || script == USCRIPT_KHMER ||
         script == USCRIPT_MYANMAR;
}

// The definition, character by character.
Vector<Token> tokens_oracle(std::string_view text, uint32_t offset) {
  Vector<Token> out;
  bool open = false;
  bool single = false;
  for (size_t position = 0; position < text.size();) {
    const auto begin = static_cast<uint32_t>(position);
    const char32_t c = next_code_point(text, position);
    const bool mark = has_category(c, U_GC_M_MASK);
    if (!mark && !has_category(c, U_GC_L_MASK | U_GC_N_MASK)) {
      open = false;
      continue;
    }
    if (!open || (!mark && (single || is_spaceless(c)))) {
      out.push_back({{begin, begin}, 0, 0});
      single = is_spaceless(c);
      open = true;
    }
    out.back().text.end = static_cast<uint32_t>(position);
  }
  for (Token& token : out) {
    const std::string_view word = token.text.of(text);
    token.hash = static_cast<uint32_t>(stable_hash(word));
    token.width = static_cast<uint16_t>(std::min<uint32_t>(width(word), 0xffff));
    token.text = {token.text.begin + offset, token.text.end + offset};
  }
  return out;
}

TEST(Tokens, AreRunsOfLettersMarksAndDigits) {
  EXPECT_EQ(tokens("don't 3.14 foo_bar x2 (naïve) ёлка"),
            (Strings{"don", "t", "3", "14", "foo", "bar", "x2", "naïve", "ёлка"}));
  EXPECT_EQ(tokens("한국어 abc"), (Strings{"한국어", "abc"}));
  EXPECT_EQ(tokens("x\u0323\u0301y"), (Strings{"x\u0323\u0301y"}));
  EXPECT_EQ(tokens(""), Strings{});
  EXPECT_EQ(tokens(" .,;— “”。、"), Strings{});
}

TEST(Tokens, AreSingleCharactersOfScriptsWithoutSpaces) {
  EXPECT_EQ(tokens("中文abc字。12"), (Strings{"中", "文", "abc", "字", "12"}));
  EXPECT_EQ(tokens("カナーか々"), (Strings{"カ", "ナ", "ー", "か", "々"}));
  EXPECT_EQ(tokens("กำลัง"), (Strings{"ก", "ำ", "ลั", "ง"}));
  EXPECT_EQ(tokens("\U00020000\U0002a6df"), (Strings{"\U00020000", "\U0002a6df"}));
}

TEST(Tokens, HaveOffsetHashAndWidth) {
  Vector<Token> out;
  append_tokens("ab 中 한국é", 100, out);
  ASSERT_EQ(out.size(), 3U);
  EXPECT_EQ(out[0].text, (Range{100, 102}));
  EXPECT_EQ(out[0].width, 2);
  EXPECT_EQ(out[0].hash, static_cast<uint32_t>(stable_hash("ab")));
  EXPECT_EQ(out[1].text, (Range{103, 106}));
  EXPECT_EQ(out[1].width, 2);
  EXPECT_EQ(out[2].width, 5);
}

TEST(Tokens, CapTheirWidth) {
  Vector<Token> out;
  append_tokens(std::string(70000, 'a'), 0, out);
  ASSERT_EQ(out.size(), 1U);
  EXPECT_EQ(out[0].width, 65535);
  EXPECT_EQ(out[0].text.size(), 70000U);
}

TEST(Tokens, EqualTheDefinitionOnRandomText) {
  RandomText random(3, mixed_alphabets());
  for (int round = 0; round < 10000; ++round) {
    const std::string text = random(60);
    Vector<Token> fast;
    append_tokens(text, 7, fast);
    const Vector<Token> plain = tokens_oracle(text, 7);
    ASSERT_EQ(fast.size(), plain.size()) << text;
    for (size_t i = 0; i < fast.size(); ++i) {
      ASSERT_EQ(fast[i].text, plain[i].text) << text;
      ASSERT_EQ(fast[i].hash, plain[i].hash) << text;
      ASSERT_EQ(fast[i].width, plain[i].width) << text;
    }
  }
}

TEST(Tokens, SurviveMalformedText) {
  for (const std::string_view text :
       {"a\xe4", "\xe4\xb8", "a\xcc", "\xf0\x9f\x98", "中\xe0\xb8", "\x80\xff z"}) {
    for (const std::string& token : tokens(text))
      EXPECT_FALSE(token.empty());
  }
  EXPECT_EQ(tokens("a\xe4"), Strings{"a"});
}

class WordSegmenterTest : public ::testing::Test {
 protected:
  Strings words(std::string_view text) {
    Vector<Range> out;
    segmenter_.append_words(text, 0, out);
    Strings strings;
    for (const Range& range : out)
      strings.emplace_back(range.of(text));
    return strings;
  }

  void expect_icu(const std::string& text) {
    Vector<Range> fast;
    Vector<Range> plain;
    segmenter_.append_words(text, 5, fast);
    segmenter_.append_words_icu(text, 5, plain);
    if (fast == plain) return;
    std::string shown;
    for (const auto* ranges : {&fast, &plain}) {
      for (const Range& range : *ranges)
        shown += "[" + text.substr(range.begin - 5, range.size()) + "]";
      shown += "\n";
    }
    FAIL() << text << "\n" << shown << ::testing::PrintToString(text);
  }

  WordSegmenter segmenter_ = *WordSegmenter::create();
};

TEST_F(WordSegmenterTest, FollowsTheRulesOfUax29) {
  EXPECT_EQ(words("don't say 3.14, 1,000 or foo_bar!"),
            (Strings{"don't", "say", "3.14", "1,000", "or", "foo_bar"}));
  EXPECT_EQ(words("the 'end' a.b. 1.a a1.b2 __ _x"),
            (Strings{"the", "end", "a.b", "1", "a", "a1", "b2", "_x"}));
  EXPECT_EQ(words("title: value l’été é\u0301t"), (Strings{"title", "value", "l’été", "é\u0301t"}));
  EXPECT_EQ(words(""), Strings{});
  EXPECT_EQ(words(" — … "), Strings{});
}

TEST_F(WordSegmenterTest, UsesTheDictionaryForChinese) {
  EXPECT_EQ(words("hello 我们是学生。"), (Strings{"hello", "我们", "是", "学生"}));
}

TEST_F(WordSegmenterTest, EqualsIcuAroundEveryCharacter) {
  for (char32_t c = 0x21; c < 0x11000; ++c) {
    if (c == 0x3400) c = 0x9ff0;
    if (c == 0xac10) c = 0xd790;
    if (c == 0xd800) c = 0xf900;
    // The half-width voiced sound marks, letters that hang on a space; normalised text has none.
    if (c == 0xff9e || c == 0xff9f) continue;
    std::string x;
    append_utf8(x, c);
    expect_icu("a" + x + "b 1" + x + "2 a" + x + "1 가" + x + "나 a" + x + x + "b " + x + "a " + x + "_" + x);
    if (HasFatalFailure()) return;
  }
}

TEST_F(WordSegmenterTest, EqualsIcuOnRandomPlainText) {
  RandomText random(20, {U"ab1 '._,;:-\"@", U"aб가1\u0301\u00ad.’ _", U"aeo .'3,"});
  for (int round = 0; round < 10000; ++round) {
    expect_icu(random(24));
    if (HasFatalFailure()) return;
  }
}

TEST_F(WordSegmenterTest, EqualsIcuOnRandomNormalisedText) {
  Normalizer normalizer = *Normalizer::create();
  for (uint32_t seed = 30; seed < 34; ++seed) {
    RandomText random(seed, mixed_alphabets());
    for (int round = 0; round < 2500; ++round) {
      String text;
      normalizer.append(random(60), text);
      expect_icu(std::string(text));
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(WordSegmenterTest, SurvivesLongAndMalformedText) {
  EXPECT_EQ(words(std::string(100000, 'a')).size(), 1U);
  EXPECT_EQ(words(std::string(100000, ' ')).size(), 0U);
  std::string chinese;
  for (int i = 0; i < 5000; ++i)
    chinese += "的";
  EXPECT_FALSE(words(chinese).empty());
  expect_icu("a\xe4 b\xf0\x9f \x80 c");
}

TEST_F(WordSegmenterTest, MovesWithItsIterator) {
  WordSegmenter moved = std::move(segmenter_);
  Vector<Range> out;
  moved.append_words("中国 a", 0, out);
  EXPECT_EQ(out.size(), 2U);
}

Strings words_of(DictionaryWords& dictionary, std::string_view text) {
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
