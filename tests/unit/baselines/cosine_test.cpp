// The cosine index against brute force and sums by hand, with the error that fixed point may have.
#include "baselines/cosine.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "unit/baselines/brute_force.hpp"

namespace nd::baselines {
namespace {

using sample::Words;

Vector<TermCount> counted(const Words& words) {
  Vector<TermCount> terms;
  count_terms(words, 4096, terms);
  return terms;
}

TEST(CosineTest, AnExampleByHand) {
  CosineIndex index(1, {}, sample::kUnlimited);
  // Before the first epoch all words weigh alike: 1 of 2 words in common is a cosine of 1/2.
  EXPECT_NEAR(index.score(counted({1, 2}), counted({2, 3})), 0.5, 1e-8);
  EXPECT_NEAR(index.score(counted({1, 2}), counted({1, 2})), 1, 1e-8);
  EXPECT_EQ(index.score(counted({1}), counted({2})), 0);
  EXPECT_EQ(index.score(counted({}), counted({})), 0);
  // (1 + ln 2, 1) and (1, 1).
  const double tf = 1 + std::log(2.0);
  EXPECT_NEAR(index.score(counted({1, 1, 2}), counted({1, 2})),
              (tf + 1) / std::sqrt(tf * tf + 1) / std::sqrt(2.0), 1e-8);
  // With two documents, word 1 is in both and word 2 in one: idf ln 2 and ln 3.
  index.insert(1, counted({1, 2}));
  index.insert(2, counted({1}));
  index.start_epoch();
  const double rare = std::log(3.0), common = std::log(2.0);
  EXPECT_NEAR(index.score(counted({1, 2}), counted({1})), common / std::hypot(rare, common), 1e-8);
}

TEST(CosineTest, TheFixedPointIsTheCosineWithinItsBound) {
  sample::Random random(3);
  CosineIndex index(1, {}, sample::kUnlimited);
  for (int round = 0; round < 200; ++round) {
    const Words text = random.text(200, 300);
    const auto a = counted(text), b = counted(random.changed(text, 200));
    const auto exact = [](const Vector<TermCount>& terms) {
      std::map<uint32_t, long double> weights;
      long double squares = 0;
      for (const TermCount& term : terms) {
        const long double weight = 1 + std::log(static_cast<long double>(term.count));
        weights[term.hash] = weight;
        squares += weight * weight;
      }
      for (auto& [hash, weight] : weights)
        weight /= std::sqrt(squares);
      return weights;
    };
    long double cosine = 0;
    const auto others = exact(b);
    for (const auto& [hash, weight] : exact(a)) {
      if (others.contains(hash)) cosine += weight * others.at(hash);
    }
    const double short_of = static_cast<double>(cosine) - index.score(a, b);
    ASSERT_GT(short_of, -1e-12);
    ASSERT_LT(short_of, (std::sqrt(a.size()) + std::sqrt(b.size()) + 4) / (1 << 30));
    uint64_t squares = 0;
    for (const CosineTerm& term : index.weights(a))
      squares += uint64_t{term.weight} * term.weight;
    ASSERT_LE(squares, kCosineUnit);
  }
}

struct Cosines {
  CosineParameters parameters;
  CosineIndex index;
  explicit Cosines(uint32_t threshold) : parameters{threshold, 1}, index(1, parameters, sample::kUnlimited) {}
  bool insert(uint64_t id, const Words& words) { return index.insert(id, counted(words)); }
  bool remove(uint64_t id) { return index.remove(id); }
  void start_epoch() { index.start_epoch(); }
  Matches find(const Words& words) const { return index.find(counted(words)); }
  Counts counts() const { return index.counts(); }
  double score(const Words& asked, const Words& kept) const {
    const uint64_t product = dot_product(index.weights(counted(asked)), index.weights(counted(kept)));
    const bool reaches = product >= kCosineUnit / 1000 * parameters.threshold;
    return reaches ? static_cast<double>(product) / static_cast<double>(kCosineUnit) : -1;
  }
};

TEST(CosineTest, EqualsBruteForceUnderRandomChanges) {
  uint64_t seed = 0;
  for (const uint32_t threshold : {1U, 300U, 600U, 800U, 950U, 999U}) {
    for (const uint64_t vocabulary : {20U, 400U}) {
      Cosines baseline(threshold);
      EXPECT_GT(sample::compare_with_brute_force(baseline, ++seed, vocabulary), 5U) << threshold;
      ASSERT_FALSE(HasFailure());
    }
  }
}

TEST(CosineTest, ThePrefixSparesMostPostings) {
  sample::Random random(5);
  Cosines baseline(800);
  std::vector<Words> texts;
  uint64_t all = 0, looked_at = 0;
  std::map<uint32_t, uint64_t> frequencies;
  for (uint64_t i = 0; i < 500; ++i) {
    texts.push_back(random.next(texts, 5000, 200));
    for (const TermCount& term : counted(texts.back()))
      all += frequencies[term.hash]++;
    looked_at += baseline.find(texts.back()).postings;
    baseline.insert(i, texts.back());
    if (i % 100 == 50) baseline.start_epoch();
  }
  EXPECT_LT(looked_at * 3, all);
}

}  // namespace
}  // namespace nd::baselines
