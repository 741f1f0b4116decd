// Cosine and divergence of spot signatures by hand, and by their formulas over all signatures.
#include "spot_similarities.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "core/memory.hpp"

namespace nd::eval {
namespace {

using Counts = std::map<uint64_t, uint32_t>;

Vector<spotsigs::Spot> spots(const Counts& counts) {
  Vector<spotsigs::Spot> made;
  for (const auto& [hash, count] : counts)
    made.push_back({hash, count});
  return made;
}

std::vector<MeasuredPair> measured(const std::vector<Counts>& documents, float least = 1e-6F) {
  std::vector<Vector<spotsigs::Spot>> kept;
  for (const Counts& counts : documents)
    kept.push_back(spots(counts));
  return measured_pairs(std::vector<spotsigs::SpotVector>(kept.begin(), kept.end()), least);
}

// SpotSigs, "Deduplication Example": d1, d2, d3 (with the s1:4 that the slide lost).
TEST(SpotSimilaritiesTest, TheExampleOfTheSlidesByHand) {
  const auto pairs = measured({{{1, 5}, {2, 4}, {3, 4}}, {{1, 8}, {2, 4}}, {{1, 4}, {2, 5}, {3, 5}}});
  ASSERT_EQ(pairs.size(), 3U);
  EXPECT_NEAR(pairs[0].cosine, 56 / std::sqrt(57.0 * 80), 1e-6);
  EXPECT_NEAR(pairs[1].cosine, 60 / std::sqrt(57.0 * 66), 1e-6);
  EXPECT_NEAR(pairs[2].cosine, 52 / std::sqrt(80.0 * 66), 1e-6);
}

TEST(SpotSimilaritiesTest, EqualSharesAreOneAndPagesWithoutACommonSignatureNoPair) {
  const auto pairs = measured({{{1, 1}, {2, 2}}, {{1, 2}, {2, 4}}, {{9, 3}}, {}});
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_NEAR(pairs[0].cosine, 1, 1e-6);
  EXPECT_NEAR(pairs[0].divergence, 1, 1e-6);
  // Half of each is common: a cosine of one half, and half a bit from the mean.
  const auto half = measured({{{1, 1}, {2, 1}}, {{2, 1}, {3, 1}}});
  EXPECT_NEAR(half[0].cosine, .5, 1e-6);
  EXPECT_NEAR(half[0].divergence, .5, 1e-6);
  EXPECT_TRUE(measured({{{1, 1}, {2, 1}}, {{2, 1}, {3, 1}}}, .51F).empty());
}

double divergence_from_mean(const Counts& a, const Counts& b) {
  double of_a = 0, of_b = 0, bits = 0;
  for (const auto& [hash, count] : a)
    of_a += count;
  for (const auto& [hash, count] : b)
    of_b += count;
  for (const auto& [hash, count] : a) {
    const double p = count / of_a, q = b.contains(hash) ? b.at(hash) / of_b : 0;
    bits += p * std::log2(p / ((p + q) / 2));
  }
  return bits;
}

TEST(SpotSimilaritiesTest, EqualsTheFormulaOverAllSignatures) {
  std::vector<Counts> documents;
  uint32_t state = 7;
  const auto below = [&state](uint32_t end) {
    state = state * 1664525 + 1013904223;
    return (state >> 8) % end;
  };
  for (int i = 0; i < 30; ++i) {
    Counts counts;
    for (uint32_t k = below(12) + 1; k > 0; --k)
      counts[below(20)] += below(5) + 1;
    documents.push_back(counts);
  }
  const auto pairs = measured(documents);
  ASSERT_GT(pairs.size(), 100U);
  for (const MeasuredPair& pair : pairs) {
    const Counts &a = documents[pair.first], &b = documents[pair.second];
    EXPECT_NEAR(pair.divergence, 1 - (divergence_from_mean(a, b) + divergence_from_mean(b, a)) / 2, 1e-5);
  }
}

}  // namespace
}  // namespace nd::eval
