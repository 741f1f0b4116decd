// Shingle sets, their prefix index and min-hash sketches against brute force and Broder's own example.
#include "baselines/shingles.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "unit/baselines/brute_force.hpp"

namespace nd::baselines {
namespace {

using sample::Words;

ShingleSet shingles(const Words& words, uint32_t length, uint32_t limit = 16384) {
  ShingleSet set;
  make_shingles(words, {length, limit, 500}, set);
  return set;
}

// Broder et al. 1997: "a rose is a rose is a rose" has three distinct 4-shingles: (a,rose,is,a),
// (rose,is,a,rose), (is,a,rose,is).
TEST(ShinglesTest, TheRoseOfBroder) {
  const uint32_t a = 1, rose = 2, is = 3;
  const Words text = {a, rose, is, a, rose, is, a, rose};
  EXPECT_EQ(shingles(text, 4).size(), 3U);
  EXPECT_EQ(shingles(text, 1).size(), 3U);
  EXPECT_EQ(shingles(text, 8).size(), 1U);
  const SetOverlap both = set_overlap(shingles(text, 4), shingles({a, rose, is, a, rose}, 4));
  EXPECT_EQ(both.shared, 2U);
  EXPECT_EQ(both.united, 3U);
}

TEST(ShinglesTest, AShortTextIsOneShingle) {
  EXPECT_TRUE(shingles({}, 5).empty());
  EXPECT_EQ(shingles({1, 2}, 5).size(), 1U);
  EXPECT_EQ(shingles({1, 2}, 5), shingles({1, 2}, 2));
  EXPECT_EQ(shingles({1, 2}, 0), shingles({1, 2}, 1));
}

TEST(ShinglesTest, TheCutKeepsTheSmallestHashesAndIsTold) {
  Words words(1000);
  std::iota(words.begin(), words.end(), 0U);
  ShingleSet all, cut;
  EXPECT_FALSE(make_shingles(words, {3, 998, 500}, all));
  EXPECT_TRUE(make_shingles(words, {3, 100, 500}, cut));
  EXPECT_EQ(cut, ShingleSet(all.begin(), all.begin() + 100));
}

TEST(ShinglesTest, OverlapIsThatOfSets) {
  sample::Random random(1);
  for (int round = 0; round < 100; ++round) {
    const Words text = random.text(40, 60);
    const ShingleSet a = shingles(text, 1), b = shingles(random.changed(text, 40), 1);
    std::set<uint64_t> united(a.begin(), a.end());
    united.insert(b.begin(), b.end());
    EXPECT_EQ(set_overlap(a, b).united, united.size());
    EXPECT_EQ(set_overlap(a, b).shared, a.size() + b.size() - united.size());
  }
  EXPECT_FALSE(set_overlap({}, {}).reaches(1));
  EXPECT_EQ(set_overlap({}, {}).jaccard(), 0);
}

struct Shingled {
  ShingleParameters parameters;
  ShingleIndex index;
  explicit Shingled(uint32_t threshold)
      : parameters{2, 16384, threshold}, index(1, parameters, sample::kUnlimited) {}
  bool insert(uint64_t id, const Words& words) { return index.insert(id, shingles(words, 2)); }
  bool remove(uint64_t id) { return index.remove(id); }
  void start_epoch() {}
  Matches find(const Words& words) const { return index.find(shingles(words, 2)); }
  Counts counts() const { return index.counts(); }
  double score(const Words& asked, const Words& kept) const {
    const SetOverlap both = set_overlap(shingles(asked, 2), shingles(kept, 2));
    return both.reaches(parameters.threshold) ? both.jaccard() : -1;
  }
};

TEST(ShingleIndexTest, EqualsBruteForceUnderRandomChanges) {
  uint64_t seed = 0;
  for (const uint32_t threshold : {1U, 300U, 500U, 800U, 999U, 1000U}) {
    for (const uint64_t vocabulary : {10U, 300U}) {
      Shingled baseline(threshold);
      EXPECT_GT(sample::compare_with_brute_force(baseline, ++seed, vocabulary), 5U) << threshold;
      ASSERT_FALSE(HasFailure());
    }
  }
}

TEST(ShingleIndexTest, ThePrefixSparesMostPostings) {
  ShingleIndex index(1, {1, 100, 800}, sample::kUnlimited);
  ShingleSet set(100);
  std::iota(set.begin(), set.end(), uint64_t{0});
  index.insert(1, set);
  EXPECT_EQ(index.find(set).postings, 21U);  // 100 - 80 + 1
}

using sample::Words;

MinHashSketch sketch(std::span<const uint64_t> shingles, const MinHashParameters& parameters = {}) {
  MinHashSketch made;
  make_sketch(shingles, parameters, made);
  return made;
}

// Of `count` elements each, `shared` of them in common.
std::pair<ShingleSet, ShingleSet> sets(uint64_t count, uint64_t shared, uint64_t seed) {
  ShingleSet a, b;
  for (uint64_t i = 0; i < count; ++i) {
    a.push_back(mix(seed * 100000 + i));
    b.push_back(mix(seed * 100000 + i + count - shared));
  }
  return {a, b};
}

TEST(MinHashTest, TheScoreEstimatesTheJaccard) {
  const MinHashParameters parameters{16, 64, 0};
  for (const uint64_t shared : {0U, 20U, 50U, 80U, 100U}) {
    const auto [a, b] = sets(100, shared, shared);
    const double jaccard = static_cast<double>(shared) / static_cast<double>(200 - shared);
    // Five standard deviations of at most 1 / 64.
    EXPECT_NEAR(sketch_score(sketch(a, parameters), sketch(b, parameters)), jaccard, 5.0 / 64) << shared;
  }
}

TEST(MinHashTest, OrderAndRepetitionDoNotCount) {
  const ShingleSet set = {5, 9, 1}, same = {1, 5, 9, 9, 5};
  EXPECT_EQ(sketch(set), sketch(same));
  EXPECT_EQ(sketch(set).size(), 192U);
  EXPECT_TRUE(sketch({}).empty());
  EXPECT_EQ(sketch_score({}, {}), 0);
  EXPECT_EQ(sketch_score(sketch(set), {}), 0);
  EXPECT_EQ(sketch_score(sketch(set), sketch(same)), 1);
}

// Found with the probability 1 - (1 - s^k)^l: for s = 1/2, k = 3, l = 4, .414.
TEST(MinHashTest, BandsFindWithTheProbabilityOfTheFormula) {
  const MinHashParameters parameters{3, 4, 0};
  int found = 0;
  constexpr int kPairs = 1000;
  for (int i = 0; i < kPairs; ++i) {
    const auto [a, b] = sets(60, 40, static_cast<uint64_t>(i) + 1);
    MinHashIndex index(1, parameters, sample::kUnlimited);
    index.insert(1, sketch(a, parameters));
    found += !index.find(sketch(b, parameters)).matches.empty();
  }
  const double expected = 1 - std::pow(1 - std::pow(0.5, 3), 4);
  EXPECT_NEAR(found / double{kPairs}, expected, 5 * std::sqrt(expected * (1 - expected) / kPairs));
}

struct MinHashed {
  MinHashParameters parameters;
  MinHashIndex index;
  explicit MinHashed(const MinHashParameters& p) : parameters(p), index(1, p, sample::kUnlimited) {}
  MinHashSketch of(const Words& words) const {
    ShingleSet set;
    make_shingles(words, {2, 16384, 500}, set);
    return sketch(set, parameters);
  }
  bool insert(uint64_t id, const Words& words) { return index.insert(id, of(words)); }
  bool remove(uint64_t id) { return index.remove(id); }
  void start_epoch() {}
  Matches find(const Words& words) const { return index.find(of(words)); }
  Counts counts() const { return index.counts(); }
  double score(const Words& asked, const Words& kept) const {
    const MinHashSketch a = of(asked), b = of(kept);
    bool shares_band = false;
    for (size_t band = 0; band < parameters.bands; ++band) {
      bool equal = true;
      for (size_t row = 0; row < parameters.rows; ++row)
        equal = equal && a[band * parameters.rows + row] == b[band * parameters.rows + row];
      shares_band = shares_band || equal;
    }
    const double score = sketch_score(a, b);
    return shares_band && score * 1000 >= parameters.threshold ? score : -1;
  }
};

TEST(MinHashIndexTest, EqualsBruteForceUnderRandomChanges) {
  uint64_t seed = 0;
  for (const MinHashParameters parameters :
       {MinHashParameters{6, 32, 500}, MinHashParameters{2, 8, 0}, MinHashParameters{1, 1, 900}}) {
    MinHashed baseline(parameters);
    EXPECT_GT(sample::compare_with_brute_force(baseline, ++seed, 100), 20U);
    ASSERT_FALSE(HasFailure());
  }
}

TEST(MinHashIndexTest, WhatIsNoSketchIsRefused) {
  MinHashIndex index(1, {}, {});
  EXPECT_FALSE(index.insert(1, {}));
  EXPECT_FALSE(index.insert(1, MinHashSketch(191, 5)));
  EXPECT_EQ(index.counts().refused, 2U);
  EXPECT_TRUE(index.find(MinHashSketch(7, 5)).matches.empty());
}

}  // namespace
}  // namespace nd::baselines
