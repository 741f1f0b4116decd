#include "spotsigs/partitions.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "spotsigs/threshold.hpp"

namespace nd::spotsigs {
namespace {

std::vector<uint64_t> bounds(uint32_t tau, size_t count) {
  std::vector<uint64_t> found{1};
  while (found.size() < count)
    found.push_back(next_bound(found.back(), tau));
  return found;
}

TEST(PartitionsTest, BoundsFollowTheRule) {
  EXPECT_EQ(bounds(700, 11), (std::vector<uint64_t>{1, 2, 3, 5, 8, 12, 18, 26, 38, 55, 79}));
  EXPECT_EQ(bounds(800, 6), (std::vector<uint64_t>{1, 2, 3, 4, 6, 8}));
  EXPECT_EQ(bounds(1000, 4), (std::vector<uint64_t>{1, 2, 3, 4}));
  EXPECT_EQ(bounds(1, 3), (std::vector<uint64_t>{1, 1001, 1001001}));
}

TEST(PartitionsTest, EachBoundIsTheSmallestOfTheRule) {
  for (const uint32_t tau : {1U, 200U, 333U, 440U, 700U, 800U, 900U, 999U, 1000U}) {
    for (uint64_t p = 1; p < 300; ++p) {
      uint64_t next = p + 1;
      while (!((next - p) * 1000 > (1000 - tau) * next))
        ++next;
      ASSERT_EQ(next_bound(p, tau), next) << tau << ' ' << p;
    }
  }
}

// The slide prints 43 and 59 as bounds for .7; between them and one below stand 42 and 59, which reach .7.
TEST(PartitionsTest, ThePairThatThePrintedBoundsWouldLose) {
  EXPECT_TRUE(lengths_fit(42, 59, 700));
  const Partitions partitions(700, 100);
  EXPECT_LE(partitions.of(59) - partitions.of(42), 1U);
}

TEST(PartitionsTest, LengthsThatFitAreNeighbours) {
  constexpr uint64_t kLongest = 700;
  for (const uint32_t tau : {200U, 440U, 700U, 800U, 900U, 950U, 999U, 1000U}) {
    const Partitions partitions(tau, kLongest);
    for (uint64_t shorter = 1; shorter <= kLongest; ++shorter) {
      for (uint64_t longer = shorter; longer <= kLongest; ++longer) {
        ASSERT_EQ(lengths_fit(shorter, longer, tau), shorter * 1000 >= longer * tau);
        const uint64_t distance = partitions.of(longer) - partitions.of(shorter);
        if (lengths_fit(shorter, longer, tau)) {
          ASSERT_LE(distance, 1U) << tau << ' ' << shorter << ' ' << longer;
        }
        // No partition is wider than it must be to have every two of its lengths fit.
        if (distance == 0) {
          ASSERT_TRUE(lengths_fit(shorter, longer, tau)) << tau << ' ' << shorter << ' ' << longer;
        }
      }
    }
  }
}

TEST(PartitionsTest, LengthsUpToTheGreatest) {
  for (const uint32_t tau : {1U, 440U, 999U, 1000U}) {
    const Partitions partitions(tau, UINT64_MAX);
    EXPECT_EQ(partitions.of(1), 0U);
    EXPECT_GT(partitions.of(UINT64_MAX), partitions.of(UINT64_MAX / 1001));
    EXPECT_TRUE(lengths_fit(UINT64_MAX, UINT64_MAX, tau));
  }
}

// .8 in doubles is above eight tenths of ten.
TEST(ThresholdTest, EqualityReachesIt) {
  EXPECT_TRUE(lengths_fit(8, 10, 800));
  EXPECT_FALSE(lengths_fit(7, 10, 800));
  EXPECT_TRUE(similar({8, 10}, 800));
  EXPECT_FALSE(similar({7999, 10000}, 800));
  EXPECT_FALSE(similar({0, 0}, 1));
  EXPECT_FALSE(similar({0, 5}, 1));
  EXPECT_TRUE(similar({UINT64_MAX, UINT64_MAX}, 1000));
  EXPECT_FALSE(similar({UINT64_MAX - 1, UINT64_MAX}, 1000));
}

}  // namespace
}  // namespace nd::spotsigs
