#include <gtest/gtest.h>

#include <algorithm>
#include <new>
#include <vector>

#include "spotsigs/spot_index.hpp"
#include "unit/spotsigs/counted_memory.hpp"
#include "unit/spotsigs/spot_index_oracle.hpp"
#include "unit/spotsigs/spot_sample.hpp"

namespace nd::spotsigs {
namespace {

using oracle::SpotIndexOracle;
using sample::CountedMemory;
using sample::Spots;
using sample::spots;

SpotIndexParameters parameters(uint64_t bytes) {
  SpotIndexParameters made;
  made.bytes = bytes;
  made.postings = 0;
  made.candidates = 0;
  made.band = {300, 900};
  return made;
}

std::vector<SpotIndexOracle::Match> matches_of(const SpotMatches& answer) {
  std::vector<SpotIndexOracle::Match> matches;
  for (const SpotMatch& match : answer.matches)
    matches.push_back({match.slot, match.overlap.shared, match.overlap.united});
  return matches;
}

// One document of 40 signatures, three of which are in every document.
Spots numbered(uint64_t number) {
  std::map<uint64_t, uint32_t> counts{{1, 2}, {2, 1}, {3, 300}};
  for (uint64_t i = 0; i < 37; ++i)
    counts[mix(number * 37 + i)] = 1;
  return spots(counts);
}

TEST(SpotIndexMemoryTest, IsCountedExactly) {
  CountedMemory memory;
  {
    sample::Random random(4);
    std::vector<Spots> documents = random.collection(700, 400, 80);
    const uint64_t samples = memory.held_bytes();
    SpotIndex index(1, parameters(0));
    for (uint32_t slot = 0; slot < documents.size(); ++slot) {
      index.insert(slot, documents[slot]);
      if (slot % 9 == 0) index.remove(static_cast<uint32_t>(random.below(slot + 1)));
      if (slot % 200 == 199) index.start_epoch();
      ASSERT_EQ(index.memory_bytes(), memory.held_bytes() - samples) << slot;
      ASSERT_LE(index.memory_bytes(), index.budget_bytes());
    }
    for (uint32_t slot = 0; slot < documents.size(); ++slot)
      index.remove(slot);
    sample::whole_epoch(index);
    EXPECT_EQ(index.memory_bytes(), memory.held_bytes() - samples);
    // The directories of pages stay, and the pages of lists.
    EXPECT_LT(index.memory_bytes(), 40000U);
  }
  EXPECT_EQ(memory.held_bytes(), 0U);
}

TEST(SpotIndexMemoryTest, TheOldestMakeRoom) {
  constexpr uint64_t kBudget = 500000;
  SpotIndex index(1, parameters(kBudget));
  SpotProbeScratch scratch;
  std::vector<uint32_t> order;
  uint64_t evicted = 0;
  size_t fewest = SIZE_MAX;
  for (uint32_t number = 0; number < 3000; ++number) {
    const uint32_t slot = number % 1000;
    const SpotIndex::Inserted inserted = index.insert(slot, numbered(number));
    ASSERT_TRUE(inserted.indexed);
    order.push_back(slot);
    order.erase(order.begin(), order.begin() + inserted.evicted);
    evicted += inserted.evicted;
    ASSERT_LE(index.memory_bytes(), index.budget_bytes());
    ASSERT_LE(index.budget_bytes(), kBudget);
    ASSERT_EQ(index.counts().documents, order.size());
    ASSERT_TRUE(index.contains(order.front()));
    if (number == 1500) {
      for (const uint32_t held : order)
        ASSERT_TRUE(index.contains(held));
    }
    if (number > 1000) fewest = std::min(fewest, order.size());
  }
  EXPECT_EQ(index.counts().evicted, evicted);
  EXPECT_GT(evicted, 2000U);
  // Memory given up is used again: the index stays as full as it was, give or take a page of its tables.
  EXPECT_GT(fewest * 5, order.size() * 4);
  EXPECT_EQ(index.probe(numbered(2999), scratch).matches[0].slot, 999U);
}

TEST(SpotIndexMemoryTest, ALargeDocumentDoesNotEmptyTheIndex) {
  SpotIndex index(1, parameters(500000));
  index.insert(0, numbered(0));
  std::map<uint64_t, uint32_t> many;
  for (uint64_t i = 0; i < 5000; ++i)
    many[mix(i)] = 1;
  EXPECT_FALSE(index.insert(1, spots(many)).indexed);
  EXPECT_EQ(index.counts().refused, 1U);
  EXPECT_TRUE(index.contains(0));
}

TEST(SpotIndexMemoryTest, ABudgetThatHoldsNothing) {
  SpotIndex index(1, parameters(20000));
  const SpotIndex::Inserted inserted = index.insert(0, numbered(0));
  EXPECT_FALSE(inserted.indexed);
  EXPECT_EQ(inserted.evicted, 1U);
  EXPECT_LE(index.memory_bytes(), 20000U);
}

// Signatures of every age of a list: alone, in two documents, in a full block.
TEST(SpotIndexMemoryTest, AFailedInsertionChangesNothing) {
  CountedMemory memory;
  uint64_t failures = 0;
  {
    SpotIndex index(1, parameters(0));
    SpotIndexOracle oracle(parameters(0).tau, parameters(0).band);
    SpotProbeScratch scratch;
    sample::Random random(31);
    std::vector<Spots> documents;
    for (uint32_t slot = 0; slot < 1100; ++slot) {
      documents.push_back(numbered(slot / 2));
      const Spots& added = documents.back();
      const bool is_watched = slot < 8 || (slot >= 508 && slot < 520) || slot >= 1090;
      for (uint64_t count = 0; is_watched; ++count) {
        const SpotIndexCounts before = index.counts();
        memory.fail_after(count, count % 2 == 1);
        bool thrown = false;
        try {
          index.insert(slot, added);
        } catch (const std::bad_alloc&) {
          thrown = true;
        }
        ASSERT_EQ(memory.stop_failing(), thrown);
        if (!thrown) break;
        ++failures;
        ASSERT_EQ(index.counts().documents, before.documents);
        ASSERT_EQ(index.counts().signatures, before.signatures);
        ASSERT_FALSE(index.contains(slot));
        if (count % 5 == 0) {
          ASSERT_EQ(matches_of(index.probe(added, scratch)), oracle.probe(added)) << slot << ' ' << count;
        }
      }
      if (!is_watched) index.insert(slot, added);
      oracle.insert(slot, added);
    }
    EXPECT_EQ(matches_of(index.probe(numbered(3), scratch)), oracle.probe(numbered(3)));

    // An epoch that finds no memory goes on later.
    memory.fail_after(0, false);
    index.start_epoch();
    oracle.start_epoch();
    EXPECT_THROW(index.advance_epoch(UINT64_MAX), std::bad_alloc);
    EXPECT_TRUE(memory.stop_failing());
    EXPECT_EQ(matches_of(index.probe(numbered(3), scratch)), oracle.probe(numbered(3)));
    EXPECT_FALSE(index.advance_epoch(UINT64_MAX));
    EXPECT_EQ(matches_of(index.probe(numbered(3), scratch)), oracle.probe(numbered(3)));

    // Removal needs no memory.
    memory.fail_after(0, true);
    for (uint32_t slot = 0; slot < 1100; ++slot)
      EXPECT_TRUE(index.remove(slot));
    memory.stop_failing();
    EXPECT_EQ(index.counts().signatures, 0U);
  }
  EXPECT_GT(failures, 50U);
  EXPECT_EQ(memory.held_bytes(), 0U);
}

// Lists that could not be filled are used again.
TEST(SpotIndexMemoryTest, FailuresDoNotAddUp) {
  CountedMemory memory;
  SpotIndex index(1, parameters(0));
  const Spots page = spots({{1, 1}});
  index.insert(1, page);
  index.insert(2, page);
  index.remove(2);
  const uint64_t before = index.memory_bytes();
  for (int i = 0; i < 3000; ++i) {
    memory.fail_after(1, false);  // the vector is stored, the list finds no memory
    EXPECT_THROW(index.insert(2, page), std::bad_alloc);
    memory.stop_failing();
    ASSERT_EQ(index.memory_bytes(), before);
  }
}

}  // namespace
}  // namespace nd::spotsigs
