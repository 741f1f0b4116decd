// The measures of TR2007012 on texts that can be checked by hand.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lcs_similarity.hpp"
#include "lcs_slopes.hpp"
#include "lcs_text.hpp"
#include "lcs_windows.hpp"

namespace nd::eval::partition {
namespace {

ComparedText letters(const std::string& text, uint32_t symbol_width = 1) {
  ComparedText out;
  for (const char letter : text)
    out.add(static_cast<uint32_t>(letter), symbol_width);
  return out;
}

std::string counted(int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += static_cast<char>(33 + i % 90);
  return text;
}

TEST(LcsMeasures, ResemblanceAndContainmentOfTheReport) {
  const ComparedText a = letters(counted(80)), b = letters(counted(20));
  EXPECT_DOUBLE_EQ(resemblance(a, b, 20), 0.25);
  EXPECT_DOUBLE_EQ(resemblance(a, b, 0), 0);
  EXPECT_DOUBLE_EQ(resemblance({}, {}, 0), 0);
  // r = .25 is too little, c = 14 / 20 is enough; c is of the second text.
  EXPECT_TRUE(is_similar(a, b, 14));
  EXPECT_FALSE(is_similar(a, b, 13));
  EXPECT_FALSE(is_similar(b, a, 20));
  EXPECT_FALSE(is_similar({}, {}, 0));
  // r = 28 / (64 + 64 − 28).
  EXPECT_TRUE(is_similar(letters(counted(64)), letters(counted(64)), 28));
  EXPECT_FALSE(is_similar(letters(counted(64)), letters(counted(64)), 27));
}

TEST(LcsMeasures, TheLeastWidthLosesNothing) {
  for (int a_size = 1; a_size < 120; a_size += 7) {
    for (int b_size = 1; b_size < 120; b_size += 3) {
      const ComparedText a = letters(counted(a_size)), b = letters(counted(b_size));
      for (uint64_t matched = 0; matched < least_width(a, b); ++matched)
        EXPECT_FALSE(is_similar(a, b, matched)) << a_size << ' ' << b_size << ' ' << matched;
    }
  }
}

TEST(LcsMeasures, StrainedAwayOfTwoTextsByHand) {
  lcs::SketchFilter filter;
  // Windows of 4: what both share is "defgh" (5 wide), so 5 of 10 and 5 of 8 are kept.
  EXPECT_DOUBLE_EQ(strained_away(filter, letters("abcdefghij"), letters("XYdefghZ"), 4), 8 / 18.0);
  // No window of 6 occurs in both.
  EXPECT_DOUBLE_EQ(strained_away(filter, letters("abcdefghij"), letters("XYdefghZ"), 6), 1);
  // Wide symbols: two of them fill a window of 4, so the width counts and not the number.
  EXPECT_DOUBLE_EQ(strained_away(filter, letters("abcd", 2), letters("ab", 2), 4), 4 / 12.0);
  EXPECT_DOUBLE_EQ(strained_away(filter, letters("abc"), letters("abc"), 2), 0);
  EXPECT_DOUBLE_EQ(strained_away(filter, {}, {}, 4), 0);
}

TEST(LcsMeasures, ReservedOfEqualTextsIsAll) {
  TrustedComparer comparer;
  const ComparedText text = letters(counted(200));
  const std::optional<uint64_t> whole = comparer.trusted_width(text, text, {.window_width = 1});
  ASSERT_EQ(whole, 200u);
  EXPECT_DOUBLE_EQ(*reserved(comparer, text, text, 16, *whole), 1);
}

TEST(LcsMeasures, ReservedLosesWhatIsShorterThanTheWindow) {
  // Every 50 symbols one is replaced, and once two are with four between them: the four are strained away.
  std::string a = counted(200), b = a;
  b[100] = b[105] = ' ';
  TrustedComparer comparer;
  const std::optional<uint64_t> whole = comparer.trusted_width(letters(a), letters(b), {.window_width = 1});
  ASSERT_EQ(whole, 198u);
  EXPECT_DOUBLE_EQ(*reserved(comparer, letters(a), letters(b), 4, *whole), 1);
  EXPECT_DOUBLE_EQ(*reserved(comparer, letters(a), letters(b), 8, *whole), 194 / 198.0);
}

TEST(LcsMeasures, OnlyTheMiddleIsTrusted) {
  // 128 equal symbols in the middle of 256, the ends replaced.
  const std::string middle = counted(128);
  const ComparedText a = letters(std::string(64, 'A') + middle + std::string(64, 'B'));
  const ComparedText b = letters(std::string(64, 'C') + middle + std::string(64, 'D'));
  TrustedComparer comparer;
  const uint64_t trusted = *comparer.trusted_width(a, b, {});
  EXPECT_GT(trusted, 100u);
  EXPECT_LE(trusted, 128u);
  // Boilerplate at both ends and another text between them: no slope allows it, but the whole LCS counts it.
  const ComparedText c = letters(middle.substr(0, 64) + std::string(128, 'A') + middle.substr(64));
  const ComparedText d = letters(middle.substr(0, 64) + std::string(128, 'B') + middle.substr(64));
  EXPECT_EQ(comparer.trusted_width(c, d, {.slope = std::nullopt}), 128u);
  EXPECT_LE(*comparer.trusted_width(c, d, {}), 64u);
  EXPECT_EQ(comparer.trusted_width(c, d, {}, 129), 0u);
}

TEST(LcsMeasures, PrecisionAtAHeldRecallByHand) {
  // Ten pairs that are the same at .95, .90, ... .50, two that are not at .72 and .10.
  std::vector<RatedPair> pairs = {{0.72, false}, {0.10, false}};
  for (int i = 0; i < 10; ++i)
    pairs.push_back({0.95 - 0.05 * i, true});
  std::optional<Operation> operation = operate_at_recall(pairs, 0.9);
  ASSERT_TRUE(operation);
  EXPECT_DOUBLE_EQ(operation->recall, 0.9);
  EXPECT_DOUBLE_EQ(operation->resemblance, 0.95 - 0.05 * 8);
  EXPECT_DOUBLE_EQ(operation->precision, 0.9);
  // At half the recall the pair at .72 is out.
  operation = operate_at_recall(pairs, 0.5);
  EXPECT_DOUBLE_EQ(operation->recall, 0.5);
  EXPECT_DOUBLE_EQ(operation->precision, 1);
}

TEST(LcsMeasures, AThresholdTakesAllPairsOfItsResemblance) {
  const std::vector<RatedPair> pairs = {{0.5, true}, {0.5, false}, {0.5, true}, {0.2, true}, {0.2, true}};
  const std::optional<Operation> operation = operate_at_recall(pairs, 0.6);
  ASSERT_TRUE(operation);
  EXPECT_DOUBLE_EQ(operation->resemblance, 0.5);
  EXPECT_DOUBLE_EQ(operation->recall, 0.5);
  EXPECT_DOUBLE_EQ(operation->precision, 2 / 3.0);
}

TEST(LcsMeasures, PrecisionAndRecallAreMeansOverTheDocuments) {
  // Document 1 has four others, two of them the same; document 2 one, which is; document 3 two that are not.
  const std::vector<RatedPair> pairs = {{0.9, true, 1}, {0.8, false, 1}, {0.3, true, 1}, {0.2, false, 1},
                                        {0.6, true, 2}, {0.7, false, 3}, {0.1, false, 3}};
  std::optional<Operation> operation = operate_at_recall(pairs, 0.7);
  ASSERT_TRUE(operation);
  EXPECT_DOUBLE_EQ(operation->resemblance, 0.6);
  EXPECT_DOUBLE_EQ(operation->recall, (1 / 2.0 + 1) / 2);
  EXPECT_DOUBLE_EQ(operation->precision, (1 / 2.0 + 1 + 0) / 3);
  // Documents 2 and 3 find nothing up there: they are in the mean of the recall, if at all.
  operation = operate_at_recall(pairs, 0.3);
  EXPECT_DOUBLE_EQ(operation->resemblance, 0.9);
  EXPECT_DOUBLE_EQ(operation->recall, (1 / 2.0 + 0) / 2);
  EXPECT_DOUBLE_EQ(operation->precision, 1);
}

TEST(LcsMeasures, WhatIsNotTrustedIsNeverFound) {
  // Half of the pairs have nothing in common: the recall of .90 is out of reach.
  const std::vector<RatedPair> pairs = {{0.4, true}, {0, true}, {0, false}};
  const std::optional<Operation> operation = operate_at_recall(pairs, 0.9);
  ASSERT_TRUE(operation);
  EXPECT_DOUBLE_EQ(operation->resemblance, 0.4);
  EXPECT_DOUBLE_EQ(operation->recall, 0.5);
  EXPECT_FALSE(operate_at_recall({{0, true}}, 0.9));
  EXPECT_FALSE(operate_at_recall({{0.5, false}}, 0.9));
  EXPECT_FALSE(operate_at_recall({}, 0.9));
}

TEST(LcsMeasures, MainTextOrAllWhereThereIsNone) {
  text::Document document;
  document.text = "a\n中b";
  text::DocumentBlock boilerplate{}, article{};
  boilerplate.text = {0, 1};
  boilerplate.width = 1;
  boilerplate.weight = 0.3F;
  article.text = {2, 6};
  article.width = 3;
  article.weight = 0.4F;
  document.blocks = {boilerplate, article};
  EXPECT_EQ(text_of(document, Extent::kMain, Unit::kCharacters).symbols, (Vector<uint32_t>{0x4e2d, 'b'}));
  EXPECT_EQ(text_of(document, Extent::kMain, Unit::kCharacters).width, 3u);
  EXPECT_EQ(text_of(document, Extent::kAll, Unit::kCharacters).symbols, (Vector<uint32_t>{'a', 0x4e2d, 'b'}));
  EXPECT_EQ(main_width(document), 3u);
  document.blocks[1].weight = 0.3F;
  EXPECT_EQ(text_of(document, Extent::kMain, Unit::kCharacters).symbols,
            (Vector<uint32_t>{'a', 0x4e2d, 'b'}));
  EXPECT_EQ(main_width(document), 0u);
}

}  // namespace
}  // namespace nd::eval::partition
