// Pairs by both differences: the sample, the cells, the quadrants and their list.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "collection.hpp"
#include "moz/simhash.hpp"
#include "moz_pairs.hpp"
#include "pair_sample.hpp"

namespace nd::eval {
namespace {

// A page whose vector begins with `changed` entries of its own; `bits` of the simhash.
MozPage page(uint32_t number, uint32_t label, uint32_t site, uint32_t changed, uint64_t bits) {
  MozPage out{number, label, site, {}, bits};
  for (uint32_t i = 0; i < out.vector.size(); ++i)
    out.vector[i] = i < changed ? 1000 + number : i;
  return out;
}

std::vector<uint64_t> sampled_numbers(uint64_t count, uint64_t sample, uint64_t seed) {
  SelectionSample chosen(count, sample, seed);
  std::vector<uint64_t> numbers;
  for (uint64_t number = 0; number < count; ++number) {
    if (chosen.takes_next()) numbers.push_back(number);
  }
  return numbers;
}

TEST(PairSampleTest, NumbersAreDistinctAscendingAndEvenlyDrawn) {
  std::vector<uint64_t> drawn(20, 0);
  constexpr uint64_t kSeeds = 4000;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const std::vector<uint64_t> numbers = sampled_numbers(20, 5, seed);
    ASSERT_EQ(numbers.size(), 5U);
    for (size_t i = 0; i < numbers.size(); ++i) {
      ASSERT_LT(numbers[i], 20U);
      if (i > 0) {
        ASSERT_LT(numbers[i - 1], numbers[i]);
      }
      ++drawn[numbers[i]];
    }
  }
  // A quarter of the seeds each; five standard deviations are 137.
  for (const uint64_t count : drawn)
    EXPECT_NEAR(static_cast<double>(count), kSeeds / 4.0, 137);
  EXPECT_EQ(sampled_numbers(1000, 100, 7), sampled_numbers(1000, 100, 7));
  EXPECT_NE(sampled_numbers(1000, 100, 7), sampled_numbers(1000, 100, 8));
  EXPECT_EQ(sampled_numbers(3, 3, 1), (std::vector<uint64_t>{0, 1, 2}));
  EXPECT_EQ(sampled_numbers(3, UINT64_MAX, 1), (std::vector<uint64_t>{0, 1, 2}));
  EXPECT_TRUE(sampled_numbers(3, 0, 1).empty());
}

std::set<std::pair<uint32_t, uint32_t>> visited(uint64_t items, uint64_t limit, uint64_t seed) {
  std::set<std::pair<uint32_t, uint32_t>> pairs;
  uint64_t visits = 0;
  for_each_pair(items, limit, seed, [&](uint32_t b, uint32_t a) {
    EXPECT_LT(a, b);
    EXPECT_LT(b, items);
    pairs.insert({b, a});
    ++visits;
  });
  EXPECT_EQ(pairs.size(), visits);
  return pairs;
}

TEST(PairSampleTest, AllPairsUpToTheLimitElseSoMany) {
  EXPECT_TRUE(visited(0, 10, 1).empty());
  EXPECT_TRUE(visited(1, 10, 1).empty());
  EXPECT_EQ(visited(4, 6, 1),
            (std::set<std::pair<uint32_t, uint32_t>>{{1, 0}, {2, 0}, {2, 1}, {3, 0}, {3, 1}, {3, 2}}));
  EXPECT_EQ(visited(100, 4949, 1).size(), 4949U);  // of 4950
  EXPECT_EQ(visited(100, 50, 1).size(), 50U);
  EXPECT_NE(visited(100, 50, 1), visited(100, 50, 2));
  // Every pair can be drawn, the first and the last too.
  std::set<std::pair<uint32_t, uint32_t>> met;
  for (uint64_t seed = 0; seed < 100; ++seed)
    met.merge(visited(6, 5, seed));
  EXPECT_EQ(met.size(), pair_count(6));
}

TEST(PairSampleTest, ItemsAreSpreadEvenly) {
  EXPECT_EQ(spread_items(3, 5), (std::vector<uint32_t>{0, 1, 2}));
  EXPECT_EQ(spread_items(10, 4), (std::vector<uint32_t>{0, 2, 5, 7}));
  EXPECT_TRUE(spread_items(0, 4).empty());
  EXPECT_EQ(told_pages(3, 3), "3 pages, all.");
  EXPECT_EQ(told_pages(3, 9), "3 pages, evenly spread over 9.");
}

TEST(MozHistogramTest, ThresholdsPartTheQuadrants) {
  EXPECT_EQ(quadrant_of(6, 5), Quadrant::kBoth);
  EXPECT_EQ(quadrant_of(7, 5), Quadrant::kSimhashOnly);
  EXPECT_EQ(quadrant_of(6, 6), Quadrant::kVectorOnly);
  EXPECT_EQ(quadrant_of(7, 6), Quadrant::kNeither);
}

// Pages 0 and 1 are alike by both, 2 by the simhash alone, 3 by the vector alone, 4 unlike all.
TEST(MozHistogramTest, CountsByHand) {
  const std::vector<MozPage> pages{
      page(0, 0, 0, 0, 0),
      page(1, 0, 1, 6, 0b11111),
      page(2, 1, 0, 90, 0b1),
      page(3, kNoLabel, 0, 3, 0xff00),
      page(4, 2, 1, 128, 0xffffffff0000),
  };
  const MozPairs found = compare_pairs(pages, 1000, 1, 10);
  const MozHistogram& histogram = found.histogram;
  EXPECT_EQ(histogram.all().pairs, 10U);
  EXPECT_EQ(histogram.all().same_label, 1U);
  EXPECT_EQ(histogram.all().other_label, 5U);            // of 0, 1, 2, 4, but for 0-1
  EXPECT_EQ(histogram.all().other_label_same_site, 2U);  // 0-2 and 1-4
  EXPECT_EQ(histogram.cell(6, 5).pairs, 1U);             // 0-1
  EXPECT_EQ(histogram.cell(6, 5).same_label, 1U);
  EXPECT_EQ(histogram.all().same_site, 4U);                    // 0-2, 0-3, 2-3, 1-4
  EXPECT_EQ(histogram.all().same_label_same_site, 0U);         // 0-1 is between sites
  EXPECT_EQ(histogram.cell(90, 1).other_label_same_site, 1U);  // 0-2
  EXPECT_EQ(histogram.cell(90, 4).other_label, 1U);            // 1-2
  EXPECT_EQ(histogram.cell(3, 8).pairs, 1U);                   // 0-3
  EXPECT_EQ(histogram.cell(6, 13).pairs, 1U);                  // 1-3
  EXPECT_EQ(histogram.cell(128, 32).pairs, 1U);                // 0-4
  EXPECT_EQ(histogram.quadrant(Quadrant::kBoth).pairs, 1U);
  EXPECT_EQ(histogram.quadrant(Quadrant::kSimhashOnly).pairs, 2U);
  EXPECT_EQ(histogram.quadrant(Quadrant::kVectorOnly).pairs, 2U);
  EXPECT_EQ(histogram.quadrant(Quadrant::kVectorOnly).other_label, 0U);
  EXPECT_EQ(histogram.quadrant(Quadrant::kNeither).pairs, 5U);
  EXPECT_EQ(histogram.within(0).pairs, 0U);
  EXPECT_EQ(histogram.within(4).other_label, 2U);
  EXPECT_EQ(histogram.within(5).pairs, 3U);
  EXPECT_EQ(histogram.farthest_other(1), 90);
  EXPECT_EQ(histogram.farthest_other(5), -1);
}

TEST(MozPairsTest, ListsDifferentLabelsFirstThenTheLargestDifference) {
  // All simhashes are equal: every pair with more than six unequal entries is listed.
  const std::vector<MozPage> pages{page(0, 0, 0, 0, 7), page(1, 0, 0, 100, 7), page(2, 1, 0, 20, 7),
                                   page(5, 0, 0, 50, 7)};
  const auto listed = [&](size_t most) {
    std::vector<std::tuple<uint32_t, uint32_t, uint32_t>> rows;
    for (const MozPair& pair : compare_pairs(pages, 1000, 1, most).simhash_only)
      rows.emplace_back(pair.a, pair.b, pair.vector_difference);
    return rows;
  };
  const std::vector<std::tuple<uint32_t, uint32_t, uint32_t>> all{{1, 2, 100}, {2, 5, 50},  {0, 2, 20},
                                                                  {0, 1, 100}, {1, 5, 100}, {0, 5, 50}};
  EXPECT_EQ(listed(200), all);
  EXPECT_EQ(listed(2), (std::vector(all.begin(), all.begin() + 2)));
  EXPECT_TRUE(listed(0).empty());
}

TEST(MozPairsTest, FindsWhatAPlainCountFinds) {
  std::mt19937_64 random(3);
  std::vector<MozPage> pages;
  for (uint32_t i = 0; i < 60; ++i) {
    pages.push_back(page(i, static_cast<uint32_t>(random() % 4), i % 3, static_cast<uint32_t>(random() % 12),
                         random() & 0xff));
    if (i % 5 == 0) pages.back().label = kNoLabel;
  }
  uint64_t within = 0;
  uint64_t other = 0;
  uint64_t same_site = 0;
  uint64_t right_same_site = 0;
  for (const MozPage& a : pages) {
    for (const MozPage& b : pages) {
      if (a.page >= b.page || moz::distance(a.simhash, b.simhash) > 3) continue;
      ++within;
      other += a.label != b.label && a.label != kNoLabel && b.label != kNoLabel;
      same_site += a.site == b.site;
      right_same_site += a.label == b.label && a.label != kNoLabel && a.site == b.site;
    }
  }
  ASSERT_GT(other, 10U);
  ASSERT_GT(right_same_site, 10U);
  const MozHistogram histogram = compare_pairs(pages, 1U << 20, 1, 200).histogram;
  EXPECT_EQ(histogram.within(3).pairs, within);
  EXPECT_EQ(histogram.within(3).other_label, other);
  EXPECT_EQ(histogram.within(3).same_site, same_site);
  EXPECT_EQ(histogram.within(3).same_label_same_site, right_same_site);
  EXPECT_EQ(histogram.all().pairs, pair_count(pages.size()));
  EXPECT_EQ(compare_pairs(pages, 500, 1, 200).histogram.all().pairs, 500U);
}

}  // namespace
}  // namespace nd::eval
