// LSH-S: pairs that share a band, as often as the formula says.
#include "joins/competitor_joins.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "core/hash.hpp"
#include "unit/spotsigs/join_oracle.hpp"
#include "unit/spotsigs/spot_sample.hpp"

namespace nd::spotsigs {
namespace {

using sample::Spots;
using sample::spots;
using sample::views;

oracle::Pairs pairs_of(const LshResult& result) {
  oracle::Pairs pairs;
  for (const SimilarPair& pair : result.pairs)
    EXPECT_TRUE(pairs.insert({pair.first, pair.second, pair.overlap.shared, pair.overlap.united}).second);
  return pairs;
}

// `shared` signatures of both and as many of one alone that `all` are united.
std::pair<Spots, Spots> pair_with(uint64_t shared, uint64_t all, uint64_t seed) {
  std::map<uint64_t, uint32_t> a, b;
  for (uint64_t i = 0; i < all; ++i) {
    const uint64_t hash = mix(seed * 1000 + i);
    if (i < shared || i % 2 == 0) a[hash] = 1;
    if (i < shared || i % 2 == 1) b[hash] = 1;
  }
  return {spots(a), spots(b)};
}

TEST(LshSTest, CandidatesAreThePairsThatShareABand) {
  for (const bool verify : {false, true}) {
    LshJoinOptions options;
    options.verify = verify;
    options.lsh.rows = 3;
    options.lsh.bands = 8;
    const std::vector<Spots> documents = sample::Random(6).collection(150, 500, 60);
    oracle::Pairs expected;
    uint64_t candidates = 0;
    std::vector<std::set<std::pair<size_t, uint64_t>>> bands;
    for (const Spots& document : documents) {
      Vector<uint64_t> hashes;
      lsh_bands(document, options.lsh, hashes);
      ASSERT_EQ(hashes.size(), options.lsh.bands);
      bands.emplace_back();
      for (size_t band = 0; band < hashes.size(); ++band)
        bands.back().emplace(band, hashes[band]);
    }
    for (uint32_t first = 0; first < documents.size(); ++first) {
      for (uint32_t second = first + 1; second < documents.size(); ++second) {
        const bool meets = std::any_of(bands[first].begin(), bands[first].end(),
                                       [&](const auto& band) { return bands[second].contains(band); });
        candidates += meets;
        const auto similarity = oracle::jaccard(documents[first], documents[second]);
        if (meets && (!verify || oracle::reaches(similarity, options.tau)))
          expected.insert({first, second, similarity.first, similarity.second});
      }
    }
    const LshResult result = lsh_s(views(documents), options);
    EXPECT_EQ(pairs_of(result), expected);
    EXPECT_EQ(result.candidates, candidates);
    EXPECT_EQ(result.limited, 0U);
    EXPECT_GT(expected.size(), 20U);
  }
}

// The part of pairs that meet is 1 - (1 - s^k)^l.
TEST(LshSTest, MeetWithTheProbabilityOfTheFormula) {
  constexpr uint64_t kPairs = 300;
  for (const uint64_t shared : {20U, 40U, 60U, 80U}) {
    LshJoinOptions options;
    options.verify = false;
    uint64_t met = 0;
    for (uint64_t seed = 0; seed < kPairs; ++seed) {
      const auto [a, b] = pair_with(shared, 100, seed * 10 + shared);
      met += lsh_s(views({a, b}), options).pairs.size();
    }
    const double s = static_cast<double>(shared) / 100;
    const double expected = 1 - std::pow(1 - std::pow(s, 6), 32);
    const double deviation = std::sqrt(expected * (1 - expected) / kPairs);
    EXPECT_NEAR(static_cast<double>(met) / kPairs, expected, 4 * deviation + 0.005) << shared;
  }
}

TEST(LshSTest, EmptyDocumentsMeetNobody) {
  LshJoinOptions options;
  options.verify = false;
  EXPECT_TRUE(lsh_s({}, options).pairs.empty());
  EXPECT_TRUE(lsh_s(views({{}, {}, {}}), options).pairs.empty());
  Vector<uint64_t> hashes{1, 2};
  lsh_bands({}, options.lsh, hashes);
  EXPECT_TRUE(hashes.empty());
}

TEST(LshSTest, LargeBucketsAreCutAndCounted) {
  LshJoinOptions options;
  options.bucket_documents = 10;
  const std::vector<Spots> copies(60, spots({{1, 1}, {2, 3}}));
  const LshResult result = lsh_s(views(copies), options);
  EXPECT_EQ(result.limited, options.lsh.bands);
  EXPECT_EQ(result.candidates, 10U * 9 / 2 + 50U * 10);
  const Vector<uint32_t> groups = pair_groups(copies.size(), result.pairs);
  EXPECT_EQ(std::set<uint32_t>(groups.begin(), groups.end()), std::set<uint32_t>{0});
}

}  // namespace
}  // namespace nd::spotsigs
