#include "spotsigs/spot_index.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "unit/spotsigs/join_oracle.hpp"
#include "unit/spotsigs/spot_index_oracle.hpp"
#include "unit/spotsigs/spot_sample.hpp"

namespace nd::spotsigs {
namespace {

using oracle::SpotIndexOracle;
using sample::Spots;
using sample::spots;

SpotIndexParameters unlimited(uint32_t tau, IdfBand band = {0, 1000}) {
  SpotIndexParameters parameters;
  parameters.tau = tau;
  parameters.band = band;
  parameters.postings = 0;
  parameters.candidates = 0;
  return parameters;
}

std::vector<SpotIndexOracle::Match> matches_of(const SpotMatches& answer) {
  std::vector<SpotIndexOracle::Match> matches;
  for (const SpotMatch& match : answer.matches)
    matches.push_back({match.slot, match.overlap.shared, match.overlap.united});
  return matches;
}

// A random interleaving of insertions, removals, epochs and probes.
void compare_with_brute_force(uint64_t seed, uint32_t tau, IdfBand band, uint64_t vocabulary) {
  sample::Random random(seed);
  SpotIndex index(seed * 7, unlimited(tau, band));
  SpotIndexOracle oracle(tau, band);
  SpotProbeScratch scratch;
  std::vector<Spots> seen;
  std::vector<uint32_t> free_slots;
  uint32_t slots = 0;
  uint64_t found = 0;
  for (int step = 0; step < 400; ++step) {
    const uint64_t action = random.below(100);
    if (action < 45 || seen.empty()) {
      seen.push_back(random.next(seen, vocabulary, 80));
      const bool reuses = !free_slots.empty() && random.below(2) == 0;
      const uint32_t slot = reuses ? free_slots.back() : slots++ * 3;
      if (reuses) free_slots.pop_back();
      EXPECT_TRUE(index.insert(slot, seen.back()).indexed);
      oracle.insert(slot, seen.back());
    } else if (action < 60 && !oracle.order().empty()) {
      const uint32_t slot = oracle.order()[random.below(oracle.order().size())];
      EXPECT_TRUE(index.remove(slot));
      EXPECT_TRUE(oracle.remove(slot));
      EXPECT_FALSE(index.remove(slot));
      free_slots.push_back(slot);
    } else if (action < 62) {
      sample::whole_epoch(index);
      oracle.start_epoch();
      ASSERT_EQ(index.counts().dropped, oracle.dropped());
    } else {
      const Spots asked = random.next(seen, vocabulary, 80);
      const SpotMatches answer = index.probe(asked, scratch);
      ASSERT_EQ(matches_of(answer), oracle.probe(asked)) << seed << ' ' << step;
      ASSERT_FALSE(answer.limited);
      ASSERT_GE(answer.work.touched, answer.work.computed);
      ASSERT_GE(answer.work.computed, answer.matches.size());
      found += answer.matches.size();
    }
    ASSERT_EQ(index.counts().documents, oracle.order().size());
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
  SpotProbeScratch scratch;
  index.insert(2, spots({{1, 8}, {2, 4}}));
  index.insert(3, spots({{1, 4}, {2, 5}, {3, 5}}));
  const SpotMatches answer = index.probe(spots({{1, 5}, {2, 4}, {3, 4}}), scratch);
  EXPECT_EQ(matches_of(answer), (std::vector<SpotIndexOracle::Match>{{3, 12, 15}}));
  // s3 alone is looked up: after it, 13 - 4 is less than .8 * 13.
  EXPECT_EQ(answer.work.touched, 1U);
  EXPECT_EQ(answer.work.computed, 1U);
}

TEST(SpotIndexTest, TouchesFarLessThanAllLists) {
  sample::Random random(8);
  const std::vector<Spots> documents = random.collection(1500, 30000, 300);
  SpotIndex index(3, unlimited(800));
  SpotProbeScratch scratch;
  uint64_t all = 0, touched = 0, computed = 0;
  std::map<uint64_t, uint64_t> frequencies;
  for (uint32_t slot = 0; slot < documents.size(); ++slot) {
    for (const Spot& spot : documents[slot])
      all += frequencies[spot.hash]++;
    const SpotMatches answer = index.probe(documents[slot], scratch);
    touched += answer.work.touched;
    computed += answer.work.computed;
    index.insert(slot, documents[slot]);
  }
  EXPECT_LT(touched * 10, all);
  EXPECT_LT(computed * 2, documents.size() * documents.size() / 2);
}

TEST(SpotIndexTest, BestFirstAndOlderFirstAmongEquals) {
  SpotIndexParameters parameters = unlimited(500);
  parameters.candidates = 3;
  SpotIndex index(1, parameters);
  SpotProbeScratch scratch;
  const Spots page = spots({{1, 1}, {2, 1}, {3, 1}, {4, 1}});
  index.insert(40, spots({{1, 1}, {2, 1}}));
  index.insert(30, spots({{2, 2}, {3, 1}, {4, 1}}));
  index.insert(20, spots({{1, 1}, {2, 1}, {4, 1}}));
  index.insert(10, spots({{1, 1}, {2, 1}, {3, 1}}));
  SpotMatches answer = index.probe(page, scratch);
  EXPECT_EQ(matches_of(answer), (std::vector<SpotIndexOracle::Match>{{20, 3, 4}, {10, 3, 4}, {30, 3, 5}}));
  EXPECT_TRUE(answer.more);
  EXPECT_FALSE(answer.limited) << "nothing was missed: the best are returned";
  index.remove(20);
  index.insert(20, spots({{1, 1}, {2, 1}, {4, 1}}));
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
  SpotProbeScratch scratch;
  for (uint32_t slot = 0; slot < 100; ++slot)
    index.insert(slot, spots({{1, 1}, {1000 + slot, 1}}));
  const Spots page = spots({{1, 1}, {1042, 1}});
  const SpotMatches answer = index.probe(page, scratch);
  EXPECT_TRUE(answer.limited);
  EXPECT_FALSE(answer.more);
  EXPECT_EQ(answer.work.touched, 5U);
  ASSERT_FALSE(answer.matches.empty());
  EXPECT_EQ(answer.matches[0].slot, 42U);
  EXPECT_EQ(answer.matches[0].overlap.shared, 2U);
}

// What a caller must know who wants the same answers from the same pages: of equal lengths, slots decide.
TEST(SpotIndexTest, UnderALimitTheLowestSlotsAreLookedAt) {
  SpotIndexParameters parameters = unlimited(100);
  parameters.postings = 2;
  SpotProbeScratch scratch;
  for (const bool ascending : {true, false}) {
    SpotIndex index(1, parameters);
    for (uint32_t i = 0; i < 50; ++i) {
      const uint32_t slot = ascending ? i : 49 - i;
      index.insert(slot, spots({{1, 1}, {1000 + slot, 1}}));
    }
    const SpotMatches answer = index.probe(spots({{1, 1}}), scratch);
    EXPECT_TRUE(answer.limited);
    ASSERT_EQ(answer.matches.size(), 2U);
    EXPECT_EQ(answer.matches[0].slot + answer.matches[1].slot, 1U) << "whichever is older";
  }
}

TEST(SpotIndexTest, TheLimitOfStepsBoundsTheReading) {
  constexpr uint32_t kSignatures = 500;
  constexpr uint64_t kSteps = 10000;
  SpotIndexParameters parameters = unlimited(100);
  SpotIndexParameters bounded = parameters;
  bounded.steps = kSteps;
  parameters.steps = 0;
  SpotIndex all(1, parameters), some(1, bounded);
  std::map<uint64_t, uint32_t> forged;
  for (uint64_t i = 0; i < kSignatures; ++i)
    forged[mix(i)] = 1;
  for (uint32_t slot = 0; slot < 200; ++slot) {
    all.insert(slot, spots(forged));
    some.insert(slot, spots(forged));
  }
  SpotProbeScratch scratch;
  const SpotMatches exact = all.probe(spots(forged), scratch);
  EXPECT_FALSE(exact.limited);
  EXPECT_EQ(exact.matches.size(), 200U);
  EXPECT_EQ(exact.work.steps, 200U * 2 * kSignatures);
  const SpotMatches cut = some.probe(spots(forged), scratch);
  EXPECT_TRUE(cut.limited);
  EXPECT_GE(cut.work.steps, kSteps);
  EXPECT_LT(cut.work.steps, kSteps + 2 * kSignatures);
  EXPECT_EQ(cut.matches.size(), kSteps / (2 * kSignatures));
  EXPECT_EQ(cut.work.computed, cut.matches.size());
}

// A similarity that cannot reach the threshold any more is not read to its end.
TEST(SpotIndexTest, HopelessSimilaritiesEndEarly) {
  SpotIndex index(1, unlimited(900));
  SpotProbeScratch scratch;
  std::map<uint64_t, uint32_t> left, right;
  for (uint64_t i = 0; i < 1000; ++i) {
    left[2 * i + 10] = 1;
    right[2 * i + 11] = 1;
  }
  index.insert(2, spots(left));  // what only the probing page has would be looked up first
  left[1] = right[1] = 1;
  index.insert(1, spots(right));
  const SpotMatches answer = index.probe(spots(left), scratch);
  EXPECT_EQ(answer.work.computed, 2U);
  ASSERT_EQ(answer.matches.size(), 1U);
  EXPECT_EQ(answer.matches[0].slot, 2U);
  EXPECT_LT(answer.work.steps, 2001U + 300U);
}

TEST(SpotIndexTest, AnswersDoNotDependOnTheSecret) {
  SpotIndexParameters parameters = unlimited(300, {200, 850});
  parameters.postings = 40;
  parameters.candidates = 4;
  parameters.steps = 3000;
  parameters.epoch_documents = 100;
  parameters.bytes = 400000;
  constexpr uint64_t kSecrets[] = {1, 0xfeedfacecafebeef, 3, 4};
  std::vector<Owned<SpotIndex>> indexes;
  for (const uint64_t secret : kSecrets)
    indexes.push_back(make_owned<SpotIndex>(secret, parameters));
  SpotProbeScratch scratch;
  sample::Random random(21);
  std::vector<Spots> documents;
  uint64_t limited = 0, more = 0;
  for (uint32_t slot = 0; slot < 2000; ++slot) {
    documents.push_back(random.next(documents, 20000, 60));
    const Spots asked = random.next(documents, 20000, 60);
    std::vector<SpotIndexOracle::Match> expected;
    SpotMatches first;
    for (const Owned<SpotIndex>& index : indexes) {
      index->insert(slot, documents.back());
      if (index->epoch_due()) index->start_epoch();
      const SpotMatches answer = index->probe(asked, scratch);
      if (index == indexes.front()) {
        expected = matches_of(answer);
        first = answer;
        limited += answer.limited;
        more += answer.more;
      }
      ASSERT_EQ(matches_of(answer), expected) << slot;
      ASSERT_EQ(answer.limited, first.limited);
      ASSERT_EQ(answer.more, first.more);
      ASSERT_EQ(answer.work.touched, first.work.touched);
      ASSERT_EQ(answer.work.steps, first.work.steps);
      ASSERT_EQ(index->budget_bytes(), indexes.front()->budget_bytes());
      ASSERT_EQ(index->counts().evicted, indexes.front()->counts().evicted) << slot;
      ASSERT_EQ(index->counts().epoch, indexes.front()->counts().epoch);
      ASSERT_EQ(index->counts().dropped, indexes.front()->counts().dropped);
    }
  }
  EXPECT_GT(indexes.front()->counts().evicted, 100U);
  EXPECT_GT(indexes.front()->counts().epoch, 2U);
  EXPECT_GT(limited, 100U);
  EXPECT_GT(more, 10U);
}

TEST(SpotIndexTest, RefusesWhatItCannotHold) {
  SpotIndex index(1, unlimited(500));
  SpotProbeScratch scratch;
  EXPECT_FALSE(index.insert(1, {}).indexed);
  EXPECT_FALSE(index.insert(SpotIndex::kGreatestSlot + 1, spots({{1, 1}})).indexed);
  EXPECT_FALSE(index.insert(1, spots({{1, UINT32_MAX}, {2, 1}})).indexed);
  EXPECT_EQ(index.memory_bytes(), 0U);
  EXPECT_TRUE(index.insert(1, spots({{1, UINT32_MAX}})).indexed);
  EXPECT_FALSE(index.insert(1, spots({{2, 1}})).indexed);
  EXPECT_TRUE(index.insert(SpotIndex::kGreatestSlot, spots({{1, UINT32_MAX - 1}})).indexed);
  EXPECT_EQ(index.counts().refused, 4U);
  EXPECT_EQ(index.counts().documents, 2U);

  EXPECT_EQ(index.probe(spots({{1, UINT32_MAX}}), scratch).matches.size(), 2U);
  EXPECT_TRUE(index.probe({}, scratch).matches.empty());
  const SpotMatches too_long = index.probe(spots({{1, UINT32_MAX}, {2, 1}}), scratch);
  EXPECT_TRUE(too_long.limited);
  EXPECT_TRUE(too_long.matches.empty());
}

TEST(SpotIndexTest, EpochsAreDueWhenAsManyHaveCome) {
  SpotIndexParameters parameters = unlimited(500);
  parameters.epoch_documents = 10;
  SpotIndex index(1, parameters);
  std::vector<uint32_t> epochs;
  for (uint32_t slot = 0; slot < 100; ++slot) {
    index.insert(slot, spots({{slot, 1}}));
    if (!index.epoch_due()) continue;
    index.start_epoch();
    epochs.push_back(slot + 1);
  }
  EXPECT_EQ(epochs, (std::vector<uint32_t>{10, 20, 40, 80}));
  EXPECT_EQ(index.counts().epoch, 4U);
  EXPECT_EQ(index.counts().epoch_documents, 80U);
}

// What the epoch leaves out stays left out while a document has it, and is then forgotten.
TEST(SpotIndexTest, AnEpochIsForgottenWithTheLastDocument) {
  SpotIndex index(1, unlimited(1000, {200, 1000}));
  SpotProbeScratch scratch;
  for (uint32_t slot = 0; slot < 20; ++slot)
    index.insert(slot, spots({{7, 1}, {100 + slot, 1}}));
  sample::whole_epoch(index);
  EXPECT_EQ(index.counts().dropped, 1U);
  for (uint32_t slot = 1; slot < 20; ++slot)
    index.remove(slot);
  index.insert(1, spots({{7, 5}, {8, 1}}));
  EXPECT_EQ(index.probe(spots({{8, 1}}), scratch).matches.size(), 1U);
  EXPECT_EQ(index.counts().dropped, 1U);
  index.remove(0);
  index.remove(1);
  EXPECT_EQ(index.counts().signatures, 0U);
  EXPECT_EQ(index.counts().dropped, 0U);
  index.insert(1, spots({{7, 5}, {8, 1}}));
  EXPECT_EQ(index.counts().signatures, 2U);
  EXPECT_EQ(index.probe(spots({{8, 1}}), scratch).matches.size(), 0U);
  EXPECT_EQ(index.probe(spots({{7, 5}, {8, 1}}), scratch).matches.size(), 1U);
}

// One step after the other, with changes between them: from the moment on at which the pass has decided,
// which the number of signatures left out tells, answers are those of brute force, while the lists are still
// sorted by other lengths.
TEST(SpotIndexTest, AnswersAreExactWhileAnEpochRuns) {
  for (const uint32_t tau : {100U, 440U, 800U}) {
    const IdfBand band{300, 1000};
    SpotIndex index(1, unlimited(tau, band));
    SpotIndexOracle oracle(tau, band);
    SpotProbeScratch scratch;
    sample::Random random(tau);
    std::vector<Spots> seen;
    uint32_t slots = 0;
    const auto insert = [&] {
      seen.push_back(random.next(seen, 2000, 80));
      index.insert(slots, seen.back());
      oracle.insert(slots++, seen.back());
    };
    while (slots < 600)
      insert();
    oracle.start_epoch();
    index.start_epoch();
    while (index.counts().dropped < oracle.dropped())
      ASSERT_TRUE(index.advance_epoch(1));
    uint64_t compared = 0, found = 0;
    while (index.advance_epoch(20)) {
      if (compared % 4 == 0) insert();
      if (compared % 4 == 1) {
        const uint32_t slot = oracle.order()[random.below(oracle.order().size())];
        ASSERT_TRUE(index.remove(slot));
        oracle.remove(slot);
      }
      const Spots asked = random.next(seen, 2000, 80);
      const SpotMatches answer = index.probe(asked, scratch);
      ASSERT_EQ(matches_of(answer), oracle.probe(asked)) << tau << ' ' << compared;
      found += answer.matches.size();
      ++compared;
    }
    EXPECT_GT(oracle.dropped(), 3U);
    EXPECT_GT(compared, 20U);
    EXPECT_GT(found, 20U);
  }
}

// The insertions carry a pass to its end, and no one of them does much of it.
TEST(SpotIndexTest, InsertionsCarryAnEpochOn) {
  SpotIndex index(1, unlimited(500, {300, 1000}));
  sample::Random random(6);
  const std::vector<Spots> documents = random.collection(3000, 20000, 80);
  for (uint32_t slot = 0; slot < documents.size(); ++slot)
    index.insert(slot, documents[slot]);
  index.start_epoch();
  EXPECT_EQ(index.counts().dropped, 0U) << "nothing is decided in the call";
  uint32_t insertions = 0;
  for (uint32_t slot = 3000; slot < 6000 && index.advance_epoch(0); ++slot, ++insertions)
    index.insert(slot, documents[slot - 3000]);
  EXPECT_GT(insertions, 10U);
  EXPECT_LT(insertions, 1000U);
  EXPECT_GT(index.counts().dropped, 0U);
}

TEST(SpotIndexTest, ProbesRunInParallel) {
  sample::Random random(77);
  const std::vector<Spots> documents = random.collection(400, 500, 100);
  SpotIndex index(5, unlimited(440));
  for (uint32_t slot = 0; slot < documents.size(); ++slot)
    index.insert(slot, documents[slot]);
  std::vector<std::vector<SpotIndexOracle::Match>> expected;
  SpotProbeScratch scratch;
  for (const Spots& document : documents)
    expected.push_back(matches_of(index.probe(document, scratch)));
  std::vector<std::thread> threads;
  std::vector<size_t> wrong(4);
  for (size_t number = 0; number < wrong.size(); ++number) {
    threads.emplace_back([&, number] {
      SpotProbeScratch own;
      for (size_t i = 0; i < documents.size(); ++i)
        wrong[number] += matches_of(index.probe(documents[i], own)) != expected[i];
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(wrong, std::vector<size_t>(4, 0));
}

}  // namespace
}  // namespace nd::spotsigs
