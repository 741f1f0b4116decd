// Shares that add up, and the tables of the document.
#include "mwo/share_vector.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "unit/mwo/share_sample.hpp"

namespace nd::mwo {
namespace {

using sample::shares;
using sample::Weights;

uint64_t sum(ShareVector terms) {
  uint64_t all = 0;
  for (const Term& term : terms)
    all += term.share;
  return all;
}

DroppedTerms make(Vector<WeighedTerm> weighed, const ShareParameters& parameters, Vector<Term>& out) {
  return make_shares(weighed, parameters, out);
}

// MWO, tables 2 and 3: r1 = {x2, x1, x3}, r2 = {x4, x1, x3}, r3 = {x2, x4, x1, x3}. The document has no
// numbers; these weights divide without a remainder.
TEST(ShareVectorTest, TheTablesOfTheDocument) {
  const Vector<Term> r1 = shares({{2, 1000}, {1, 1000}, {3, 2000}});
  const Vector<Term> r2 = shares({{4, 1000}, {1, 2000}, {3, 1000}});
  const Vector<Term> r3 = shares({{2, 1000}, {4, 1000}, {1, 1000}, {3, 5000}});
  EXPECT_EQ(r1, (Vector<Term>{{1, kShareUnit / 4}, {2, kShareUnit / 4}, {3, kShareUnit / 2}}));
  EXPECT_EQ(minimum_weight_overlap(r1, r2), kShareUnit / 2);  // min(1/4, 1/2) + min(1/2, 1/4)
  EXPECT_EQ(minimum_weight_overlap(r1, r3), kShareUnit / 4 * 3);
  EXPECT_EQ(minimum_weight_overlap(r2, r3), kShareUnit / 2);
  EXPECT_EQ(minimum_weight_overlap(r1, r1), kShareUnit);
}

TEST(ShareVectorTest, SharesAddUpAndNoneIsOffByAUnit) {
  sample::Random random(1);
  for (int round = 0; round < 300; ++round) {
    const Weights weights = random.page(3000, 500);
    uint64_t total = 0;
    for (const auto& [hash, weight] : weights)
      total += weight;
    const Vector<Term> terms = shares(weights);
    ASSERT_EQ(sum(terms), kShareUnit);
    ASSERT_EQ(terms.size(), weights.size());
    auto at = weights.begin();
    for (const Term& term : terms) {
      const long double exact = static_cast<long double>(at->second) * kShareUnit / total;
      ASSERT_EQ(term.hash, at->first);
      ASSERT_LT(std::fabs(static_cast<double>(term.share - exact)), 1.0);
      ++at;
    }
  }
}

TEST(ShareVectorTest, TheMissingUnitsGoToTheLargestRemainders) {
  // 2^30 = 3 * 357913941 + 1; equal remainders: the smallest hash.
  EXPECT_EQ(shares({{7, 1}, {8, 1}, {9, 1}}), (Vector<Term>{{7, 357913942}, {8, 357913941}, {9, 357913941}}));
  // 2^30 = 7 * 153391689 + 1: of a seventh and six sevenths, the remainders are 1/7 and 6/7.
  EXPECT_EQ(shares({{7, 1}, {8, 6}}), (Vector<Term>{{7, 153391689}, {8, 920350135}}));
}

TEST(ShareVectorTest, OnlyTheProportionsOfTheWeightsCount) {
  sample::Random random(2);
  for (int round = 0; round < 50; ++round) {
    const Weights weights = random.page(500, 300);
    Weights scaled = weights;
    for (auto& [hash, weight] : scaled)
      weight *= 37;
    ASSERT_EQ(shares(weights), shares(scaled));
  }
}

TEST(ShareVectorTest, OccurrencesOfATermAddUpInAnyOrder) {
  Vector<Term> once, thrice;
  make({{5, 3000}, {6, 1000}}, {}, once);
  make({{5, 1000}, {6, 500}, {5, 1500}, {6, 500}, {5, 500}}, {}, thrice);
  EXPECT_EQ(once, thrice);
}

TEST(ShareVectorTest, TheDynamicThresholdDropsTheLightestTermsOfAtMostThePart) {
  Vector<Term> terms;
  // 500 + 500 is a tenth of 10000; 1500 more would be beyond.
  const Vector<WeighedTerm> weighed = {{1, 500}, {2, 7500}, {3, 500}, {4, 1500}};
  EXPECT_EQ(make(weighed, {100, 100}, terms).light, 2U);
  EXPECT_EQ(terms, shares({{2, 7500}, {4, 1500}}));
  EXPECT_EQ(make(weighed, {249, 100}, terms).light, 2U);
  EXPECT_EQ(make(weighed, {250, 100}, terms).light, 3U);
  EXPECT_EQ(terms, shares({{2, 7500}}));
  // Terms of one weight stay or go together.
  EXPECT_EQ(make(weighed, {99, 100}, terms).light, 0U);
  EXPECT_EQ(make(weighed, {0, 100}, terms).light, 0U);
  EXPECT_EQ(terms.size(), 4U);
  // Something always stays.
  EXPECT_EQ(make({{1, 1}, {2, 1}}, {999, 100}, terms).light, 0U);
}

// docs/mwo.md: an overlap moves by no more than what was dropped of both pages.
TEST(ShareVectorTest, TheDynamicThresholdMovesAnOverlapByNoMoreThanItDrops) {
  sample::Random random(3);
  double furthest = 0;
  for (int round = 0; round < 300; ++round) {
    const Weights a = random.page(400, 300);
    const Weights b = random.changed(a, 400);
    const auto dropped_of = [](const Weights& weights) {
      Vector<WeighedTerm> weighed;
      for (const auto& [hash, weight] : weights)
        weighed.push_back({hash, weight});
      Vector<Term> terms;
      make_shares(weighed, {100, UINT32_MAX}, terms);
      return terms;
    };
    const double whole = minimum_weight_overlap(shares(a), shares(b)) / double{kShareUnit};
    const double cut = minimum_weight_overlap(dropped_of(a), dropped_of(b)) / double{kShareUnit};
    ASSERT_LE(std::fabs(whole - cut), 0.2 + 1e-6);
    furthest = std::max(furthest, std::fabs(whole - cut));
  }
  EXPECT_GT(furthest, 0.001);
}

TEST(ShareVectorTest, TheHeaviestTermsAreKept) {
  Vector<Term> terms;
  const DroppedTerms dropped = make({{9, 10}, {8, 30}, {7, 20}, {6, 20}}, {0, 2}, terms);
  EXPECT_EQ(dropped.cut, 2U);
  EXPECT_EQ(terms, shares({{8, 30}, {6, 20}}));  // of equal weights the smaller hash
}

TEST(ShareVectorTest, WhatHasNoWeightIsNoTerm) {
  Vector<Term> terms = {{1, 1}};
  make({}, {}, terms);
  EXPECT_TRUE(terms.empty());
  make({{1, 0}, {2, 0}}, {}, terms);
  EXPECT_TRUE(terms.empty());
  make({{1, 5}}, {0, 0}, terms);
  EXPECT_TRUE(terms.empty());
  make({{1, 0}, {2, 5}}, {}, terms);
  EXPECT_EQ(terms, (Vector<Term>{{2, kShareUnit}}));
  EXPECT_EQ(minimum_weight_overlap({}, terms), 0U);
}

TEST(ShareVectorTest, EnormousWeightsDoNotOverflow) {
  Vector<Term> terms;
  const uint64_t most = std::numeric_limits<uint64_t>::max();
  make({{1, most / 2}, {2, most / 2}, {3, 1}}, {0, 10}, terms);
  EXPECT_EQ(sum(terms), kShareUnit);
  // The share of the third rounds to nothing.
  EXPECT_EQ(terms, (Vector<Term>{{1, kShareUnit / 2}, {2, kShareUnit / 2}}));
}

TEST(ShareVectorTest, TheLeastOverlapIsTheThresholdRoundedUp) {
  EXPECT_EQ(least_overlap(1000), kShareUnit);
  EXPECT_EQ(least_overlap(500), kShareUnit / 2);
  EXPECT_EQ(least_overlap(1), 1073742U);  // 1073741.824
  EXPECT_EQ(least_overlap(0), 1U);
}

}  // namespace
}  // namespace nd::mwo
