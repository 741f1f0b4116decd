// I-Match: which words the band leaves, and the index against brute force.
#include "baselines/i_match.hpp"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "unit/baselines/brute_force.hpp"

namespace nd::baselines {
namespace {

using sample::Words;

Vector<TermCount> counted(const Words& words) {
  Vector<TermCount> terms;
  count_terms(words, 4096, terms);
  return terms;
}

TEST(TermCountsTest, CountsWordsInAnyOrder) {
  Vector<TermCount> terms;
  EXPECT_FALSE(count_terms(Words{3, 1, 3, 2, 3}, 3, terms));
  ASSERT_EQ(terms.size(), 3U);
  EXPECT_EQ(terms[2].hash, 3U);
  EXPECT_EQ(terms[2].count, 3U);
  EXPECT_TRUE(count_terms(Words{3, 1, 3, 2, 3}, 2, terms));
  EXPECT_EQ(terms.size(), 2U);
  EXPECT_FALSE(count_terms({}, 2, terms));
  EXPECT_TRUE(terms.empty());
}

// Sixteen documents: df 16 is idf 0, df 4 is idf 1/2, df 1 is idf 1.
TEST(IMatchTest, WordsOutsideTheBandDoNotCount) {
  IMatchIndex index(1, {250, 750, 4}, sample::kUnlimited);
  for (uint32_t i = 0; i < 16; ++i) {
    Words words = {1000, 100 + i};          // everywhere; nowhere else
    if (i < 4) words.push_back(2000);       // in four
    if (i % 2 == 0) words.push_back(3000);  // in eight: idf 1/4, the end of the band
    ASSERT_TRUE(index.insert(i, counted(words)));
  }
  EXPECT_TRUE(index.epoch_due());
  EXPECT_EQ(index.score(counted({1000, 2000}), counted({1000, 2000, 7})), 0);  // before: all count
  index.start_epoch();
  EXPECT_FALSE(index.epoch_due());
  EXPECT_EQ(index.score(counted({1000, 2000}), counted({2000, 2000, 7})), 1);
  EXPECT_EQ(index.score(counted({2000}), counted({2000, 3000})), 0);
  EXPECT_FALSE(index.hash(counted({1000, 101, 9})));
  // 0 and 2 have both words, 1 and 3 the first of them.
  EXPECT_EQ(sample::answers(index.find(counted({5, 2000, 1000}))),
            (std::vector<sample::Answer>{{1, 1}, {3, 1}}));
  // Nothing of it counts: it equals nothing, itself included.
  EXPECT_TRUE(index.find(counted({1000, 101})).matches.empty());
  EXPECT_EQ(index.score(counted({1000}), counted({1000})), 0);
  EXPECT_TRUE(index.insert(99, counted({1000})));
  EXPECT_FALSE(index.insert(100, {}));
  // A document that is in no epoch's band can still be removed.
  EXPECT_EQ(index.counts().documents, 17U);
  EXPECT_TRUE(index.remove(15));
  // It is found as soon as an epoch keeps its word: now in 5 of 17.
  for (uint32_t i = 4; i < 15; ++i)
    EXPECT_TRUE(index.remove(i));
  for (uint32_t i = 0; i < 12; ++i)
    EXPECT_TRUE(index.insert(200 + i, counted({400 + i})));
  EXPECT_TRUE(index.find(counted({1000})).matches.empty());
  index.start_epoch();
  EXPECT_EQ(sample::answers(index.find(counted({1000}))), (std::vector<sample::Answer>{{99, 1}}));
}

// SpotSigs, "Summary - Gold Set": IDF .4 to .75. Of 256 documents 2^4.8 = 27.9 may have a word, 2^2 must.
TEST(IMatchTest, TheBandOfTheSlides) {
  IMatchIndex index(1, {}, sample::kUnlimited);
  const std::vector<uint32_t> frequencies = {3, 4, 27, 28};  // of the word with the same number
  for (uint32_t i = 0; i < 256; ++i) {
    Words words = {1000 + i};
    for (const uint32_t frequency : frequencies) {
      if (i < frequency) words.push_back(frequency);
    }
    ASSERT_TRUE(index.insert(i, counted(words)));
  }
  index.start_epoch();
  EXPECT_FALSE(index.hash(counted({3})));
  EXPECT_TRUE(index.hash(counted({4})));
  EXPECT_TRUE(index.hash(counted({27})));
  EXPECT_FALSE(index.hash(counted({28})));
}

// A band whose ends meet keeps words exactly there: at 0 those of all documents, at 1000 those of a single
// one.
TEST(IMatchTest, BandsThatKeepHardlyAnything) {
  for (const auto& [low, high, kept] : std::vector<std::tuple<uint32_t, uint32_t, uint32_t>>{
           {500, 500, 4}, {0, 0, 16}, {1000, 1000, 1}, {900, 950, 0}}) {
    IMatchIndex index(1, {low, high, 4}, sample::kUnlimited);
    for (uint32_t i = 0; i < 16; ++i) {
      Words words = {16, 1000 + i};
      if (i < 4) words.push_back(4);
      if (i < 1) words.push_back(1);
      ASSERT_TRUE(index.insert(i, counted(words)));
    }
    index.start_epoch();
    for (const uint32_t word : {1U, 4U, 16U})
      EXPECT_EQ(index.hash(counted({word})).has_value(), word == kept) << low << ".." << high << ": " << word;
    EXPECT_EQ(index.counts().documents, 16U) << "what no band keeps stays, and can be removed";
  }
}

struct IMatched {
  IMatchIndex index;
  explicit IMatched(const IMatchParameters& p) : index(1, p, sample::kUnlimited) {}
  bool insert(uint64_t id, const Words& words) { return index.insert(id, counted(words)); }
  bool remove(uint64_t id) { return index.remove(id); }
  void start_epoch() { index.start_epoch(); }
  Matches find(const Words& words) const { return index.find(counted(words)); }
  Counts counts() const { return index.counts(); }
  double score(const Words& asked, const Words& kept) const {
    return index.score(counted(asked), counted(kept)) == 1 ? 1 : -1;
  }
};

TEST(IMatchTest, EqualsBruteForceUnderRandomChanges) {
  uint64_t seed = 0;
  for (const IMatchParameters parameters :
       {IMatchParameters{200, 850, 1}, IMatchParameters{0, 1000, 1}, IMatchParameters{400, 600, 1}}) {
    IMatched baseline(parameters);
    EXPECT_GT(sample::compare_with_brute_force(baseline, ++seed, 60), 5U);
    ASSERT_FALSE(HasFailure());
  }
}

}  // namespace
}  // namespace nd::baselines
