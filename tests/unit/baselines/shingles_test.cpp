#include "baselines/shingles.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace nd::baselines
