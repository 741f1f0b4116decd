// The spot index against brute force under random changes, with every limit.
#include "spotsigs/spot_index.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

#include "unit/spotsigs/join_oracle.hpp"
#include "unit/spotsigs/spot_index_oracle.hpp"
#include "unit/spotsigs/spot_index_sample.hpp"
#include "unit/spotsigs/spot_sample.hpp"

namespace nd::spotsigs {
namespace {

using oracle::SpotIndexOracle;
using sample::matches_of;
using sample::packed;
using sample::Spots;
using sample::StoredSpotIndex;

SpotIndexParameters unlimited(uint32_t tau, IdfBand band = {0, 1000}) {
  SpotIndexParameters parameters;
  parameters.tau = tau;
  parameters.band = band;
  parameters.frequent_documents = 4;
  parameters.postings = 0;
  parameters.candidates = 0;
  parameters.steps = 0;
  return parameters;
}

// A random interleaving of insertions, removals, epochs, probes and snapshots.
void compare_with_brute_force(uint64_t seed, uint32_t tau, IdfBand band, uint64_t vocabulary) {
  sample::Random random(seed);
  const SpotIndexParameters parameters = unlimited(tau, band);
  StoredSpotIndex index(seed, parameters);
  SpotIndexOracle oracle(tau, band, parameters.frequent_documents);
  SpotProbeScratch scratch(1);
  std::vector<Spots> seen;
  uint64_t last_id = 0;
  uint64_t found = 0;
  for (int step = 0; step < 400; ++step) {
    const uint64_t action = random.below(100);
    if (action < 40 || seen.empty()) {
      seen.push_back(random.next(seen, vocabulary, 80));
      const uint64_t id = 3 * ++last_id;
      EXPECT_TRUE(index->insert(id, packed(seen.back())).indexed);
      oracle.insert(id, packed(seen.back()));
    } else if (action < 55 && !oracle.order().empty()) {
      const uint64_t id = oracle.order()[random.below(oracle.order().size())];
      EXPECT_TRUE(index->remove(id));
      EXPECT_TRUE(oracle.remove(id));
      EXPECT_FALSE(index->remove(id));
    } else if (action < 57) {
      index->start_epoch();
      oracle.start_epoch();
      ASSERT_EQ(index->counts().dropped, oracle.dropped());
    } else if (action < 62) {
      ASSERT_TRUE(random.below(6) == 0 ? index.reopen() : index.step());
    } else {
      const Vector<PackedSpot> asked = packed(random.next(seen, vocabulary, 80));
      const SpotMatches answer = index->probe(asked, scratch);
      ASSERT_EQ(matches_of(answer), oracle.probe(asked)) << seed << ' ' << step;
      ASSERT_FALSE(answer.limited);
      ASSERT_GE(answer.work.touched, answer.work.computed);
      ASSERT_GE(answer.work.computed, answer.matches.size());
      found += answer.matches.size();
    }
    ASSERT_EQ(index->counts().documents, oracle.order().size());
  }
  EXPECT_GT(found, tau < 1000 ? 20U : 1U) << tau;
}

TEST(SpotIndexTest, EqualsBruteForceUnderRandomChanges) {
  uint64_t seed = 0;
  for (const uint32_t tau : {1U, 200U, 440U, 700U, 800U, 900U, 1000U}) {
    compare_with_brute_force(++seed, tau, {0, 1000}, 3000);
    compare_with_brute_force(++seed, tau, {0, 1000}, 50);
  }
}

TEST(SpotIndexTest, EqualsBruteForceWithTheFrequenciesOfTheEpoch) {
  uint64_t seed = 100;
  for (const uint32_t tau : {200U, 440U, 800U, 1000U}) {
    for (const IdfBand band : {IdfBand{200, 1000}, kGoldSetBand, kWebBand}) {
      ++seed;
      compare_with_brute_force(seed, tau, band, seed % 2 == 0 ? 2000 : 100);
    }
  }
}

TEST(SpotIndexTest, TheExampleOfTheSlides) {
  SpotIndex index(1, unlimited(800));
  SpotProbeScratch scratch(1);
  index.insert(2, packed({{1, 8}, {2, 4}}));
  index.insert(3, packed({{1, 4}, {2, 5}, {3, 5}}));
  const SpotMatches answer = index.probe(packed({{1, 5}, {2, 4}, {3, 4}}), scratch);
  EXPECT_EQ(matches_of(answer), (std::vector<SpotIndexOracle::Match>{{3, 12, 15}}));
  // s3 alone is looked up: after it, 13 - 4 is less than .8 * 13.
  EXPECT_EQ(answer.work.touched, 1U);
  EXPECT_EQ(answer.work.computed, 1U);
}

TEST(SpotIndexTest, TouchesFarLessThanAllLists) {
  sample::Random random(8);
  const std::vector<Spots> documents = random.collection(1500, 30000, 300);
  SpotIndex index(3, unlimited(800));
  SpotProbeScratch scratch(1);
  uint64_t all = 0, touched = 0, skipped = 0, computed = 0;
  std::map<uint64_t, uint64_t> frequencies;
  for (size_t i = 0; i < documents.size(); ++i) {
    for (const Spot& spot : documents[i])
      all += frequencies[spot.hash]++;
    const SpotMatches answer = index.probe(packed(documents[i]), scratch);
    touched += answer.work.touched;
    skipped += answer.work.skipped;
    computed += answer.work.computed;
    index.insert(i + 1, packed(documents[i]));
  }
  EXPECT_LT((touched + skipped) * 10, all);
  EXPECT_GT(skipped, 0U);
  EXPECT_LT(computed * 4, documents.size() * documents.size() / 2);
}

TEST(SpotIndexTest, BestFirstAndOlderFirstAmongEquals) {
  SpotIndexParameters parameters = unlimited(500);
  parameters.candidates = 3;
  SpotIndex index(1, parameters);
  SpotProbeScratch scratch(1);
  const Vector<PackedSpot> page = packed({{1, 1}, {2, 1}, {3, 1}, {4, 1}});
  index.insert(40, packed({{1, 1}, {2, 1}}));
  index.insert(30, packed({{2, 2}, {3, 1}, {4, 1}}));
  index.insert(20, packed({{1, 1}, {2, 1}, {4, 1}}));
  index.insert(10, packed({{1, 1}, {2, 1}, {3, 1}}));
  SpotMatches answer = index.probe(page, scratch);
  EXPECT_EQ(matches_of(answer), (std::vector<SpotIndexOracle::Match>{{20, 3, 4}, {10, 3, 4}, {30, 3, 5}}));
  EXPECT_TRUE(answer.more);
  EXPECT_FALSE(answer.limited) << "nothing was missed: the best are returned";
  index.remove(20);
  index.insert(20, packed({{1, 1}, {2, 1}, {4, 1}}));
  index.remove(40);
  answer = index.probe(page, scratch);
  EXPECT_EQ(matches_of(answer), (std::vector<SpotIndexOracle::Match>{{10, 3, 4}, {20, 3, 4}, {30, 3, 5}}));
  EXPECT_FALSE(answer.more);
  EXPECT_FALSE(answer.limited);
}

TEST(SpotIndexTest, TheLimitOfPostingsLooksAtTheRarestFirst) {
  SpotIndexParameters parameters = unlimited(100);
  parameters.postings = 5;
  SpotIndex index(1, parameters);
  SpotProbeScratch scratch(1);
  for (uint64_t id = 0; id < 100; ++id)
    index.insert(id, packed({{1, 1}, {1000 + id, 1}}));
  const SpotMatches answer = index.probe(packed({{1, 1}, {1042, 1}}), scratch);
  EXPECT_TRUE(answer.limited);
  EXPECT_FALSE(answer.more);
  EXPECT_EQ(answer.work.touched, 5U);
  ASSERT_FALSE(answer.matches.empty());
  EXPECT_EQ(answer.matches[0].id, 42U);
  EXPECT_EQ(answer.matches[0].overlap.shared, 2U);
}

TEST(SpotIndexTest, UnderALimitTheNewestAreLookedAt) {
  SpotIndexParameters parameters = unlimited(100);
  parameters.postings = 2;
  SpotProbeScratch scratch(1);
  SpotIndex index(1, parameters);
  for (uint64_t i = 0; i < 50; ++i)
    index.insert(100 - i, packed({{1, 1}, {1000 + i, 1}}));
  const SpotMatches answer = index.probe(packed({{1, 1}}), scratch);
  EXPECT_TRUE(answer.limited);
  EXPECT_EQ(matches_of(answer), (std::vector<SpotIndexOracle::Match>{{52, 1, 2}, {51, 1, 2}}));
}

// Documents that are too short are passed over, which costs little, but not nothing.
TEST(SpotIndexTest, ShortDocumentsSpendTheLimitSlowly) {
  SpotIndexParameters parameters = unlimited(500);
  parameters.postings = 2;
  SpotProbeScratch scratch(1);
  const Vector<PackedSpot> page = packed({{1, 1}, {2, 9}});
  for (const uint64_t short_documents : {10U, 1000U}) {
    SpotIndex index(1, parameters);
    index.insert(1, page);
    for (uint64_t i = 0; i < short_documents; ++i)
      index.insert(10 + i, packed({{1, 1}, {2, 1}}));
    const SpotMatches answer = index.probe(page, scratch);
    EXPECT_EQ(answer.matches.size(), short_documents == 10 ? 1U : 0U);
    EXPECT_EQ(answer.limited, short_documents == 1000);
    EXPECT_LT(answer.work.skipped, 200U);
  }
}

TEST(SpotIndexTest, VeryLongDocumentsAreFound) {
  std::map<uint64_t, uint32_t> counts;
  for (uint64_t i = 0; i < 400; ++i)
    counts[i * 1000] = 255;  // 102,000 in all: more than a posting can express
  SpotIndex index(1, unlimited(900));
  SpotProbeScratch scratch(1);
  index.insert(1, packed(counts));
  counts.erase(1000);
  index.insert(2, packed(counts));
  const SpotMatches answer = index.probe(packed(counts), scratch);
  EXPECT_EQ(matches_of(answer),
            (std::vector<SpotIndexOracle::Match>{{2, 399 * 255, 399 * 255}, {1, 399 * 255, 400 * 255}}));
  EXPECT_TRUE(index.remove(1));
  EXPECT_EQ(index.counts().signatures, 399U);
}

TEST(SpotIndexTest, TheLimitOfStepsBoundsTheReading) {
  constexpr uint32_t kSignatures = 500;
  constexpr uint64_t kSteps = 10000;
  const SpotIndexParameters parameters = unlimited(100);
  SpotIndexParameters bounded = parameters;
  bounded.steps = kSteps;
  SpotIndex all(1, parameters), some(1, bounded);
  std::map<uint64_t, uint32_t> forged;
  for (uint64_t i = 0; i < kSignatures; ++i)
    forged[mix(i) >> 8] = 1;
  for (uint64_t id = 0; id < 200; ++id) {
    all.insert(id, packed(forged));
    some.insert(id, packed(forged));
  }
  SpotProbeScratch scratch(1);
  const SpotMatches exact = all.probe(packed(forged), scratch);
  EXPECT_FALSE(exact.limited);
  EXPECT_EQ(exact.matches.size(), 200U);
  EXPECT_EQ(exact.work.steps, 200U * 2 * kSignatures);
  const SpotMatches cut = some.probe(packed(forged), scratch);
  EXPECT_TRUE(cut.limited);
  EXPECT_GE(cut.work.steps, kSteps);
  EXPECT_LT(cut.work.steps, kSteps + 2 * kSignatures);
  EXPECT_EQ(cut.matches.size(), kSteps / (2 * kSignatures));
  EXPECT_EQ(cut.work.computed, cut.matches.size());
}

// A similarity that cannot reach the threshold any more is not read to its end.
TEST(SpotIndexTest, HopelessSimilaritiesEndEarly) {
  SpotIndex index(1, unlimited(900));
  SpotProbeScratch scratch(1);
  std::map<uint64_t, uint32_t> asked, begins_alike, rest;
  for (uint64_t i = 0; i < 1000; ++i) {
    const bool shared = i < 150;
    asked[2 * i + 10] = 1;
    begins_alike[2 * i + (shared ? 10 : 11)] = 1;
    if (!shared) rest[2 * i + 10] = 1;
  }
  index.insert(1, packed(begins_alike));
  index.insert(2, packed(asked));
  // So that what is shared is the rarest, and the search ends before the lists show that the rest is not.
  index.insert(3, packed(rest));
  index.insert(4, packed(rest));
  const SpotMatches answer = index.probe(packed(asked), scratch);
  EXPECT_EQ(answer.work.computed, 2U);
  ASSERT_EQ(answer.matches.size(), 1U);
  EXPECT_EQ(answer.matches[0].id, 2U);
  EXPECT_LT(answer.work.steps, 2000U + 600U);
}

// The lists rule out a document before its signatures are read.
TEST(SpotIndexTest, DocumentsThatShareTooLittleAreNotRead) {
  constexpr uint32_t kTau = 500;
  SpotIndex index(1, unlimited(kTau));
  SpotProbeScratch scratch(1);
  std::map<uint64_t, uint32_t> asked;
  for (uint64_t i = 0; i < 100; ++i)
    asked[i] = 1;
  index.insert(1, packed(asked));
  // Each shares one signature, in a list that is read.
  for (uint64_t id = 2; id < 40; ++id) {
    std::map<uint64_t, uint32_t> other{{id, 1}};
    for (uint64_t i = 1; i < 100; ++i)
      other[id * 1000 + i] = 1;
    index.insert(id, packed(other));
  }
  // The lists say of it that it shares 50 of the 51 that it must; it is read, and shares as many.
  std::map<uint64_t, uint32_t> half;
  for (uint64_t i = 50; i < 150; ++i)
    half[i] = 1;
  index.insert(40, packed(half));
  const SpotMatches answer = index.probe(packed(asked), scratch);
  EXPECT_EQ(matches_of(answer), (std::vector<SpotIndexOracle::Match>{{1, 100, 100}}));
  EXPECT_GE(answer.work.touched, 38U);
  EXPECT_LE(answer.work.computed, 2U);
}

TEST(SpotIndexTest, AnswersDependNeitherOnTheSecretNorOnLayers) {
  SpotIndexParameters parameters = unlimited(300, {200, 850});
  parameters.postings = 40;
  parameters.candidates = 4;
  parameters.steps = 3000;
  parameters.epoch_documents = 100;
  parameters.bytes = 400000;
  std::vector<std::unique_ptr<StoredSpotIndex>> indexes;
  for (const uint64_t seed : {1U, 2U, 3U, 4U})
    indexes.push_back(std::make_unique<StoredSpotIndex>(seed, parameters));
  SpotProbeScratch scratch(1);
  sample::Random random(21);
  std::vector<Spots> documents;
  uint64_t limited = 0, more = 0;
  for (uint64_t id = 1; id <= 2000; ++id) {
    documents.push_back(random.next(documents, 20000, 60));
    const Vector<PackedSpot> asked = packed(random.next(documents, 20000, 60));
    const uint64_t removed = random.below(4) == 0 ? 1 + random.below(id) : 0;
    std::vector<SpotIndexOracle::Match> expected;
    SpotMatches first;
    for (size_t i = 0; i < indexes.size(); ++i) {
      SpotIndex& index = **indexes[i];
      index.remove(removed);
      index.insert(id, packed(documents.back()));
      if (index.epoch_due()) index.start_epoch();
      const SpotMatches answer = index.probe(asked, scratch);
      if (i == 0) {
        expected = matches_of(answer);
        first = answer;
        limited += answer.limited;
        more += answer.more;
      }
      const SpotIndexCounts counts = index.counts();
      const SpotIndexCounts first_counts = (**indexes.front()).counts();
      ASSERT_EQ(matches_of(answer), expected) << id;
      ASSERT_EQ(answer.limited, first.limited);
      ASSERT_EQ(answer.more, first.more);
      ASSERT_EQ(answer.work.touched, first.work.touched);
      ASSERT_EQ(answer.work.steps, first.work.steps);
      ASSERT_EQ(index.content_bytes(), (**indexes.front()).content_bytes());
      ASSERT_EQ(counts.documents, first_counts.documents);
      ASSERT_EQ(counts.signatures, first_counts.signatures);
      ASSERT_EQ(counts.evicted, first_counts.evicted) << id;
      ASSERT_EQ(counts.epoch, first_counts.epoch);
      ASSERT_EQ(counts.dropped, first_counts.dropped);
      // The first never sees a snapshot, the second often, the last is closed and opened as well.
      if (i > 0 && id % (7 * i) == 0) {
        ASSERT_TRUE(indexes[i]->step());
      }
      if (i == 3 && id % 150 == 0) {
        ASSERT_TRUE(indexes[i]->reopen());
      }
    }
  }
  EXPECT_GT((**indexes.front()).counts().evicted, 100U);
  EXPECT_GT((**indexes.front()).counts().epoch, 2U);
  EXPECT_GT((**indexes.front()).counts().dropped, 2U);
  EXPECT_GT(limited, 100U);
  EXPECT_GT(more, 10U);
}

TEST(SpotIndexTest, RefusesWhatItCannotHold) {
  SpotIndex index(1, unlimited(500));
  SpotProbeScratch scratch(1);
  EXPECT_FALSE(index.insert(1, {}).indexed);
  EXPECT_EQ(index.memory_bytes(), 0U);
  EXPECT_TRUE(index.insert(1, packed({{1, 255}})).indexed);
  EXPECT_FALSE(index.insert(1, packed({{2, 1}})).indexed);
  EXPECT_TRUE(index.insert(UINT64_MAX, packed({{1, 254}})).indexed);
  EXPECT_TRUE(index.insert(0, packed({{1, 253}})).indexed);
  EXPECT_EQ(index.counts().refused, 2U);
  EXPECT_EQ(index.counts().documents, 3U);
  EXPECT_EQ(index.probe(packed({{1, 255}}), scratch).matches.size(), 3U);
  EXPECT_TRUE(index.probe({}, scratch).matches.empty());

  SpotIndexState state = index.state();
  state.last_sequence = SpotIndex::kGreatestSequence - 1;
  index.restore(state);
  EXPECT_TRUE(index.insert(5, packed({{1, 250}})).indexed);
  EXPECT_FALSE(index.insert(6, packed({{1, 250}})).indexed);
  EXPECT_EQ(index.probe(packed({{1, 255}}), scratch).matches.size(), 4U);
}

TEST(SpotIndexTest, EpochsAreDueWhenAsManyHaveCome) {
  SpotIndexParameters parameters = unlimited(500);
  parameters.epoch_documents = 10;
  SpotIndex index(1, parameters);
  std::vector<uint64_t> epochs;
  for (uint64_t id = 1; id <= 100; ++id) {
    index.insert(id, packed({{id, 1}}));
    if (!index.epoch_due()) continue;
    index.start_epoch();
    epochs.push_back(id);
  }
  EXPECT_EQ(epochs, (std::vector<uint64_t>{10, 20, 40, 80}));
  EXPECT_EQ(index.counts().epoch, 4U);
  EXPECT_EQ(index.counts().epoch_documents, 80U);
}

// Signatures that the epoch leaves out stay left out until the next one, whatever is added or removed.
TEST(SpotIndexTest, WhatAnEpochLeavesOutIsDecidedAnewByTheNext) {
  SpotIndex index(1, unlimited(1000, {200, 1000}));
  SpotProbeScratch scratch(1);
  for (uint64_t id = 0; id < 20; ++id)
    index.insert(id, packed({{7, 1}, {100 + id, 1}}));
  index.start_epoch();
  EXPECT_EQ(index.counts().dropped, 1U);
  for (uint64_t id = 0; id < 20; ++id)
    index.remove(id);
  EXPECT_EQ(index.counts().signatures, 0U);
  index.insert(1, packed({{7, 5}, {8, 1}}));
  EXPECT_EQ(index.counts().dropped, 1U);
  EXPECT_EQ(index.probe(packed({{8, 1}}), scratch).matches.size(), 1U);
  index.start_epoch();
  EXPECT_EQ(index.counts().dropped, 0U);
  EXPECT_EQ(index.probe(packed({{8, 1}}), scratch).matches.size(), 0U);
  EXPECT_EQ(index.probe(packed({{7, 5}, {8, 1}}), scratch).matches.size(), 1U);
}

TEST(SpotIndexTest, SignaturesOfFewDocumentsAreNeverTooFrequent) {
  SpotIndexParameters parameters = unlimited(1000, {900, 1000});
  parameters.frequent_documents = 10;
  SpotIndex index(1, parameters);
  for (uint64_t id = 0; id < 10; ++id)
    index.insert(id, id < 9 ? packed({{7, 1}, {8, 1}}) : packed({{8, 1}}));
  index.start_epoch();
  EXPECT_EQ(index.counts().dropped, 1U);
  index.remove(9);
  index.start_epoch();
  EXPECT_EQ(index.counts().dropped, 0U);
}

TEST(SpotIndexTest, ProbesRunInParallel) {
  sample::Random random(77);
  const std::vector<Spots> documents = random.collection(400, 500, 100);
  SpotIndex index(5, unlimited(440));
  for (size_t i = 0; i < documents.size(); ++i)
    index.insert(i + 1, packed(documents[i]));
  std::vector<std::vector<SpotIndexOracle::Match>> expected;
  SpotProbeScratch scratch(1);
  for (const Spots& document : documents)
    expected.push_back(matches_of(index.probe(packed(document), scratch)));
  std::vector<std::thread> threads;
  std::vector<size_t> wrong(4);
  for (size_t number = 0; number < wrong.size(); ++number) {
    threads.emplace_back([&, number] {
      SpotProbeScratch own(1);
      for (size_t i = 0; i < documents.size(); ++i)
        wrong[number] += matches_of(index.probe(packed(documents[i]), own)) != expected[i];
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(wrong, std::vector<size_t>(4, 0));
}

}  // namespace
}  // namespace nd::spotsigs
