// Intervals of F1 where the answer is known: binomial shares and perfect groupings.
#include "f1_interval.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "even_draw.hpp"

namespace nd::eval::test {
namespace {

constexpr uint64_t kSeed = 7;

TEST(F1Interval, NothingSaidAndNothingToBeFoundHasNone) {
  const std::vector<PageTruth> pages = {{0, 0}, {1, 1}, {kNoLabel, 2}};
  EXPECT_FALSE(f1_interval(pages, std::vector<uint64_t>{0, 1, 1}, kSeed));
  EXPECT_FALSE(f1_interval({}, {}, kSeed));
}

TEST(F1Interval, WhatIsAllRightHasNoWidth) {
  const std::vector<PageTruth> pages = {{0, 0}, {0, 1}, {1, 2}, {1, 3}};
  const std::optional<Interval> found = f1_interval(pages, std::vector<uint64_t>{5, 5, 6, 6}, kSeed);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->low, 1);
  EXPECT_EQ(found->high, 1);
}

// Groups of two pages, of which a share is found: F1 of a draw is 2h / (1 + h), h a binomial share.
TEST(F1Interval, IsThatOfABinomialShare) {
  constexpr uint32_t kGroups = 400;
  constexpr double kFound = .75;
  std::vector<PageTruth> pages;
  std::vector<uint64_t> groups;
  for (uint32_t label = 0; label < kGroups; ++label) {
    const bool found = label < kFound * kGroups;
    for (uint32_t page = 0; page < 2; ++page) {
      pages.push_back({label, page});
      groups.push_back(found ? label : 2 * kGroups + 2 * label + page);
    }
  }
  const auto f1 = [](double share) { return 2 * share / (1 + share); };
  const double deviation = std::sqrt(kFound * (1 - kFound) / kGroups);
  const std::optional<Interval> found = f1_interval(pages, groups, kSeed);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->low, f1(kFound - 1.96 * deviation), .01);
  EXPECT_NEAR(found->high, f1(kFound + 1.96 * deviation), .01);
}

TEST(F1Interval, HoldsTheF1OfTheWholeAndIsTheSameAgain) {
  std::mt19937_64 random(kSeed);
  for (int round = 0; round < 20; ++round) {
    std::vector<PageTruth> pages;
    std::vector<uint64_t> groups;
    for (uint32_t page = 0; page < 120; ++page) {
      const auto label = static_cast<uint32_t>(draw_below(40, random));
      pages.push_back({label, page});
      groups.push_back(draw_below(4, random) == 0 ? draw_below(40, random) : label);
    }
    const double f1 = score_groups(pages, groups).all.f1();
    const std::optional<Interval> found = f1_interval(pages, groups, kSeed);
    ASSERT_TRUE(found);
    EXPECT_LT(found->low, f1);
    EXPECT_GT(found->high, f1);
    EXPECT_EQ(found->low, f1_interval(pages, groups, kSeed)->low);
  }
}

}  // namespace
}  // namespace nd::eval::test
