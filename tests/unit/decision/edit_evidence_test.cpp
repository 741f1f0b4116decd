// Exchanged words and numbers of pairs made by hand, which tell an edit from a template.
#include "decision/edit_evidence.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lcs/comparison.hpp"
#include "words/word_segmenter.hpp"

namespace nd::engine {
namespace {

// One symbol a word, as the features have them.
std::vector<Symbol> symbols_of(std::string_view text) {
  std::vector<Symbol> symbols;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    symbols.push_back(make_symbol(text::token_hash(word), static_cast<uint32_t>(word.size())));
    begin = end + 1;
  }
  return symbols;
}

std::vector<lcs::Match> matches_of(const std::vector<Symbol>& a, const std::vector<Symbol>& b) {
  std::vector<uint16_t> widths_a, widths_b;
  for (const Symbol symbol : a)
    widths_a.push_back(symbol_width(symbol));
  for (const Symbol symbol : b)
    widths_b.push_back(symbol_width(symbol));
  lcs::ComparisonParameters parameters;
  parameters.window_width = 1;
  parameters.gain_width = 1;
  lcs::Comparison comparison;
  lcs::Comparer().compare({a, widths_a}, {b, widths_b}, parameters, 0, comparison);
  return {comparison.matches.begin(), comparison.matches.end()};
}

EditEvidence evidence_of(std::string_view a, std::string_view b) {
  const std::vector<Symbol> left = symbols_of(a), right = symbols_of(b);
  EvidenceCounter counter;
  return counter.count({left, {}}, {right, {}}, matches_of(left, right));
}

TEST(EditEvidenceTest, TheSubjectThatWasExchanged) {
  const EditEvidence evidence = evidence_of(
      "drop lamp removes a lamp from the room and fails if the lamp is lit unless it is told to go on",
      "drop chair removes a chair from the room and fails if the chair is lit unless it is told to go on");
  EXPECT_EQ(evidence.substitutions, 3U);
  EXPECT_EQ(evidence.exchanged_words, 3U);
  EXPECT_EQ(evidence.exchanged_numbers, 0U);
  EXPECT_EQ(evidence.matched, 19U);
}

// Other words in one place each, and words that the other text has too, are edits.
TEST(EditEvidenceTest, WordsThatAnEditorChanged) {
  const EditEvidence evidence = evidence_of(
      "the council will rebuild the old lighthouse in spring and pay for it with a loan from the bank",
      "the board will rebuild the white lighthouse in autumn and pay for it with a gift from the bank");
  EXPECT_EQ(evidence.substitutions, 4U);
  EXPECT_EQ(evidence.exchanged_words, 0U);
}

TEST(EditEvidenceTest, WhatOnlyOneTextAddsIsNoExchange) {
  const EditEvidence evidence = evidence_of("one two three four five six seven eight",
                                            "one new two three new four five new six seven new eight");
  EXPECT_EQ(evidence.substitutions, 0U);
  EXPECT_EQ(evidence.exchanged_words, 0U);
  EXPECT_EQ(evidence.matched, 8U);
}

TEST(EditEvidenceTest, NumbersOfAFilledTable) {
  const EditEvidence evidence =
      evidence_of("votes for smith 12 and 340 of all votes for jones 7 and 99 of all",
                  "votes for smith 15 and 281 of all votes for jones 31 and 5 of all");
  EXPECT_EQ(evidence.exchanged_numbers, 4U);
  EXPECT_EQ(evidence.exchanged_words, 0U);
}

// A version number that is everywhere is not a subject.
TEST(EditEvidenceTest, ARepeatedNumberIsNoWord) {
  const EditEvidence evidence =
      evidence_of("release 13 of the manual tells what release 13 can do and what 13 lacks",
                  "release 15 of the manual tells what release 15 can do and what 15 lacks");
  EXPECT_EQ(evidence.exchanged_numbers, 3U);
  EXPECT_EQ(evidence.exchanged_words, 0U);
}

// Unless it stands in a heading.
TEST(EditEvidenceTest, WhatWeighsNothingIsNoEvidence) {
  const std::vector<Symbol> a = symbols_of("one lamp two lamp three lamp four"),
                            b = symbols_of("one chair two chair three chair four");
  const auto counted = [&](const FeatureBlock& block) {
    const std::vector<FeatureBlock> blocks = {block};
    return EvidenceCounter().count({a, blocks}, {b, blocks}, matches_of(a, b)).exchanged_words;
  };
  EXPECT_EQ(counted({1, 0, 255, 0, 0, 0}), 3U);
  EXPECT_EQ(counted({1, 0, 0, 0, 0, 0}), 0U) << "a list of links that repeats its words";
  EXPECT_EQ(counted({1, 0, 0, 0, 1, 0}), 3U);
  EXPECT_EQ(counted({1, 0, 0, 0, 3, 0}), 0U) << "a small heading";
}

// A record's number and name often stand before and behind all that its template says.
TEST(EditEvidenceTest, WhatIsBeforeAndBehindAllMatchesCounts) {
  const EditEvidence evidence = evidence_of("road 1506 runs through the county and ends at 12 oak",
                                            "road 1511 runs through the county and ends at 7 elm");
  EXPECT_EQ(evidence.substitutions, 2U);
  EXPECT_EQ(evidence.exchanged_numbers, 2U);
  const EditEvidence chapters = evidence_of("rotate left this turns the layer by a quarter left",
                                            "flip upright this turns the layer by a quarter upright");
  EXPECT_EQ(chapters.substitutions, 2U);
  EXPECT_EQ(chapters.exchanged_words, 2U);
}

// One symbol a character, each two wide.
std::vector<Symbol> characters_of(std::u32string_view text) {
  std::vector<Symbol> symbols;
  for (const char32_t c : text)
    symbols.push_back(make_symbol(text::token_hash(std::to_string(c)), 2));
  return symbols;
}

// Each character of the exchanged names is in the other text too; the names are not.
TEST(EditEvidenceTest, ANameOfTwoCharactersThatWasExchanged) {
  const std::vector<Symbol> a = characters_of(U"我们今天去青岛参观,明天从青岛回来,大海和山都很好,小岛与青山"),
                            b = characters_of(U"我们今天去大海参观,明天从大海回来,大海和山都很好,小岛与青山");
  EvidenceCounter counter;
  EXPECT_EQ(counter.count({a, {}}, {b, {}}, matches_of(a, b)).exchanged_words, 0U) << "the other text has it";
  const std::vector<Symbol> c = characters_of(U"我们今天去天山参观,明天从天山回来,大海和山都很好,小岛与青山"),
                            d = characters_of(U"我们今天去海大参观,明天从海大回来,大海和山都很好,小岛与青山");
  const EditEvidence evidence = counter.count({c, {}}, {d, {}}, matches_of(c, d));
  EXPECT_EQ(evidence.substitutions, 2U);
  EXPECT_EQ(evidence.exchanged_words, 2U);
}

TEST(EditEvidenceTest, ALongPassageInPlaceOfAnotherIsNoHunk) {
  std::string a = "head ", b = "head ";
  for (uint32_t i = 0; i <= kHunkTokens; ++i) {
    a += "left 1 ";
    b += "right 2 ";
  }
  const EditEvidence evidence = evidence_of(a + "tail", b + "tail");
  EXPECT_EQ(evidence.substitutions, 0U);
  EXPECT_EQ(evidence.exchanged_words, 0U);
  EXPECT_EQ(evidence.exchanged_numbers, 0U);
}

TEST(EditEvidenceTest, NumbersAreRunsOfUpToFourDigits) {
  const auto symbol = [](std::string_view word) {
    return make_symbol(text::token_hash(word), static_cast<uint32_t>(word.size()));
  };
  for (const std::string_view word : {"0", "7", "07", "2024", "0000", "9999"})
    EXPECT_TRUE(is_number(symbol(word))) << word;
  for (const std::string_view word : {"12345", "a1", "ten", "x", ""})
    EXPECT_FALSE(is_number(symbol(word))) << word;
}

TEST(EditEvidenceTest, NothingMatchedIsNothingCounted) {
  EvidenceCounter counter;
  const EditEvidence evidence = counter.count({}, {}, {});
  EXPECT_EQ(evidence.matched, 0U);
  EXPECT_EQ(evidence.exchanged_words, 0U);
}

// The definition, with sets.
EditEvidence plain_count(const std::vector<Symbol>& a, const std::vector<Symbol>& b,
                         const std::vector<lcs::Match>& matches) {
  EditEvidence evidence;
  std::map<std::pair<Symbol, Symbol>, std::set<size_t>> hunks_a, hunks_b;  // a word, or two wide characters
  uint32_t numbers_a = 0, numbers_b = 0;
  const lcs::Match before{0, 0, 0};
  const lcs::Match behind{static_cast<uint32_t>(a.size()), static_cast<uint32_t>(b.size()), 0};
  for (size_t i = 0; i <= matches.size(); ++i) {
    const lcs::Match& last = i == 0 ? before : matches[i - 1];
    const lcs::Match& next = i == matches.size() ? behind : matches[i];
    evidence.matched += next.count;
    const uint32_t from_a = last.a + last.count, from_b = last.b + last.count;
    const uint32_t to_a = next.a, to_b = next.b;
    if (to_a <= from_a || to_b <= from_b || to_a - from_a > kHunkTokens || to_b - from_b > kHunkTokens)
      continue;
    ++evidence.substitutions;
    const auto look = [&](const std::vector<Symbol>& text, uint32_t from, uint32_t to, auto& hunks,
                          uint32_t& numbers) {
      for (uint32_t at = from; at < to; ++at) {
        numbers += is_number(text[at]);
        if (is_number(text[at])) continue;
        hunks[{text[at], 0}].insert(i);
        if (at > from && symbol_width(text[at - 1]) == 2 && symbol_width(text[at]) == 2)
          hunks[{text[at - 1], text[at]}].insert(i);
      }
    };
    look(a, from_a, to_a, hunks_a, numbers_a);
    look(b, from_b, to_b, hunks_b, numbers_b);
  }
  const auto repeated = [](const auto& hunks, const std::vector<Symbol>& other) {
    uint32_t count = 0;
    for (const auto& [word, places] : hunks) {
      const bool is_pair = word.second != 0;
      bool is_shared = false;
      for (size_t at = is_pair ? 1 : 0; at < other.size(); ++at)
        is_shared |=
            is_pair ? other[at - 1] == word.first && other[at] == word.second : other[at] == word.first;
      if (places.size() >= 2 && !is_shared) count += static_cast<uint32_t>(places.size());
    }
    return count;
  };
  evidence.exchanged_words = std::min(repeated(hunks_a, b), repeated(hunks_b, a));
  evidence.exchanged_numbers = std::min(numbers_a, numbers_b);
  return evidence;
}

TEST(EditEvidenceTest, EqualsItsDefinitionOnRandomTexts) {
  std::mt19937 random(7);
  EvidenceCounter counter;
  for (int round = 0; round < 400; ++round) {
    const auto size = static_cast<uint32_t>(random() % 200);
    std::vector<Symbol> a, b;
    const auto word = [&](uint32_t kinds) {
      const auto kind = static_cast<uint32_t>(random() % kinds);
      const std::string text = kind % 3 == 0 ? std::to_string(kind) : "w" + std::to_string(kind);
      return make_symbol(text::token_hash(text), static_cast<uint32_t>(text.size()));
    };
    for (uint32_t i = 0; i < size; ++i) {
      const Symbol shared = word(60);
      const auto how = static_cast<uint32_t>(random() % 8);
      if (how != 0) a.push_back(shared);
      if (how == 2) a.push_back(word(300));
      if (how != 1) b.push_back(how == 3 ? word(90) : shared);
    }
    const std::vector<lcs::Match> matches = matches_of(a, b);
    const EditEvidence expected = plain_count(a, b, matches);
    const EditEvidence counted = counter.count({a, {}}, {b, {}}, matches);
    EXPECT_EQ(counted.matched, expected.matched) << round;
    EXPECT_EQ(counted.substitutions, expected.substitutions) << round;
    EXPECT_EQ(counted.exchanged_words, expected.exchanged_words) << round;
    EXPECT_EQ(counted.exchanged_numbers, expected.exchanged_numbers) << round;
  }
}

// Fifty thousand hunks of one token: near-linear work, bounded memory.
TEST(EditEvidenceTest, TheWorkOfManyHunksIsBounded) {
  constexpr uint32_t kHunks = 50000;
  std::vector<Symbol> a, b;
  std::vector<lcs::Match> matches;
  for (uint32_t i = 0; i < kHunks; ++i) {
    matches.push_back({2 * i, 2 * i, 1});
    a.push_back(make_symbol(1U << 6, 5));
    b.push_back(make_symbol(1U << 6, 5));
    a.push_back(make_symbol((i % 100 + 2) << 6, 5));
    b.push_back(make_symbol((i % 100 + 200) << 6, 5));
  }
  EvidenceCounter counter;
  const EditEvidence evidence = counter.count({a, {}}, {b, {}}, matches);
  EXPECT_EQ(evidence.substitutions, kHunks);
  EXPECT_EQ(evidence.exchanged_words, kHunks);
  EXPECT_LE(counter.work(), 50 * uint64_t{kHunks});
  EXPECT_LE(counter.memory_bytes(), 40 * uint64_t{kHunks});
}

}  // namespace
}  // namespace nd::engine
