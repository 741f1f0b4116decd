// The batch order against its oracle: candidate sets, groups, frequent keys.
#include "lcs/partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "unit/lcs/partition_oracle.hpp"

namespace nd::lcs {
namespace {

struct Keys {
  std::vector<uint64_t> keys;
  uint64_t site = 0;
};

std::vector<PartitionDocument> documents_of(const std::vector<Keys>& keys) {
  std::vector<PartitionDocument> documents;
  for (const Keys& each : keys)
    documents.push_back({each.keys, each.site, static_cast<uint32_t>(each.keys.size())});
  return documents;
}

std::vector<uint32_t> groups(const std::vector<Keys>& keys, const Similarity& similarity,
                             PartitionCounts& counts, const PartitionParameters& parameters = {}) {
  const Partition result = lcs::partition(documents_of(keys), parameters, similarity);
  counts = result.counts;
  return {result.representatives.begin(), result.representatives.end()};
}

double always(uint32_t, uint32_t) {
  return 1;
}
double never(uint32_t, uint32_t) {
  return 0;
}

TEST(PartitionTest, CandidatesWidenFromLargerToSmallerOnly) {
  PartitionCounts counts;
  // 3 keys, 2 keys, 1 key: the first draws the third in through the second.
  EXPECT_EQ(groups({{{1, 2, 3}}, {{3, 4}}, {{4}}}, always, counts), (std::vector<uint32_t>{0, 0, 0}));
  EXPECT_EQ(counts.candidate_sets, 1u);
  // The smallest is shared by two larger ones that share nothing: it cannot draw the second in.
  EXPECT_EQ(groups({{{1, 2, 3}}, {{4, 5, 6}}, {{1, 4}}}, always, counts), (std::vector<uint32_t>{0, 1, 0}));
  EXPECT_EQ(counts.candidate_sets, 2u);
}

TEST(PartitionTest, TheOrderIsByNumberOfKeysThenOfInput) {
  PartitionCounts counts;
  EXPECT_EQ(groups({{{1}}, {{1, 2}}, {{2, 3}}}, always, counts), (std::vector<uint32_t>{1, 1, 1}));
}

TEST(PartitionTest, TransitivityWidensCandidatesNotGroups) {
  PartitionCounts counts;
  const auto neighbours = [](uint32_t x, uint32_t y) { return x + 1 == y ? 1.0 : 0.0; };
  EXPECT_EQ(groups({{{1, 2, 3}}, {{3, 4}}, {{4}}}, neighbours, counts), (std::vector<uint32_t>{0, 0, 2}));
  EXPECT_EQ(counts.groups, 2u);
  EXPECT_EQ(counts.comparisons, 2u);
}

TEST(PartitionTest, JoinsTheBestOfSeveralAndTheFirstOfEqualOnes) {
  PartitionCounts counts;
  const std::vector<Keys> keys = {{{1}}, {{1}}, {{1}}};
  const auto second = [](uint32_t x, uint32_t y) { return y < 2 ? -1.0 : x == 1 ? 0.9 : 0.8; };
  EXPECT_EQ(groups(keys, second, counts), (std::vector<uint32_t>{0, 1, 1}));
  const auto both = [](uint32_t, uint32_t y) { return y < 2 ? 0.0 : 0.8; };
  EXPECT_EQ(groups(keys, both, counts), (std::vector<uint32_t>{0, 1, 0}));
}

TEST(PartitionTest, DeletesFrequentKeysAndKeysOfFewSites) {
  const PartitionParameters parameters = {
      .fingerprint_limit = 5, .site_fingerprint_limit = 3, .few_sites = 2};
  PartitionCounts counts;
  std::vector<Keys> keys(5);
  for (size_t i = 0; i < keys.size(); ++i)
    keys[i] = {{1}, i % 3};
  EXPECT_EQ(groups(keys, always, counts, parameters), (std::vector<uint32_t>(5, 0)));
  EXPECT_EQ(counts.deleted_keys, 0u);
  for (Keys& each : keys)
    each.site %= 2;
  EXPECT_EQ(groups(keys, always, counts, parameters), (std::vector<uint32_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(counts.deleted_keys, 1u);
  keys = std::vector<Keys>(6);
  for (size_t i = 0; i < keys.size(); ++i)
    keys[i] = {{1}, i};
  groups(keys, always, counts, parameters);
  EXPECT_EQ(counts.deleted_keys, 1u);
  EXPECT_EQ(counts.groups, 6u);
}

TEST(PartitionTest, DocumentsWithoutKeysAndNoDocuments) {
  PartitionCounts counts;
  EXPECT_EQ(groups({{}, {}}, always, counts), (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(counts.comparisons, 0u);
  EXPECT_TRUE(groups({}, always, counts).empty());
  EXPECT_EQ(counts.candidate_sets, 0u);
}

TEST(PartitionTest, EqualsTheOracle) {
  std::mt19937_64 random(46);
  for (int round = 0; round < 200; ++round) {
    const PartitionParameters parameters = {.fingerprint_limit = 12,
                                            .site_fingerprint_limit = 6,
                                            .few_sites = static_cast<uint32_t>(random() % 4),
                                            .first_similar = round % 2 == 0};
    std::vector<Keys> keys(random() % 40);
    const uint64_t alphabet = 1 + random() % 80;
    for (Keys& each : keys) {
      std::set<uint64_t> distinct;
      for (uint64_t i = random() % 6; i > 0; --i)
        distinct.insert(random() % alphabet);
      each = {{distinct.begin(), distinct.end()}, random() % 5};
    }
    const uint64_t seed = random();
    const auto similarity = [&](uint32_t x, uint32_t y) {
      return static_cast<double>((x * 7919 + y * 104729 + seed) % 10) - 5;
    };
    PartitionCounts counts;
    const auto expected = oracle::partition(documents_of(keys), parameters, similarity);
    EXPECT_EQ(groups(keys, similarity, counts, parameters), expected.representatives) << round;
    EXPECT_EQ(counts.candidate_sets, expected.counts.candidate_sets);
    EXPECT_EQ(counts.comparisons, expected.counts.comparisons);
    EXPECT_EQ(counts.deleted_keys, expected.counts.deleted_keys);
    EXPECT_EQ(counts.groups, expected.counts.groups);
  }
}

// Every document with every key: a scan of each list for each document would be 10^10 steps.
TEST(PartitionTest, KeysThatAllShareAreScannedOnce) {
  const PartitionParameters parameters = {
      .fingerprint_limit = UINT32_MAX, .site_fingerprint_limit = UINT32_MAX, .few_sites = 0};
  std::vector<uint64_t> shared(10);
  for (size_t i = 0; i < shared.size(); ++i)
    shared[i] = i;
  const std::vector<Keys> keys(30'000, Keys{shared, 0});
  PartitionCounts counts;
  EXPECT_EQ(groups(keys, always, counts, parameters), std::vector<uint32_t>(keys.size(), 0));
  EXPECT_EQ(counts.candidate_sets, 1u);
  EXPECT_EQ(counts.comparisons, keys.size() - 1);
}

TEST(PartitionTest, NothingSimilarComparesAllPairsOfASet) {
  const std::vector<Keys> keys(20, Keys{{1}, 0});
  PartitionCounts counts;
  groups(keys, never, counts);
  EXPECT_EQ(counts.comparisons, 190u);
  EXPECT_EQ(counts.groups, 20u);
}

TEST(PartitionTest, ABoundOnComparisonsTakesTheRepresentativesThatShareMostAndTellsOfIt) {
  // A hub draws everything into one set; each later document shares two rare keys with one founder.
  std::vector<Keys> keys;
  std::vector<uint64_t> hub = {1000};
  for (uint64_t i = 0; i < 50; ++i)
    hub.push_back(i);
  keys.push_back({hub, 0});
  for (uint64_t i = 0; i < 50; ++i)
    keys.push_back({{i, 100 + i, 200 + i, 1000}, 0});
  for (uint64_t i = 0; i < 50; ++i)
    keys.push_back({{100 + i, 200 + i, 1000}, 0});
  const auto partners = [](uint32_t x, uint32_t y) { return x > 0 && x + 50 == y ? 1.0 : 0.0; };
  const Partition bounded = lcs::partition(documents_of(keys), {.comparisons = 3}, partners);
  for (uint32_t i = 51; i <= 100; ++i) {
    EXPECT_EQ(bounded.representatives[i], i - 50) << i;
    EXPECT_EQ(bounded.limited[i], 1) << i;
  }
  EXPECT_LE(bounded.counts.comparisons, 3u * keys.size());
  const Partition unbounded = lcs::partition(documents_of(keys), {}, partners);
  EXPECT_EQ(unbounded.representatives, bounded.representatives);
  EXPECT_EQ(std::count(unbounded.limited.begin(), unbounded.limited.end(), 1), 0);
}

TEST(PartitionTest, ABoundKeepsTheOrderOfTheFirstSimilar) {
  // All share key 1; the last shares two rare keys with 1 and one with 0, and is similar to both.
  const std::vector<Keys> keys = {
      {{1, 2, 3, 4}, 0}, {{1, 5, 6, 7}, 0}, {{1, 8, 9, 10}, 0}, {{1, 2, 5, 6}, 0}};
  const auto similarity = [](uint32_t x, uint32_t y) { return y == 3 && x < 2 ? 0.5 + x / 10.0 : 0.0; };
  const auto joined = [&](uint32_t comparisons, bool first_similar) {
    return lcs::partition(documents_of(keys), {.comparisons = comparisons, .first_similar = first_similar},
                          similarity)
        .representatives[3];
  };
  EXPECT_EQ(joined(2, true), 0U);
  EXPECT_EQ(joined(2, false), 1U);
  EXPECT_EQ(joined(1, true), 1U);  // the one that shares most keys
}

TEST(PartitionTest, ABoundNeverLeavesTheSetAndLosesNothingBelowIt) {
  std::mt19937_64 random(47);
  for (int round = 0; round < 200; ++round) {
    std::vector<Keys> keys(random() % 60);
    for (Keys& each : keys) {
      std::set<uint64_t> distinct;
      for (uint64_t i = random() % 6; i > 0; --i)
        distinct.insert(random() % 40);
      each = {{distinct.begin(), distinct.end()}, random() % 5};
    }
    const PartitionParameters bounded = {.comparisons = static_cast<uint32_t>(1 + random() % 4)};
    const auto rarely = [](uint32_t x, uint32_t y) {
      return static_cast<double>((x * 7919 + y * 104729) % 10) - 8;
    };
    const Partition result = lcs::partition(documents_of(keys), bounded, rarely);
    const auto unbounded = oracle::partition(documents_of(keys), {}, rarely);
    ASSERT_EQ(result.counts.candidate_sets, unbounded.counts.candidate_sets);
    ASSERT_LE(result.counts.comparisons, uint64_t{bounded.comparisons} * keys.size());
    for (uint32_t i = 0; i < keys.size(); ++i) {
      const uint32_t representative = result.representatives[i];
      ASSERT_EQ(result.representatives[representative], representative);
      ASSERT_TRUE(representative == i || rarely(representative, i) > 0);
    }
    if (std::count(result.limited.begin(), result.limited.end(), 1) == 0) {
      ASSERT_TRUE(std::ranges::equal(result.representatives, unbounded.representatives));
    }
  }
}

}  // namespace
}  // namespace nd::lcs
