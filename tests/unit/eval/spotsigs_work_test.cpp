// The join four ways, its partitions, and the collection that is generated for it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include "all_pairs.hpp"
#include "spotsigs_experiments.hpp"
#include "unit/spotsigs/spot_sample.hpp"

namespace nd::eval::test {
namespace {

using spotsigs::Spot;
using spotsigs::SpotVector;
namespace sample = spotsigs::sample;

TEST(SpotsigsWork, FourJoinsFindWhatAllPairsFind) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const std::vector<sample::Spots> documents = sample::Random(seed).collection(120, 300, 60);
    const std::vector<SpotVector> seen = sample::views(documents);
    for (const uint32_t tau : kSpotWorkThresholds) {
      const size_t pairs = all_pairs(seen, std::array{tau}, SIZE_MAX).pairs.size();
      const auto runs = run_joins(seen, tau, 2);
      ASSERT_TRUE(runs);
      for (const JoinRun& run : *runs) {
        EXPECT_EQ(run.counts.pairs, pairs);
        EXPECT_GE(run.seconds, 0);
      }
      EXPECT_TRUE((*runs)[0].use_partitions && (*runs)[0].use_pruning);
      EXPECT_FALSE((*runs)[3].use_partitions || (*runs)[3].use_pruning);
      EXPECT_LE((*runs)[0].counts.computations, (*runs)[2].counts.computations);
      EXPECT_LT((*runs)[0].counts.computations, (*runs)[3].counts.computations);
    }
  }
}

std::vector<SpotDocument> documents_of_lengths(const std::vector<uint32_t>& lengths) {
  std::vector<SpotDocument> documents;
  for (const uint32_t length : lengths)
    documents.push_back(length == 0 ? SpotDocument() : SpotDocument{{documents.size() + 1, length}});
  return documents;
}

TEST(SpotsigsPartitions, FollowTheRule) {
  // SpotSigs, "Approximate Solution", tau = .7: 1, 2, 3, 5, 8, 12, 18, 26, 38, 55, 79 by the rule.
  const auto documents = documents_of_lengths({0, 1, 2, 3, 4, 5, 7, 37, 38, 54, 55, 60});
  const std::vector<PartitionSize> sizes = partition_sizes(views(documents), 700);
  const std::vector<std::array<uint64_t, 3>> expected{{1, 1, 1},   {2, 2, 1},   {3, 4, 2},   {5, 7, 2},
                                                      {8, 11, 0},  {12, 17, 0}, {18, 25, 0}, {26, 37, 1},
                                                      {38, 54, 2}, {55, 78, 2}};
  ASSERT_EQ(sizes.size(), expected.size());
  for (size_t i = 0; i < sizes.size(); ++i) {
    EXPECT_EQ(sizes[i].from_length, expected[i][0]);
    EXPECT_EQ(sizes[i].to_length, expected[i][1]);
    EXPECT_EQ(sizes[i].documents, expected[i][2]) << i;
  }
  EXPECT_TRUE(partition_sizes(views(documents_of_lengths({0})), 700).empty());
}

TEST(SpotsigsGenerated, DependsOnItsArgumentsAlone) {
  const std::vector<sample::Spots> source = sample::Random(9).collection(40, 500, 50);
  const std::vector<SpotDocument> given(source.begin(), source.end());
  const auto same = [](const std::vector<SpotDocument>& a, const std::vector<SpotDocument>& b) {
    return std::equal(
        a.begin(), a.end(), b.begin(), b.end(), [](const SpotDocument& x, const SpotDocument& y) {
          return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const Spot& s, const Spot& t) {
            return s.hash == t.hash && s.count == t.count;
          });
        });
  };
  const std::vector<SpotDocument> made = generated_spots(given, 300, 7);
  EXPECT_EQ(made.size(), 300U);
  EXPECT_TRUE(same(made, generated_spots(given, 300, 7)));
  EXPECT_FALSE(same(made, generated_spots(given, 300, 8)));
  EXPECT_TRUE(generated_spots({}, 10, 1).empty());
  EXPECT_TRUE(generated_spots({SpotDocument(), SpotDocument()}, 10, 1).empty());
}

TEST(SpotsigsGenerated, HasNearDuplicatesAndKeepsRareSignaturesRare) {
  std::vector<SpotDocument> given(50);
  for (uint64_t i = 0; i < given.size(); ++i) {
    for (uint64_t k = 0; k < 20; ++k)
      given[i].push_back({100 + k, 1});  // in every document
    for (uint64_t k = 0; k < 20; ++k)
      given[i].push_back({1000 + 100 * i + k, 1});  // in this one
  }
  const std::vector<SpotDocument> made = generated_spots(given, 400, 1);
  std::set<uint64_t> common;
  size_t longest = 0;
  for (const SpotDocument& document : made) {
    longest = std::max(longest, document.size());
    for (size_t i = 0; i < document.size(); ++i) {
      EXPECT_TRUE(i == 0 || document[i - 1].hash < document[i].hash);
      if (document[i].hash < 1000) common.insert(document[i].hash);
      EXPECT_FALSE(document[i].hash >= 1000 && document[i].hash < 10000)
          << "a rare signature was drawn twice";
    }
  }
  EXPECT_EQ(common.size(), 20U);
  EXPECT_LE(longest, 40U);
  const size_t similar = all_pairs(views(made), std::array{700U}, SIZE_MAX).pairs.size();
  EXPECT_GT(similar, 20U);
  EXPECT_LT(similar, 400U);
}

}  // namespace
}  // namespace nd::eval::test
