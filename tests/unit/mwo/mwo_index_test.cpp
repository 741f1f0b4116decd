// The MWO index against brute force, and its published filter against the published algorithm.
#include "mwo/mwo_index.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "unit/mwo/mwo_oracle.hpp"
#include "unit/mwo/share_sample.hpp"

namespace nd::mwo {
namespace {

using oracle::MwoOracle;
using sample::shares;
using sample::Terms;
using sample::Weights;

MwoParameters unlimited(uint32_t t, Filter filter = Filter::kSafe) {
  MwoParameters parameters;
  parameters.threshold = t;
  parameters.filter = filter;
  parameters.postings = 0;
  parameters.steps = 0;
  parameters.matches = 0;
  return parameters;
}

std::vector<MwoOracle::Match> matches_of(const MwoMatches& answer) {
  std::vector<MwoOracle::Match> matches;
  for (const MwoMatch& match : answer.matches)
    matches.push_back({match.id, match.overlap});
  return matches;
}

// A random interleaving of insertions, removals, epochs and searches. Returns the matches found.
uint64_t compare_with_brute_force(uint64_t seed, uint32_t t, Filter filter, uint64_t vocabulary,
                                  Order order = Order::kFrequency) {
  sample::Random random(seed);
  MwoIndex index(seed, unlimited(t, filter), TermOrder(seed, order));
  MwoOracle oracle(t, filter, order);
  MwoScratch scratch;
  std::vector<Weights> seen;
  uint64_t found = 0;
  for (int step = 0; step < 400; ++step) {
    const uint64_t action = random.below(100);
    if (action < 40 || seen.empty()) {
      seen.push_back(random.next(seen, vocabulary, 80));
      const uint64_t id = 3 * seen.size();
      EXPECT_TRUE(index.insert(id, shares(seen.back())).indexed);
      oracle.insert(id, shares(seen.back()));
    } else if (action < 55 && !oracle.order().empty()) {
      const uint64_t id = oracle.order()[random.below(oracle.order().size())];
      EXPECT_TRUE(index.remove(id));
      EXPECT_TRUE(oracle.remove(id));
      EXPECT_FALSE(index.remove(id));
    } else if (action < 58) {
      index.start_epoch();
      oracle.start_epoch();
    } else {
      const Terms asked = shares(random.next(seen, vocabulary, 80));
      const MwoMatches answer = index.find(asked, scratch);
      EXPECT_EQ(matches_of(answer), oracle.find(asked)) << seed << ' ' << step;
      EXPECT_FALSE(answer.limited || answer.more);
      EXPECT_GE(answer.work.postings, answer.work.candidates);
      EXPECT_GE(answer.work.candidates, answer.work.verified);
      EXPECT_GE(answer.work.verified, answer.matches.size());
      found += answer.matches.size();
    }
    EXPECT_EQ(index.counts().documents, oracle.order().size());
    if (testing::Test::HasFailure()) return 0;
  }
  return found;
}

TEST(MwoIndexTest, TheSafeFilterEqualsBruteForceUnderRandomChanges) {
  uint64_t seed = 0;
  for (const uint32_t t : {0U, 1U, 200U, 500U, 700U, 900U, 999U, 1000U}) {
    for (const uint64_t vocabulary : {30U, 400U, 5000U}) {
      const uint64_t found = compare_with_brute_force(++seed, t, Filter::kSafe, vocabulary);
      ASSERT_FALSE(HasFailure());
      EXPECT_GT(found, t < 999 ? 20U : 0U) << t;
    }
  }
}

TEST(MwoIndexTest, ThePublishedFilterEqualsThePublishedAlgorithm) {
  uint64_t seed = 100;
  for (const uint32_t t : {0U, 200U, 500U, 800U, 1000U}) {
    for (const uint64_t vocabulary : {30U, 400U, 5000U}) {
      for (const Order order : {Order::kFrequency, Order::kWeight}) {
        compare_with_brute_force(++seed, t, Filter::kPaper, vocabulary, order);
        ASSERT_FALSE(HasFailure());
      }
    }
  }
}

// One heavy term of many light ones: sets that hardly meet, mass that does.
TEST(MwoIndexTest, ThePublishedFilterLosesPagesThatShareWeightRatherThanTerms) {
  Weights a = {{1000, 9000}};
  Weights b = {{1000, 9000}};
  for (uint64_t i = 0; i < 10; ++i) {
    a[i] = 100;
    b[100 + i] = 100;
  }
  for (const Filter filter : {Filter::kSafe, Filter::kPaper}) {
    MwoIndex index(1, unlimited(500, filter));
    MwoScratch scratch;
    index.insert(1, shares(a));
    index.start_epoch();
    const MwoMatches answer = index.find(shares(b), scratch);
    ASSERT_EQ(answer.matches.size(), filter == Filter::kSafe ? 1U : 0U);
    if (filter == Filter::kSafe) {
      EXPECT_NEAR(answer.matches[0].overlap / double{kShareUnit}, 0.9, 1e-6);
    }
  }
}

TEST(MwoIndexTest, AnExampleByHand) {
  MwoIndex index(1, unlimited(500));
  MwoScratch scratch;
  index.insert(20, shares({{1, 1}, {3, 2}, {4, 1}}));  // 2/4 of it in common with the query page
  index.insert(10, shares({{1, 1}, {2, 1}, {3, 1}, {4, 5}}));
  index.insert(30, shares({{1, 1}, {2, 1}, {3, 2}}));
  index.insert(40, shares({{1, 2}, {2, 2}, {3, 4}}));
  index.start_epoch();
  const MwoMatches answer = index.find(shares({{1, 1}, {2, 1}, {3, 2}}), scratch);
  EXPECT_EQ(matches_of(answer),
            (std::vector<MwoOracle::Match>{{30, kShareUnit}, {40, kShareUnit}, {20, kShareUnit / 4 * 3}}));
  EXPECT_EQ(index.counts().epoch, 1U);
  EXPECT_EQ(index.counts().epoch_documents, 4U);
}

TEST(MwoIndexTest, AnswersDoNotDependOnTheSecret) {
  const auto run = [](uint64_t secret) {
    sample::Random random(9);
    MwoParameters parameters = unlimited(300);
    parameters.postings = 300;
    parameters.steps = 3000;
    parameters.matches = 5;
    parameters.bytes = 100000;
    MwoIndex index(secret, parameters);
    MwoScratch scratch;
    std::vector<Weights> seen;
    std::vector<MwoOracle::Match> all;
    uint64_t limited = 0;
    uint64_t more = 0;
    for (uint64_t i = 0; i < 600; ++i) {
      seen.push_back(random.next(seen, 200, 60));
      const MwoMatches answer = index.find(shares(seen.back()), scratch);
      for (const MwoOracle::Match& match : matches_of(answer))
        all.push_back(match);
      limited += answer.limited;
      more += answer.more;
      index.insert(i, shares(seen.back()));
      if (i % 100 == 50) index.start_epoch();
      if (i % 7 == 0) index.remove(i / 2);
    }
    EXPECT_GT(limited, 0U);
    EXPECT_GT(more, 0U);
    EXPECT_GT(index.counts().evicted, 0U);
    return all;
  };
  const std::vector<MwoOracle::Match> first = run(1);
  EXPECT_GT(first.size(), 100U);
  EXPECT_EQ(first, run(0x9e3779b97f4a7c15ULL));
}

TEST(MwoIndexTest, ReadsFarLessThanAllLists) {
  sample::Random random(4);
  MwoIndex index(1, unlimited(800));
  MwoScratch scratch;
  std::vector<Weights> pages;
  std::map<uint64_t, uint64_t> frequencies;
  uint64_t all = 0;
  MwoWork work;
  for (uint64_t i = 0; i < 1000; ++i) {
    pages.push_back(random.next(pages, 20000, 200));
    const Terms terms = shares(pages.back());
    for (const Term& term : terms)
      all += frequencies[term.hash]++;
    const MwoMatches answer = index.find(terms, scratch);
    work.postings += answer.work.postings;
    work.candidates += answer.work.candidates;
    work.verified += answer.work.verified;
    index.insert(i, terms);
    if (i == 100 || i == 400) index.start_epoch();
  }
  EXPECT_LT(work.postings * 5, all);
  EXPECT_LT(work.verified * 5, work.candidates);
}

TEST(MwoIndexTest, AnEpochIsDueWhenTheIndexHasDoubled) {
  MwoParameters parameters = unlimited(500);
  parameters.epoch_documents = 4;
  MwoIndex index(1, parameters);
  uint64_t id = 0;
  const auto insert = [&](int count) {
    for (int i = 0; i < count; ++i)
      index.insert(++id, shares({{id, 1}}));
  };
  insert(3);
  EXPECT_FALSE(index.epoch_due());
  insert(3);
  EXPECT_TRUE(index.epoch_due());
  index.start_epoch();
  EXPECT_FALSE(index.epoch_due());
  insert(5);
  EXPECT_FALSE(index.epoch_due());
  insert(1);
  EXPECT_TRUE(index.epoch_due());
}

TEST(MwoIndexTest, RefusesWhatItCannotIndexAndCountsIt) {
  MwoParameters parameters = unlimited(500);
  parameters.bytes = 8000;
  MwoIndex index(1, parameters);
  EXPECT_FALSE(index.insert(1, {}).indexed);
  EXPECT_TRUE(index.insert(1, shares({{1, 1}})).indexed);
  EXPECT_FALSE(index.insert(1, shares({{2, 1}})).indexed);
  Weights large;
  for (uint64_t i = 0; i < 100; ++i)
    large[i] = 1;
  EXPECT_FALSE(index.insert(2, shares(large)).indexed);
  EXPECT_EQ(index.counts().refused, 3U);
  EXPECT_EQ(index.counts().documents, 1U);
  EXPECT_FALSE(index.contains(2));
}

TEST(MwoIndexTest, TheOldestMakeRoomWithinTheBudget) {
  MwoParameters parameters = unlimited(500);
  parameters.bytes = 10000;
  MwoIndex index(1, parameters);
  MwoScratch scratch;
  uint64_t evicted = 0;
  for (uint64_t id = 1; id <= 500; ++id) {
    evicted += index.insert(id, shares({{id, 1}, {1000 + id % 7, 1}})).evicted;
    ASSERT_LE(index.content_bytes(), parameters.bytes);
    if (id % 50 == 0) index.start_epoch();
  }
  EXPECT_EQ(index.counts().evicted, evicted);
  EXPECT_EQ(index.counts().documents + evicted, 500U);
  EXPECT_TRUE(index.contains(500));
  EXPECT_FALSE(index.contains(500 - index.counts().documents));
  EXPECT_TRUE(index.contains(501 - index.counts().documents));
  EXPECT_TRUE(index.find(shares({{3, 1}}), scratch).matches.empty());
}

// A thousand copies of one page: what a search does and returns is bounded, and it says so.
TEST(MwoIndexTest, LimitsCutAFloodAndTellIt) {
  MwoParameters parameters;
  parameters.postings = 200;
  parameters.steps = 0;
  parameters.matches = 10;
  const Terms page = shares({{1, 1}, {2, 1}, {3, 1}, {4, 1}});
  const auto flooded = [&](const MwoParameters& limits) {
    auto index = std::make_unique<MwoIndex>(1, limits);
    for (uint64_t id = 1; id <= 1000; ++id)
      index->insert(id, page);
    return index;
  };
  MwoScratch scratch;
  MwoMatches answer = flooded(parameters)->find(page, scratch);
  EXPECT_EQ(answer.work.postings, 200U);
  EXPECT_TRUE(answer.limited);
  EXPECT_TRUE(answer.more);
  ASSERT_EQ(answer.matches.size(), 10U);
  EXPECT_EQ(answer.matches[0].id, 801U);  // the newest two hundred were read, of them the oldest
  parameters.postings = 0;
  parameters.steps = 80;  // ten pairs
  answer = flooded(parameters)->find(page, scratch);
  EXPECT_TRUE(answer.limited);
  EXPECT_FALSE(answer.more);
  EXPECT_EQ(answer.work.verified, 10U);
  EXPECT_EQ(answer.work.candidates, 1000U);
  parameters.steps = 0;
  answer = flooded(parameters)->find(page, scratch);
  EXPECT_FALSE(answer.limited);
  EXPECT_TRUE(answer.more);
}

TEST(MwoIndexTest, ManySearchesAtOnce) {
  sample::Random random(6);
  MwoIndex index(1, unlimited(400));
  std::vector<Terms> pages;
  std::vector<Weights> seen;
  for (uint64_t i = 0; i < 200; ++i) {
    seen.push_back(random.next(seen, 300, 60));
    pages.push_back(shares(seen.back()));
    index.insert(i, pages.back());
  }
  index.start_epoch();
  const auto find_all = [&] {
    MwoScratch scratch;
    std::vector<MwoOracle::Match> all;
    for (const Terms& page : pages) {
      for (const MwoOracle::Match& match : matches_of(index.find(page, scratch)))
        all.push_back(match);
    }
    return all;
  };
  const std::vector<MwoOracle::Match> alone = find_all();
  std::atomic<int> equal = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] { equal += find_all() == alone; });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(equal, 4);
}

}  // namespace
}  // namespace nd::mwo
