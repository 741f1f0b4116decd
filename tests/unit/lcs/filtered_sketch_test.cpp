// The filtered sketch against its oracle, at the ends of texts and around cuts.
#include "lcs/filtered_sketch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

#include "unit/lcs/filtered_sketch_oracle.hpp"
#include "unit/lcs/sequence_sample.hpp"

namespace nd::lcs {
namespace {

using Positions = std::vector<uint32_t>;

std::pair<Positions, Positions> kept(SketchFilter& filter, const Sample& a, const Positions& cuts_a,
                                     const Sample& b, const Positions& cuts_b, uint32_t window_width) {
  Vector<uint32_t> kept_a, kept_b;
  filter.filter(a.sequence(), cuts_a, b.sequence(), cuts_b, window_width, kept_a, kept_b);
  return {Positions(kept_a.begin(), kept_a.end()), Positions(kept_b.begin(), kept_b.end())};
}

std::pair<Positions, Positions> kept(std::string_view a, std::string_view b, uint32_t window_width) {
  SketchFilter filter;
  return kept(filter, Sample(a), {}, Sample(b), {}, window_width);
}

TEST(FilteredSketchTest, DropsWhatNoSharedWindowCovers) {
  // Between the two changes are three letters, fewer than a window.
  const auto [a, b] = kept("0123x567y9abc", "0123z567w9abc", 4);
  EXPECT_EQ(a, (Positions{0, 1, 2, 3, 9, 10, 11, 12}));
  EXPECT_EQ(b, a);
  EXPECT_EQ(kept("0123x567y9abc", "0123z567w9abc", 3).first, (Positions{0, 1, 2, 3, 5, 6, 7, 9, 10, 11, 12}));
}

TEST(FilteredSketchTest, KeepsEveryCopyOfAWindow) {
  const auto [a, b] = kept("abcd--abcd", "xxabcdxx", 4);
  EXPECT_EQ(a, (Positions{0, 1, 2, 3, 6, 7, 8, 9}));
  EXPECT_EQ(b, (Positions{2, 3, 4, 5}));
}

TEST(FilteredSketchTest, ANarrowTextIsOneWindow) {
  EXPECT_EQ(kept("ab", "ab", 16), (std::pair{Positions{0, 1}, Positions{0, 1}}));
  EXPECT_EQ(kept("ab", "abc", 16), (std::pair{Positions{}, Positions{}}));
  EXPECT_EQ(kept("", "", 16), (std::pair{Positions{}, Positions{}}));
  EXPECT_EQ(kept("", "a", 0), (std::pair{Positions{}, Positions{}}));
  EXPECT_EQ(kept("a", "ba", 0), (std::pair{Positions{0}, Positions{1}}));
}

TEST(FilteredSketchTest, SymbolZeroCounts) {
  SketchFilter filter;
  const Sample one(std::vector<uint32_t>(1, 0)), two(std::vector<uint32_t>(2, 0));
  EXPECT_TRUE(kept(filter, one, {}, two, {}, 5).first.empty());
}

// Widths 2, 3, 1: the window that starts at the middle symbol is full before the last.
TEST(FilteredSketchTest, TheEndOfATextIsCovered) {
  SketchFilter filter;
  const Sample text({1, 2, 0}, 3);
  EXPECT_EQ(kept(filter, text, {}, text, {}, 3).first, (Positions{0, 1, 2}));
}

TEST(FilteredSketchTest, NoWindowSpansACut) {
  SketchFilter filter;
  const Sample text("abcdefgh");
  EXPECT_EQ(kept(filter, text, {}, text, {3}, 4).first, (Positions{3, 4, 5, 6, 7}));
  EXPECT_EQ(kept(filter, text, {4}, text, {}, 5).first, (Positions{}));
}

TEST(FilteredSketchTest, EqualsTheOracle) {
  Random random(43);
  SketchFilter filter(random());
  for (int round = 0; round < 600; ++round) {
    const auto alphabet = static_cast<uint32_t>(1 + random() % (round % 2 ? 4 : 300));
    const auto widest = static_cast<uint32_t>(1 + random() % 8);
    const auto window_width = static_cast<uint32_t>(random() % 24);
    const auto symbols = random_symbols(random, random() % 90, alphabet);
    const Sample a(symbols, widest);
    const Sample b(edited(random, symbols, alphabet, static_cast<uint32_t>(random() % 500)), widest);
    const auto cuts = [&](const Sample& text) {
      std::set<uint32_t> positions;
      for (uint64_t i = random() % 4; i > 0 && !text.symbols.empty(); --i) {
        positions.insert(static_cast<uint32_t>(random() % text.symbols.size()));
      }
      return Positions(positions.begin(), positions.end());
    };
    const Positions cuts_a = round % 3 == 0 ? cuts(a) : Positions{};
    const Positions cuts_b = round % 3 == 0 ? cuts(b) : Positions{};
    const auto [kept_a, kept_b] = kept(filter, a, cuts_a, b, cuts_b, window_width);
    EXPECT_EQ(kept_a, oracle::kept_positions(a.sequence(), cuts_a, b.sequence(), cuts_b, window_width))
        << round;
    EXPECT_EQ(kept_b, oracle::kept_positions(b.sequence(), cuts_b, a.sequence(), cuts_a, window_width))
        << round;
  }
}

// Long stretches in common, moved, repeated and cut off in the middle of a window, are followed without
// hashing; one index serves many texts.
TEST(FilteredSketchTest, EqualsTheOracleWhereLongRunsAreShared) {
  Random random(44);
  SketchFilter filter(random());
  SketchIndex index(random());
  for (int round = 0; round < 60; ++round) {
    const auto alphabet = static_cast<uint32_t>(3 + random() % (round % 2 ? 6 : 4000));
    const auto widest = static_cast<uint32_t>(1 + random() % 20);
    const auto window_width = static_cast<uint32_t>(1 + random() % 40);
    const Sample b(random_symbols(random, 100 + random() % 300, alphabet), widest);
    index.set(b.sequence(), {}, window_width);
    for (int texts = 0; texts < 6; ++texts) {
      std::vector<uint32_t> symbols;
      for (uint64_t parts = 1 + random() % 5; parts > 0; --parts) {
        const size_t begin = random() % b.symbols.size();
        const size_t count = std::min<size_t>(b.symbols.size() - begin, random() % 150);
        const auto first = b.symbols.begin() + static_cast<ptrdiff_t>(begin);
        symbols.insert(symbols.end(), first, first + static_cast<ptrdiff_t>(count));
        if (random() % 2 != 0) symbols.push_back(static_cast<uint32_t>(random() % alphabet));
      }
      const Sample a(edited(random, symbols, alphabet, static_cast<uint32_t>(random() % 30)), widest);
      Vector<uint32_t> kept_a, kept_b;
      filter.filter(a.sequence(), {}, index, 0, kept_a, kept_b);
      const Positions expected_a = oracle::kept_positions(a.sequence(), {}, b.sequence(), {}, window_width);
      const Positions expected_b = oracle::kept_positions(b.sequence(), {}, a.sequence(), {}, window_width);
      ASSERT_EQ(Positions(kept_a.begin(), kept_a.end()), expected_a) << round;
      ASSERT_EQ(Positions(kept_b.begin(), kept_b.end()), expected_b) << round;
      // A width that is reached does not change the answer; one that is not reached rejects.
      uint64_t width = 0;
      for (const uint32_t position : expected_a)
        width += a.widths[position];
      filter.filter(a.sequence(), {}, index, width, kept_a, kept_b);
      ASSERT_EQ(Positions(kept_a.begin(), kept_a.end()), expected_a) << round;
      ASSERT_EQ(Positions(kept_b.begin(), kept_b.end()), expected_b) << round;
      filter.filter(a.sequence(), {}, index, width + 1, kept_a, kept_b);
      ASSERT_TRUE(kept_a.empty() && kept_b.empty());
    }
  }
}

// A Thue-Morse word and its complement have the same polynomial hash modulo 2^64, whatever the multiplier.
// What follows them is alike; positions too many may be kept, but nothing outside the texts is touched.
TEST(FilteredSketchTest, WindowsMadeToCollide) {
  constexpr uint32_t kLength = 2048;
  Random random(45);
  const std::vector<uint32_t> common = random_symbols(random, 3 * kLength, 1000);
  std::vector<uint32_t> word, complement;
  for (uint32_t i = 0; i < kLength; ++i) {
    word.push_back(static_cast<uint32_t>(std::popcount(i) % 2));
    complement.push_back(1 - word.back());
  }
  word.insert(word.end(), common.begin(), common.end());
  complement.insert(complement.end(), common.begin(), common.end());
  const Sample a(word), b(complement);
  SketchFilter filter(random());
  const auto [kept_a, kept_b] = kept(filter, a, {}, b, {}, kLength);
  EXPECT_GE(kept_a.size(), common.size());
  EXPECT_GE(kept_b.size(), common.size());
  EXPECT_TRUE(std::includes(kept_a.begin(), kept_a.end(), kept_b.begin(), kept_b.end()));
}

// Symbols without width make windows as long as the text.
TEST(FilteredSketchTest, LongWindowsCostNoMoreThanShortOnes) {
  constexpr size_t kSize = 300'000;
  Random random(46);
  Sample a(random_symbols(random, kSize, 2));
  for (size_t i = 0; i < kSize; i += 50'000)
    a.symbols[i] = 3;
  Sample b = a;
  for (size_t i = 1; i < kSize; i += 60'001)
    b.symbols[i] = 2;
  const auto set_widths = [](Sample& text) {
    for (size_t i = 0; i < kSize; ++i)
      text.widths[i] = text.symbols[i] == 3;
  };
  set_widths(a);
  set_widths(b);
  SketchFilter filter(random());
  const auto [kept_a, kept_b] = kept(filter, a, {}, b, {}, 1);
  EXPECT_EQ(kept_a, kept_b);
  EXPECT_FALSE(kept_a.empty());
}

TEST(FilteredSketchTest, AMillionEqualSymbols) {
  SketchFilter filter;
  const Sample a(std::vector<uint32_t>(1'000'000, 7)), b(std::vector<uint32_t>(20, 7));
  const auto [kept_a, kept_b] = kept(filter, a, {}, b, {}, 16);
  EXPECT_EQ(kept_a.size(), 1'000'000u);
  EXPECT_EQ(kept_b.size(), 20u);
}

}  // namespace
}  // namespace nd::lcs
