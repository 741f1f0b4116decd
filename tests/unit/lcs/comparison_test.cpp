// The comparison of two texts against its oracle, with budgets, passes and early ends.
#include "lcs/comparison.hpp"

#include <gtest/gtest.h>

#include <set>

#include "unit/lcs/comparison_oracle.hpp"
#include "unit/lcs/filtered_sketch_oracle.hpp"
#include "unit/lcs/sequence_sample.hpp"

namespace nd::lcs {
namespace {

Comparison compared(Comparer& comparer, const Sample& a, const Sample& b,
                    const ComparisonParameters& parameters, uint64_t need_width = 0) {
  Comparison result;
  comparer.compare(a.sequence(), b.sequence(), parameters, need_width, result);
  return result;
}

Comparison compared(const Sample& a, const Sample& b, const ComparisonParameters& parameters = {},
                    uint64_t need_width = 0) {
  Comparer comparer;
  return compared(comparer, a, b, parameters, need_width);
}

// Every position at most once, every pair equal, ascending in a, the width as stated.
void expect_valid(const Comparison& result, const Sample& a, const Sample& b) {
  std::set<uint32_t> seen_a, seen_b;
  uint64_t width = 0;
  uint32_t last = 0;
  for (const auto& [i, j] : oracle::pairs_of(result.matches)) {
    ASSERT_LT(i, a.symbols.size());
    ASSERT_LT(j, b.symbols.size());
    EXPECT_EQ(a.symbols[i], b.symbols[j]);
    EXPECT_TRUE(seen_a.insert(i).second);
    EXPECT_TRUE(seen_b.insert(j).second);
    EXPECT_LE(last, i);
    last = i;
    width += a.widths[i];
  }
  EXPECT_EQ(width, result.matched_width);
}

Sample joined(const std::vector<const Sample*>& parts) {
  Sample whole;
  for (const Sample* part : parts) {
    whole.symbols.insert(whole.symbols.end(), part->symbols.begin(), part->symbols.end());
    whole.widths.insert(whole.widths.end(), part->widths.begin(), part->widths.end());
  }
  return whole;
}

TEST(ComparisonTest, EmptyAndSingle) {
  const Sample none, one({5}, 8), other({6}, 8);
  EXPECT_EQ(compared(none, none).matched_width, 0u);
  EXPECT_EQ(compared(none, one).matches.size(), 0u);
  EXPECT_EQ(compared(one, none).matches.size(), 0u);
  EXPECT_EQ(compared(one, other).matched_width, 0u);
  const Comparison same = compared(one, one);
  EXPECT_EQ(same.matches, (Vector<Match>{{0, 0, 1}}));
  EXPECT_EQ(same.matched_width, 6u);
}

TEST(ComparisonTest, IdenticalTextsCostOneLook) {
  Random random(1);
  const Sample a(random_symbols(random, 5000, 900), 8);
  const Comparison result = compared(a, a);
  EXPECT_EQ(result.matches, (Vector<Match>{{0, 0, 5000}}));
  EXPECT_EQ(result.work, 5000u);
  EXPECT_EQ(result.passes, 1u);
  expect_valid(result, a, a);
}

TEST(ComparisonTest, ReorderedPartsAreMatchedByLaterPasses) {
  Random random(2);
  const Sample x(random_symbols(random, 100, 100'000), 8), y(random_symbols(random, 80, 100'000), 8),
      z(random_symbols(random, 60, 100'000), 8);
  const Sample a = joined({&x, &y, &z}), b = joined({&z, &y, &x});
  const Comparison result = compared(a, b);
  EXPECT_EQ(result.matches, (Vector<Match>{{0, 140, 100}, {100, 60, 80}, {180, 0, 60}}));
  EXPECT_EQ(result.passes, 3u);
  expect_valid(result, a, b);
  EXPECT_EQ(compared(a, b, {.rounds = 1}).matches, (Vector<Match>{{0, 140, 100}}));
  EXPECT_EQ(compared(a, b, {.rounds = 2}).passes, 2u);
  // A pass that adds less than the limit is the last.
  EXPECT_EQ(compared(a, b, {.gain_width = 100'000}).passes, 1u);
}

TEST(ComparisonTest, LaterPassesDoNotJoinWhatACutHasBroughtTogether) {
  // "1 2 3" and "4 5 6" meet only once x is cut out; windows of width 6 must not see them as one.
  const Sample x(std::vector<uint32_t>{11, 12, 13, 14, 15, 16, 17, 18, 19, 20});
  const Sample left({1, 2, 3}), right({4, 5, 6});
  const Sample a = joined({&left, &x, &right}), b = joined({&x, &left, &right});
  const ComparisonParameters parameters = {.window_width = 6, .gain_width = 1};
  EXPECT_EQ(compared(a, b, parameters).matches, (Vector<Match>{{3, 0, 10}}));
}

TEST(ComparisonTest, TooLittleInTheSketchRejectsWithoutAnLcs) {
  Random random(3);
  const Sample common(random_symbols(random, 20, 100'000));
  const Sample x(random_symbols(random, 500, 100'000)), y(random_symbols(random, 500, 100'000));
  const Sample a = joined({&x, &common}), b = joined({&common, &y});
  EXPECT_EQ(compared(a, b, {}, 20).matched_width, 20u);
  const Comparison result = compared(a, b, {}, 21);
  EXPECT_TRUE(result.matches.empty());
  EXPECT_EQ(result.passes, 0u);
  EXPECT_FALSE(result.limited);
  EXPECT_EQ(result.work, 1040u);
}

TEST(ComparisonTest, EqualsTheOracleWithTrustableRegions) {
  Random random(2012);
  Comparer comparer(random());
  for (int round = 0; round < 250; ++round) {
    const auto alphabet = static_cast<uint32_t>(2 + random() % (round % 2 ? 10 : 500));
    const auto widest = static_cast<uint32_t>(1 + random() % 6);
    auto symbols = random_symbols(random, random() % 120, alphabet);
    const Sample a(symbols, widest);
    if (round % 3 == 0) std::rotate(symbols.begin(), symbols.begin() + symbols.size() / 3, symbols.end());
    const Sample b(edited(random, symbols, alphabet, static_cast<uint32_t>(random() % 300)), widest);
    const ComparisonParameters parameters = {
        .window_width = static_cast<uint32_t>(1 + random() % 12),
        .trustable = true,
        .trust = {.slope = static_cast<double>(random() % 40) / 100,
                  .block_width = static_cast<uint32_t>(1 + random() % 30)},
        .rounds = static_cast<uint32_t>(1 + random() % 5),
        .gain_width = static_cast<uint32_t>(random() % 20)};
    const Comparison result = compared(comparer, a, b, parameters);
    if (a.symbols == b.symbols) continue;
    const auto expected = oracle::compare(a.sequence(), b.sequence(), parameters);
    ASSERT_EQ(oracle::pairs_of(result.matches), expected.pairs) << round;
    EXPECT_EQ(result.matched_width, expected.width);
    EXPECT_EQ(result.passes, expected.passes);
    expect_valid(result, a, b);
  }
}

TEST(ComparisonTest, OneSecondTextServesManyFirstOnes) {
  Random random(2013);
  Comparer kept(random()), fresh(random());
  for (int round = 0; round < 40; ++round) {
    const auto alphabet = static_cast<uint32_t>(2 + random() % 500);
    const Sample b(random_symbols(random, random() % 200, alphabet), 6);
    const ComparisonParameters parameters = {.window_width = static_cast<uint32_t>(1 + random() % 12),
                                             .gain_width = 4};
    kept.set_second(b.sequence(), parameters.window_width);
    for (int first = 0; first < 5; ++first) {
      auto symbols = b.symbols;
      if (first % 2 == 0 && !symbols.empty())
        std::rotate(symbols.begin(), symbols.begin() + symbols.size() / 3, symbols.end());
      const Sample a(edited(random, symbols, alphabet, static_cast<uint32_t>(random() % 300)), 6);
      const uint64_t need_width = random() % 400;
      Comparison result;
      kept.compare(a.sequence(), parameters, need_width, result);
      const Comparison expected = compared(fresh, a, b, parameters, need_width);
      ASSERT_EQ(result.matches, expected.matches) << round;
      EXPECT_EQ(result.passes, expected.passes);
      EXPECT_EQ(result.work, expected.work);
    }
  }
}

TEST(ComparisonTest, TheFirstPassIsAnLcsOfTheSketches) {
  Random random(1512);
  Comparer comparer;
  for (int round = 0; round < 80; ++round) {
    const auto alphabet = static_cast<uint32_t>(2 + random() % (round % 2 ? 10 : 500));
    const auto symbols = random_symbols(random, 1 + random() % 250, alphabet);
    const Sample a(symbols, 5);
    const Sample b(edited(random, symbols, alphabet, static_cast<uint32_t>(random() % 500)), 5);
    const ComparisonParameters parameters = {.window_width = 8, .rounds = 1};
    const auto picked = [&](const Sample& text, const Sample& other) {
      std::vector<uint32_t> sketch;
      for (const uint32_t i : oracle::kept_positions(text.sequence(), {}, other.sequence(), {}, 8)) {
        sketch.push_back(text.symbols[i]);
      }
      return sketch;
    };
    const Comparison result = compared(comparer, a, b, parameters);
    EXPECT_EQ(oracle::pairs_of(result.matches).size(), oracle::lcs_length(picked(a, b), picked(b, a)))
        << round;
    EXPECT_TRUE(oracle::is_common_subsequence(result.matches, a.symbols, b.symbols));
    expect_valid(result, a, b);
    expect_valid(compared(comparer, a, b, {.window_width = 8, .gain_width = 5}), a, b);
  }
}

TEST(ComparisonTest, OneSymbolAMillionTimes) {
  const Sample a(std::vector<uint32_t>(1'000'000, 7), 8), b(std::vector<uint32_t>(600'000, 7), 8);
  const Comparison result = compared(a, b);
  EXPECT_EQ(result.matched_width, 600'000u * 8);
  EXPECT_FALSE(result.limited);
  EXPECT_LT(result.work, 3'000'000u);
}

TEST(ComparisonTest, TheWorkLimitHolds) {
  Random random(4);
  const Sample a(random_symbols(random, 20'000, 30), 3), b(random_symbols(random, 20'000, 30), 3);
  for (const bool trustable : {false, true}) {
    const ComparisonParameters parameters = {
        .window_width = 4, .trustable = trustable, .edit_budget = 40'000, .work_limit = 1'000'000};
    const Comparison result = compared(a, b, parameters);
    EXPECT_TRUE(result.limited);
    EXPECT_LE(result.work, 1'020'000u);
    EXPECT_EQ(result.matched_width, 0u);
  }
  const Comparison at_once = compared(a, b, {.work_limit = 1000});
  EXPECT_TRUE(at_once.limited);
  EXPECT_EQ(at_once.work, 0u);
}

TEST(ComparisonTest, WhatWasFoundBeforeTheLimitStays) {
  Random random(5);
  const Sample x(random_symbols(random, 1000, 1'000'000)), y(random_symbols(random, 900, 1'000'000));
  const Sample a = joined({&x, &y}), b = joined({&y, &x});
  const uint64_t first = compared(a, b, {.rounds = 1}).work;
  const Comparison result = compared(a, b, {.work_limit = first + 500});
  EXPECT_TRUE(result.limited);
  EXPECT_EQ(result.passes, 1u);
  EXPECT_EQ(result.matches, (Vector<Match>{{0, 900, 1000}}));
  EXPECT_LE(result.work, first + 500);
}

// The memory depends on the sizes of two texts, not on what they share.
TEST(ComparisonTest, NoTextTakesMoreMemoryThanTheFirstOfItsSize) {
  constexpr size_t kSize = 1500;
  Random random(7);
  Comparer comparer;
  Comparison result;
  const auto compare = [&](const Sample& a, const Sample& b) {
    comparer.compare(a.sequence(), b.sequence(), {}, 0, result);
  };
  // Symbols of a small alphabet in two orders: more edits than Myers may use.
  compare(Sample(random_symbols(random, kSize, 30), 16), Sample(random_symbols(random, kSize, 30), 16));
  const uint64_t bytes = comparer.memory_bytes();
  uint64_t most_passes = 0, matched = 0;
  for (int round = 0; round < 300; ++round) {
    const uint32_t alphabet = round % 3 == 0 ? 30 : 100'000;
    const std::vector<uint32_t> a = random_symbols(random, 1 + random() % kSize, alphabet);
    std::vector<uint32_t> b = edited(random, a, alphabet, static_cast<uint32_t>(random() % 400));
    if (round % 2 == 0) std::rotate(b.begin(), b.begin() + static_cast<ptrdiff_t>(b.size() / 3), b.end());
    if (b.size() > kSize) b.resize(kSize);
    compare(Sample(a, 16), Sample(b, 16));
    ASSERT_EQ(comparer.memory_bytes(), bytes) << round;
    ASSERT_LE(result.matches.capacity(), 2048U);
    most_passes = std::max<uint64_t>(most_passes, result.passes);
    matched += result.matched_width;
  }
  EXPECT_GT(most_passes, 1U);
  EXPECT_GT(matched, 0U);
}

}  // namespace
}  // namespace nd::lcs
