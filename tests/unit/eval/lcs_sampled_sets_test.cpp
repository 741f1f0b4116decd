// The measure of the slides on sets that can be counted by hand.
#include "lcs_sampled_sets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace nd::eval::partition {
namespace {

// Labels a a a b b c and one page of unknown group; pages 0, 1, 3 are of one site, the others of another.
const std::vector<PageTruth> kPages = {{0, 0}, {0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 1}, {kNoLabel, 1}};

TEST(LcsSampledSets, TheRepresentativeHasTheMostSimilarPages) {
  // {3, 0, 1} has two pages of label a; {2, 4} one of each label; {5} is alone but for the unknown page.
  const std::vector<uint64_t> groups = {9, 9, 4, 9, 4, 7, 7};
  std::vector<uint32_t> all = representative_pages(kPages, groups, 1, kSampledSets, 1);
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, (std::vector<uint32_t>{0, 2, 5}));
  std::vector<uint32_t> larger = representative_pages(kPages, groups, 2, kSampledSets, 1);
  std::sort(larger.begin(), larger.end());
  EXPECT_EQ(larger, (std::vector<uint32_t>{0, 2}));
  EXPECT_EQ(representative_pages(kPages, groups, 1, 2, 1).size(), 2U);
}

TEST(LcsSampledSets, MeansOverTheSets) {
  const std::vector<uint64_t> groups = {9, 9, 4, 9, 4, 7, 7};
  const std::vector<uint64_t> base = {1, 2, 2, 4, 4, 6, 7};
  const std::vector<uint32_t> representatives = {0, 2, 5};
  const auto found = measure_sampled_sets(kPages, representatives, groups, base, false);
  ASSERT_TRUE(found);
  EXPECT_DOUBLE_EQ(found->precision, (2 / 3.0 + 1 / 2.0 + 1) / 3);
  // By `base` 0 is alone, 2 has found 1 as well, 5 is alone.
  EXPECT_DOUBLE_EQ(found->recall_ratio, (2 / 1.0 + 1 / 2.0 + 1) / 3);
  // Page 1, which 2 has by `base`, is of another site.
  const auto within = measure_sampled_sets(kPages, representatives, groups, base, true);
  EXPECT_DOUBLE_EQ(within->precision, (2 / 3.0 + 1 / 2.0 + 1) / 3);
  EXPECT_DOUBLE_EQ(within->recall_ratio, (2 + 1 + 1) / 3.0);
  // The base beside itself.
  EXPECT_DOUBLE_EQ(measure_sampled_sets(kPages, representatives, base, base, false)->recall_ratio, 1);
}

TEST(LcsSampledSets, NothingIsSaidOfNoSets) {
  EXPECT_FALSE(measure_sampled_sets(kPages, {}, {}, {}, false));
  const std::vector<PageTruth> unknown(3, PageTruth{kNoLabel, 0});
  EXPECT_TRUE(representative_pages(unknown, std::vector<uint64_t>{1, 1, 1}, 1, 10, 1).empty());
}

}  // namespace
}  // namespace nd::eval::partition
