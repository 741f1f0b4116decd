// Exact pairs against the definition, word by word.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "all_pairs.hpp"
#include "joins/batch_join.hpp"
#include "page_words.hpp"
#include "spotsigs/spot_vector.hpp"
#include "unit/spotsigs/spot_sample.hpp"

namespace nd::eval::test {
namespace {

using spotsigs::Spot;
using spotsigs::SpotVector;
namespace sample = spotsigs::sample;

using PairSet = std::set<std::tuple<uint32_t, uint32_t, uint64_t, uint64_t>>;

PairSet set_of(std::span<const spotsigs::SimilarPair> pairs) {
  PairSet set;
  for (const spotsigs::SimilarPair& pair : pairs)
    set.emplace(pair.first, pair.second, pair.overlap.shared, pair.overlap.united);
  EXPECT_EQ(set.size(), pairs.size());
  return set;
}

PairSet plain_pairs(const std::vector<sample::Spots>& documents, uint32_t tau) {
  PairSet set;
  for (uint32_t second = 0; second < documents.size(); ++second) {
    for (uint32_t first = 0; first < second; ++first) {
      std::map<uint64_t, std::pair<uint64_t, uint64_t>> counts;
      for (const Spot& spot : documents[first])
        counts[spot.hash].first = spot.count;
      for (const Spot& spot : documents[second])
        counts[spot.hash].second = spot.count;
      uint64_t shared = 0, united = 0;
      for (const auto& [hash, both] : counts) {
        shared += std::min(both.first, both.second);
        united += std::max(both.first, both.second);
      }
      if (united > 0 && shared * 1000 >= united * tau) set.emplace(first, second, shared, united);
    }
  }
  return set;
}

TEST(SpotsigsAllPairs, AreThoseOfTheDefinitionAndOfTheJoin) {
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    std::vector<sample::Spots> documents = sample::Random(seed).collection(60, 200, 80);
    documents.insert(documents.begin() + 7, sample::Spots());
    const std::vector<SpotVector> seen = sample::views(documents);
    for (const uint32_t tau : {1U, 100U, 440U, 900U, 1000U}) {
      const AllPairs found = all_pairs(seen, std::array{tau}, SIZE_MAX);
      EXPECT_EQ(found.least, tau);
      EXPECT_EQ(set_of(found.pairs), plain_pairs(documents, tau)) << seed << ' ' << tau;
      EXPECT_EQ(set_of(found.pairs), set_of(spotsigs::batch_join(seen, {tau, true, true}).pairs));
    }
  }
}

TEST(SpotsigsAllPairs, RaiseTheThresholdWhereTheyAreTooMany) {
  const std::vector<sample::Spots> documents = sample::Random(3).collection(80, 60, 40);
  const std::vector<SpotVector> seen = sample::views(documents);
  const std::array<uint32_t, 3> thresholds{100, 440, 900};
  std::array<size_t, 3> counts{};
  for (size_t i = 0; i < thresholds.size(); ++i)
    counts[i] = plain_pairs(documents, thresholds[i]).size();
  ASSERT_GT(counts[0], counts[1]);
  ASSERT_GT(counts[1], counts[2]);
  ASSERT_GT(counts[2], 1U);
  EXPECT_EQ(all_pairs(seen, thresholds, counts[0]).least, 100U);
  const AllPairs fewer = all_pairs(seen, thresholds, counts[0] - 1);
  EXPECT_EQ(fewer.least, 440U);
  EXPECT_EQ(set_of(fewer.pairs), plain_pairs(documents, 440));
  EXPECT_EQ(all_pairs(seen, thresholds, counts[2]).least, 900U);
  const AllPairs none = all_pairs(seen, thresholds, counts[2] - 1);
  EXPECT_EQ(none.least, 1001U);
  EXPECT_TRUE(none.pairs.empty());
}

TEST(SpotsigsAllPairs, OfNothingAreNone) {
  EXPECT_TRUE(all_pairs({}, std::array{100U}, 10).pairs.empty());
  const std::vector<SpotVector> empty(3);
  EXPECT_TRUE(all_pairs(empty, std::array{1U}, 10).pairs.empty());
}

TEST(SpotsigsShingles, AreASetOfRunsOfWords) {
  const Vector<uint32_t> words{5, 6, 5, 6, 5};
  EXPECT_EQ(shingles_of(words, 1).size(), 2U);
  const SpotDocument triples = shingles_of(words, 3);  // 5 6 5, 6 5 6
  ASSERT_EQ(triples.size(), 2U);
  EXPECT_EQ(triples[0].count, 1U);
  EXPECT_LT(triples[0].hash, triples[1].hash);
  EXPECT_EQ(shingles_of({5, 6}, 3).size(), 1U);
  EXPECT_TRUE(shingles_of({}, 3).empty());
}

}  // namespace
}  // namespace nd::eval::test
