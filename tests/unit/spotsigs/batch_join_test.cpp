// The paper's join, which other joins are compared with, against brute force.
#include "joins/batch_join.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "spotsigs/spot_vector.hpp"
#include "unit/spotsigs/join_oracle.hpp"
#include "unit/spotsigs/spot_sample.hpp"

namespace nd::spotsigs {
namespace {

using sample::lengths_fit;
using sample::Spots;
using sample::spots;
using sample::views;

oracle::Pairs pairs_of(const JoinResult& result) {
  oracle::Pairs pairs;
  for (const SimilarPair& pair : result.pairs) {
    const bool is_new =
        pairs.insert({pair.first, pair.second, pair.overlap.shared, pair.overlap.united}).second;
    EXPECT_TRUE(is_new) << pair.first << ' ' << pair.second;
  }
  EXPECT_EQ(result.counts.pairs, pairs.size());
  return pairs;
}

// The example of the slides; the print has lost s1:4 of d3, without which |d3| would not be 14 and the
// similarity not 12/15. In the order of the join, d2 (12), d1 (13), d3 (14):
//   d2: s1, s2 have three documents each. s1 holds d3 and d1, both within reach, both compared: 8/18, 9/16.
//       After it delta1 = 8 > .2 * 12: break.
//   d1: s3 is in two documents and comes first: d3 with delta1 = 0, delta2 = 1, 12/15 = .8, a pair; then d1
//       itself. Before the second list delta1 = 4 > .2 * 13 = 2.6: break, two lists are left.
//   d3: s3 begins with d3 itself. delta1 = 5 > 2.8: break, two lists are left.
TEST(BatchJoinTest, TheExampleOfTheSlides) {
  const std::vector<Spots> documents{spots({{1, 5}, {2, 4}, {3, 4}}), spots({{1, 8}, {2, 4}}),
                                     spots({{1, 4}, {2, 5}, {3, 5}})};
  JoinOptions options;
  options.tau = 800;
  options.use_partitions = false;
  const JoinResult result = batch_join(views(documents), options);
  EXPECT_EQ(pairs_of(result), (oracle::Pairs{{0, 2, 12, 15}}));
  EXPECT_EQ(result.counts.documents, 3U);
  EXPECT_EQ(result.counts.postings_touched, 3U);
  EXPECT_EQ(result.counts.postings_skipped, 0U);
  EXPECT_EQ(result.counts.lists_stopped, 5U);
  EXPECT_EQ(result.counts.computations, 3U);
  EXPECT_EQ(oracle::jaccard(documents[0], documents[1]), (std::pair<uint64_t, uint64_t>{9, 16}));
  EXPECT_EQ(oracle::jaccard(documents[1], documents[2]), (std::pair<uint64_t, uint64_t>{8, 18}));

  // With partitions (..., 11, 14, ...) d1 looks into its right neighbour and finds the same.
  options.use_partitions = true;
  EXPECT_EQ(pairs_of(batch_join(views(documents), options)), (oracle::Pairs{{0, 2, 12, 15}}));
}

TEST(BatchJoinTest, FindsThePairsOfBruteForce) {
  size_t found = 0;
  for (uint64_t seed = 0; seed < 6; ++seed) {
    sample::Random random(seed);
    const std::vector<Spots> documents =
        random.collection(80, seed % 3 == 0 ? 30 : 3000, seed % 2 == 0 ? 40 : 300);
    for (const uint32_t tau : {1U, 200U, 440U, 700U, 800U, 900U, 1000U}) {
      const oracle::Pairs expected = oracle::join(views(documents), tau);
      found += expected.size();
      for (const bool use_partitions : {false, true}) {
        for (const bool use_pruning : {false, true}) {
          const JoinResult result = batch_join(views(documents), {tau, use_partitions, use_pruning});
          ASSERT_EQ(pairs_of(result), expected)
              << seed << ' ' << tau << ' ' << use_partitions << ' ' << use_pruning;
        }
      }
    }
  }
  EXPECT_GT(found, 500U);
}

TEST(BatchJoinTest, PartitionsAndPruningSaveWork) {
  sample::Random random(5);
  const std::vector<Spots> documents = random.collection(600, 20000, 400);
  const JoinCounts both = batch_join(views(documents), {800, true, true}).counts;
  const JoinCounts pruned = batch_join(views(documents), {800, false, true}).counts;
  const JoinCounts neither = batch_join(views(documents), {800, false, false}).counts;
  EXPECT_EQ(both.pairs, neither.pairs);
  EXPECT_LT(both.postings_touched, pruned.postings_touched);
  EXPECT_LT(pruned.postings_touched * 2, neither.postings_touched);
  EXPECT_LT(both.computations * 10, neither.computations);
  EXPECT_EQ(neither.lists_stopped + neither.postings_skipped, 0U);
  EXPECT_GT(both.lists_stopped, 0U);
  EXPECT_GT(pruned.postings_skipped, 0U);
  EXPECT_EQ(neither.partitions, 1U);
  EXPECT_GT(both.partitions, 5U);
}

TEST(BatchJoinTest, EmptyDocumentsHaveNoPair) {
  EXPECT_TRUE(batch_join({}, {}).pairs.empty());
  const std::vector<Spots> documents{{}, spots({{7, 1}}), {}, spots({{7, 1}})};
  const JoinResult result = batch_join(views(documents), {1000, true, true});
  EXPECT_EQ(pairs_of(result), (oracle::Pairs{{1, 3, 1, 1}}));
  EXPECT_EQ(result.counts.documents, 2U);
}

TEST(BatchJoinTest, CopiesAndExtremeCounts) {
  std::vector<Spots> documents(50, spots({{3, UINT32_MAX}, {9, 1}}));
  documents.push_back(spots({{3, UINT32_MAX - 1}, {9, 1}}));
  for (const uint32_t tau : {999U, 1000U}) {
    const JoinResult result = batch_join(views(documents), {tau, true, true});
    EXPECT_EQ(pairs_of(result), oracle::join(views(documents), tau));
  }
}

TEST(PairGroupsTest, AreTheConnectedComponents) {
  for (uint64_t seed = 0; seed < 30; ++seed) {
    sample::Random random(seed);
    const size_t count = 60;
    oracle::Pairs expected;
    Vector<SimilarPair> pairs;
    for (uint64_t i = 0; i < seed * 2; ++i) {
      const auto a = static_cast<uint32_t>(random.below(count));
      const auto b = static_cast<uint32_t>(random.below(count));
      if (a == b) continue;
      pairs.push_back({std::min(a, b), std::max(a, b), {1, 1}});
      expected.insert({std::min(a, b), std::max(a, b), 1, 1});
    }
    const Vector<uint32_t> groups = pair_groups(count, pairs);
    ASSERT_EQ(std::vector<uint32_t>(groups.begin(), groups.end()), oracle::components(count, expected));
  }
}

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
