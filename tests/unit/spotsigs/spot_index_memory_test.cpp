// The memory of the spot index: counted exactly, bounded, and unchanged by a failure.
#include <gtest/gtest.h>

#include <algorithm>
#include <new>
#include <vector>

#include "spotsigs/spot_index.hpp"
#include "unit/spotsigs/counted_memory.hpp"
#include "unit/spotsigs/spot_index_oracle.hpp"
#include "unit/spotsigs/spot_index_sample.hpp"
#include "unit/spotsigs/spot_sample.hpp"

namespace nd::spotsigs {
namespace {

using oracle::SpotIndexOracle;
using sample::CountedMemory;
using sample::matches_of;
using sample::packed;
using sample::Spots;
using sample::StoredSpotIndex;

SpotIndexParameters parameters(uint64_t bytes) {
  SpotIndexParameters made;
  made.bytes = bytes;
  made.postings = 0;
  made.candidates = 0;
  made.band = {300, 1000};
  made.frequent_documents = 6;
  return made;
}

// One document of 40 signatures, three of which are in every document.
Vector<PackedSpot> numbered(uint64_t number) {
  std::map<uint64_t, uint32_t> counts{{1, 2}, {2, 1}, {3, 200}};
  for (uint64_t i = 0; i < 37; ++i)
    counts[mix(number * 37 + i) >> 8] = 1;
  return packed(counts);
}
constexpr uint64_t kNumberedBytes = 64 + 40 * 24;

TEST(SpotIndexMemoryTest, IsCountedExactly) {
  CountedMemory memory;
  {
    sample::Random random(4);
    std::vector<Vector<PackedSpot>> documents;
    for (const Spots& document : random.collection(700, 400, 80))
      documents.push_back(packed(document));
    const uint64_t samples = memory.held_bytes();
    SpotIndex index(1, parameters(0));
    for (uint64_t id = 0; id < documents.size(); ++id) {
      index.insert(id, documents[id]);
      if (id % 9 == 0) index.remove(random.below(id + 1));
      if (id % 200 == 199) index.start_epoch();
      ASSERT_EQ(index.memory_bytes(), memory.held_bytes() - samples) << id;
    }
    EXPECT_GT(index.counts().dropped, 0U);
    const uint64_t full = index.memory_bytes();
    for (uint64_t id = 0; id < documents.size(); ++id)
      index.remove(id);
    EXPECT_EQ(index.memory_bytes(), memory.held_bytes() - samples);
    EXPECT_EQ(index.content_bytes(), 0U);
    EXPECT_LT(index.memory_bytes(), full / 2);
  }
  EXPECT_EQ(memory.held_bytes(), 0U);
}

TEST(SpotIndexMemoryTest, TheOldestMakeRoom) {
  constexpr uint64_t kBudget = 500000;
  StoredSpotIndex index(1, parameters(kBudget));
  SpotProbeScratch scratch(1);
  std::vector<uint64_t> order;
  uint64_t evicted = 0;
  for (uint64_t number = 1; number < 3000; ++number) {
    const uint64_t id = number % 1000;
    const SpotIndex::Inserted inserted = index->insert(id, numbered(number));
    ASSERT_TRUE(inserted.indexed);
    order.push_back(id);
    order.erase(order.begin(), order.begin() + static_cast<ptrdiff_t>(inserted.evicted));
    evicted += inserted.evicted;
    ASSERT_EQ(index->content_bytes(), order.size() * kNumberedBytes);
    ASSERT_LE(index->content_bytes(), kBudget);
    ASSERT_EQ(index->counts().documents, order.size());
    ASSERT_TRUE(index->contains(order.front()));
    if (number > 1000) {
      ASSERT_EQ(order.size(), kBudget / kNumberedBytes);
    }
    if (number % 90 == 0) {
      ASSERT_TRUE(index.step());
    }
    if (number == 1500) {
      ASSERT_TRUE(index.reopen());
      for (const uint64_t held : order)
        ASSERT_TRUE(index->contains(held));
    }
  }
  EXPECT_EQ(index->counts().evicted, evicted);
  EXPECT_GT(evicted, 2000U);
  EXPECT_EQ(index->probe(numbered(2999), scratch).matches[0].id, 999U);
}

// Many documents came and went between the two oldest.
TEST(SpotIndexMemoryTest, TheOldestIsFoundBehindAnyGap) {
  for (const uint64_t gap : {100U, 1022U, 1023U, 1024U, 1025U, 5000U}) {
    SpotIndex index(1, parameters(20 * kNumberedBytes));
    for (uint64_t i = 0; i < gap; ++i) {
      index.insert(1, numbered(1));
      index.remove(1);
    }
    for (uint64_t id = 1; id <= 20; ++id)
      EXPECT_EQ(index.insert(id, numbered(id)).evicted, 0U);
    EXPECT_EQ(index.insert(21, numbered(21)).evicted, 1U);
    EXPECT_FALSE(index.contains(1)) << gap;
    EXPECT_TRUE(index.contains(2));
  }
}

TEST(SpotIndexMemoryTest, ALargeDocumentDoesNotEmptyTheIndex) {
  SpotIndex index(1, parameters(500000));
  index.insert(0, numbered(0));
  std::map<uint64_t, uint32_t> many;
  for (uint64_t i = 0; i < 5000; ++i)
    many[i] = 1;
  EXPECT_FALSE(index.insert(1, packed(many)).indexed);
  EXPECT_EQ(index.counts().refused, 1U);
  EXPECT_TRUE(index.contains(0));
}

TEST(SpotIndexMemoryTest, ABudgetThatHoldsNothing) {
  SpotIndex index(1, parameters(1000));
  EXPECT_FALSE(index.insert(0, numbered(0)).indexed);
  EXPECT_EQ(index.memory_bytes(), 0U);
}

// Signatures of one and of many documents, in memory, frozen and in runs, with documents that make room.
TEST(SpotIndexMemoryTest, AFailedInsertionChangesNothingAndAPreparedRemovalNeverFails) {
  CountedMemory memory;
  uint64_t failures = 0;
  {
    StoredSpotIndex index(3, parameters(60 * kNumberedBytes));
    SpotIndexOracle oracle(parameters(0).tau, parameters(0).band, parameters(0).frequent_documents);
    SpotProbeScratch scratch(1);
    for (uint64_t id = 1; id < 400; ++id) {
      const Vector<PackedSpot> added = numbered(id / 2);
      const bool is_watched = id % 13 < 3;
      for (uint64_t count = 0;; ++count) {
        const SpotIndexCounts before = index->counts();
        SpotIndex::Inserted inserted{};
        if (is_watched) memory.fail_after(count, count % 2 == 1);
        try {
          inserted = index->insert(id, added);
        } catch (const std::bad_alloc&) {
          memory.stop_failing();
          ++failures;
          ASSERT_EQ(index->counts().documents, before.documents);
          ASSERT_EQ(index->counts().signatures, before.signatures);
          ASSERT_FALSE(index->contains(id));
          if (count % 9 == 0) {
            ASSERT_EQ(matches_of(index->probe(added, scratch)), oracle.probe(added)) << id << ' ' << count;
          }
          continue;
        }
        memory.stop_failing();
        ASSERT_TRUE(inserted.indexed);
        for (uint64_t i = 0; i < inserted.evicted; ++i)
          oracle.remove(oracle.order().front());
        oracle.insert(id, added);
        break;
      }
      if (id % 17 == 0) {
        const uint64_t going = oracle.order()[id % oracle.order().size()];
        index->prepare_removal(going);
        memory.fail_after(0, true);
        EXPECT_TRUE(index->remove(going));
        EXPECT_FALSE(memory.stop_failing());
        oracle.remove(going);
      }
      if (id % 20 == 0) {
        ASSERT_TRUE(index.step());
      }
      if (id % 150 == 0) {
        memory.fail_after(0, true);
        EXPECT_THROW(index->start_epoch(), std::bad_alloc);
        memory.stop_failing();
        ASSERT_EQ(matches_of(index->probe(added, scratch)), oracle.probe(added));
        index->start_epoch();
        oracle.start_epoch();
        ASSERT_EQ(index->counts().dropped, oracle.dropped());
        EXPECT_GT(oracle.dropped(), 0U);
        ASSERT_TRUE(index.reopen());
      }
      ASSERT_EQ(matches_of(index->probe(added, scratch)), oracle.probe(added));
    }
  }
  EXPECT_GT(failures, 1000U);
  EXPECT_EQ(memory.held_bytes(), 0U);
}

// What no index has written: every table's runs are made up, and so is the state. Nothing is right then, but
// everything ends, and no byte is read that is not there.
TEST(SpotIndexMemoryTest, HostileTablesDoNoHarm) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    std::mt19937_64 random(seed);
    const auto small = [&] { return random() % 30; };
    SpotIndexParameters tight = parameters(20 * kNumberedBytes);
    tight.tau = 1 + static_cast<uint32_t>(random() % 1000);
    SpotIndex index(seed, tight);
    for (store::LayeredTable* table : index.tables()) {
      store::sample::MemoryRun::Entries entries;
      for (uint64_t i = 0; i < 60; ++i) {
        std::vector<uint64_t> words(random() % 5);
        for (uint64_t& word : words)
          word = random() % 2 == 0 ? small() << 16 | small() : small() << 8 | 1;
        const size_t bytes =
            random() % 4 == 0 ? std::min<size_t>(words.size() * 8, small()) : words.size() * 8;
        entries[random() % 8 == 0 ? random() : small()] = store::sample::MemoryEntry::of(
            {reinterpret_cast<const uint8_t*>(words.data()), words.empty() ? 0 : bytes});
      }
      for (uint64_t i = 0; i < 30; ++i) {
        const auto byte = static_cast<uint8_t>(1 + small());
        if (random() % 2 == 0) entries[small()] = store::sample::MemoryEntry::of({&byte, 1});
      }
      table->attach({store::sample::make_run(std::move(entries))}, random() % 100);
    }
    SpotIndexState state;
    state.last_sequence = random() % 2 == 0 ? small() : random() >> 24;
    state.oldest_sequence = 1 + random() % (state.last_sequence + 1);
    state.posting_count = random() >> random() % 64;
    state.epoch = 1;
    state.epoch_documents = random() >> random() % 64;
    index.restore(state);
    SpotProbeScratch scratch(1);
    for (int step = 0; step < 200; ++step) {
      std::map<uint64_t, uint32_t> counts;
      for (int i = 0; i < 10; ++i)
        counts[small()] = static_cast<uint32_t>(1 + small());
      const Vector<PackedSpot> spots = packed(counts);
      switch (random() % 6) {
        case 0:
          index.remove(small());
          break;
        case 1:
          index.prepare_removal(small());
          break;
        case 2:
          index.start_epoch();
          break;
        case 3:
          index.insert(small(), spots);
          break;
        default:
          for (const SpotMatch& match : index.probe(spots, scratch).matches)
            ASSERT_TRUE(match.overlap.shared <= match.overlap.united);
      }
    }
  }
}

}  // namespace
}  // namespace nd::spotsigs
