// Which runs are merged: few are left, and each byte is merged seldom.
#include "store/merge_policy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <vector>

namespace nd::store {
namespace {

constexpr uint64_t kNoBound = ~uint64_t{0};

uint64_t sum_of(const std::vector<uint64_t>& sizes, MergeRange range) {
  const auto first = sizes.begin() + static_cast<ptrdiff_t>(range.first);
  return std::accumulate(first, first + static_cast<ptrdiff_t>(range.count), uint64_t{0});
}

void merge(std::vector<uint64_t>& sizes, MergeRange range) {
  const uint64_t sum = sum_of(sizes, range);
  const auto first = sizes.begin() + static_cast<ptrdiff_t>(range.first);
  *first = sum;
  sizes.erase(first + 1, first + static_cast<ptrdiff_t>(range.count));
}

uint64_t merge_all_tiers(std::vector<uint64_t>& sizes, uint32_t merge_count) {
  uint64_t read = 0;
  while (const std::optional<MergeRange> range = next_merge(sizes, merge_count, kNoBound)) {
    read += sum_of(sizes, *range);
    merge(sizes, *range);
  }
  return read;
}

TEST(MergePolicyTest, FourRunsOfOneTierBecomeOne) {
  // The tiers to the base 4 are 5, 4, 3, 3, 3, 3.
  const std::vector<uint64_t> sizes = {1024, 256, 64, 100, 255, 65};
  const std::optional<MergeRange> range = next_merge(sizes, 4, kNoBound);
  ASSERT_TRUE(range);
  EXPECT_EQ(range->first, 2U);
  EXPECT_EQ(range->count, 4U);
  EXPECT_FALSE(next_merge(std::vector<uint64_t>{1024, 256, 64, 100, 255}, 4, kNoBound));
  EXPECT_FALSE(next_merge(std::vector<uint64_t>{}, 4, kNoBound));
}

TEST(MergePolicyTest, SmallRunsUnderALargeOneCountAsItsTier) {
  const std::optional<MergeRange> range =
      next_merge(std::vector<uint64_t>{100000, 4, 5, 6, 1000}, 4, kNoBound);
  ASSERT_TRUE(range);
  EXPECT_EQ(range->first, 1U);
  EXPECT_EQ(range->count, 4U);
}

TEST(MergePolicyTest, FewRunsAreLeftWhateverTheirSizes) {
  std::mt19937_64 random(3);
  for (const uint32_t merge_count : {0U, 2U, 4U, 9U}) {
    std::vector<uint64_t> sizes;
    const uint32_t base = std::max(merge_count, 2U);
    for (int step = 0; step < 2000; ++step) {
      sizes.push_back(random() >> (random() % 40 + 24));
      merge_all_tiers(sizes, merge_count);
      const uint64_t greatest = *std::max_element(sizes.begin(), sizes.end());
      const double tiers = std::log2(static_cast<double>(greatest) + 1) / std::log2(base) + 1;
      ASSERT_LE(static_cast<double>(sizes.size()), (base - 1) * std::ceil(tiers)) << step;
    }
  }
}

TEST(MergePolicyTest, EqualRunsAreReadOncePerTier) {
  std::vector<uint64_t> sizes;
  uint64_t read = 0;
  for (int step = 0; step < 4096; ++step) {
    sizes.push_back(1000);
    read += merge_all_tiers(sizes, 4);
  }
  EXPECT_LE(read, uint64_t{4096} * 1000 * 7);  // log4(4096) is 6
  EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), uint64_t{0}), 4096U * 1000);
}

TEST(MergePolicyTest, StaysWithinTheBudget) {
  std::mt19937_64 random(4);
  int merged = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<uint64_t> sizes(random() % 12);
    for (uint64_t& bytes : sizes)
      bytes = random() >> (random() % 20 + 44);
    const uint64_t budget = random() >> (random() % 20 + 42);
    if (const std::optional<MergeRange> range = next_merge(sizes, 3, budget)) {
      ASSERT_LE(range->first + range->count, sizes.size());
      ASSERT_GE(range->count, 3U);
      ASSERT_LE(sum_of(sizes, *range), budget);
      ++merged;
    }
  }
  EXPECT_GT(merged, 1000);
}

TEST(MergePolicyTest, OfTooLargeATierTheCheapestNeighboursAreMerged) {
  const std::vector<uint64_t> sizes = {300, 270, 280, 260, 290, 300};
  ASSERT_FALSE(next_merge(sizes, 3, 700));
  const std::optional<MergeRange> range = next_merge(sizes, 3, 850);
  ASSERT_TRUE(range);
  EXPECT_EQ(range->first, 1U);
  EXPECT_EQ(range->count, 3U);
}

TEST(MergePolicyTest, SumsDoNotOverflow) {
  const std::vector<uint64_t> sizes(8, kNoBound);
  EXPECT_FALSE(next_merge(sizes, 2, kNoBound - 1));
  EXPECT_EQ(merge_budget_bytes(kNoBound, 0), kNoBound);
}

TEST(MergePolicyTest, BudgetFollowsWhatIsNewAndTheStore) {
  EXPECT_EQ(merge_budget_bytes(1, 0), uint64_t{16} << 20);
  EXPECT_EQ(merge_budget_bytes(uint64_t{1} << 30, 0), uint64_t{8} << 30);
  EXPECT_EQ(merge_budget_bytes(1, uint64_t{32} << 30), (uint64_t{1} << 30) + (uint64_t{16} << 20));
}

}  // namespace
}  // namespace nd::store
