// SpotIndex::post(): what it leaves to the insertion that follows, and what probes see meanwhile.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

#include "core/update_lock.hpp"
#include "unit/spotsigs/spot_index_sample.hpp"
#include "unit/spotsigs/spot_sample.hpp"

namespace nd::spotsigs {
namespace {

using sample::matches_of;
using sample::packed;
using sample::Spots;
using sample::StoredSpotIndex;

SpotIndexParameters unlimited() {
  SpotIndexParameters parameters;
  parameters.band = {0, 900};
  parameters.frequent_documents = 4;
  parameters.postings = 0;
  parameters.candidates = 0;
  parameters.steps = 0;
  return parameters;
}

// Two indexes, of which one posts what it inserts, and occasionally takes it back before.
void insert_the_same(uint64_t seed, const SpotIndexParameters& parameters) {
  sample::Random random(seed);
  StoredSpotIndex alone(seed, parameters);
  StoredSpotIndex posted(seed + 1, parameters);
  SpotProbeScratch scratch(1);
  std::vector<Spots> seen;
  for (uint64_t id = 1; id <= 500; ++id) {
    seen.push_back(random.next(seen, 300, 80));
    const Vector<PackedSpot> spots = packed(seen.back());
    for (uint64_t times = random.below(3); times > 0; --times) {
      posted->post(id, spots);
      posted->unpost();
      posted->release_replaced();
    }
    posted->post(id, spots);
    const SpotIndex::Inserted expected = alone->insert(id, spots);
    const SpotIndex::Inserted inserted = posted->insert(id, spots);
    posted->release_replaced();
    ASSERT_EQ(inserted.indexed, expected.indexed);
    ASSERT_EQ(inserted.evicted, expected.evicted) << id;
    ASSERT_EQ(posted->content_bytes(), alone->content_bytes());
    if (random.below(4) == 0) {
      const uint64_t gone = 1 + random.below(id);
      ASSERT_EQ(posted->remove(gone), alone->remove(gone));
    }
    if (random.below(50) == 0) {
      alone->start_epoch();
      posted->start_epoch();
      ASSERT_EQ(posted->counts().dropped, alone->counts().dropped);
    }
    if (random.below(8) == 0) {
      ASSERT_TRUE(posted.step());
    }
    const Vector<PackedSpot> asked = packed(seen[random.below(seen.size())]);
    const auto matches = matches_of(alone->probe(asked, scratch));
    ASSERT_EQ(matches_of(posted->probe(asked, scratch)), matches);
  }
  EXPECT_EQ(posted->counts().signatures, alone->counts().signatures);
  EXPECT_EQ(posted->counts().evicted, alone->counts().evicted);
}

TEST(SpotIndexConcurrentTest, APostedDocumentIsInsertedAsOthersAre) {
  for (uint64_t seed = 1; seed <= 4; ++seed)
    insert_the_same(seed, unlimited());
}

// Posted signatures count once; otherwise they would evict documents that may stay.
TEST(SpotIndexConcurrentTest, APostedDocumentDrivesOutNoMoreThanOthersDo) {
  SpotIndexParameters parameters = unlimited();
  parameters.bytes = 40'000;
  for (uint64_t seed = 5; seed <= 8; ++seed)
    insert_the_same(seed, parameters);
}

TEST(SpotIndexConcurrentTest, AnotherDocumentTakesBackTheOneThatWasPosted) {
  SpotIndex index(1, unlimited());
  const Vector<PackedSpot> spots = packed(Spots{{1, 1}, {2, 1}, {3, 2}});
  index.post(7, spots);
  EXPECT_TRUE(index.insert(8, spots).indexed);
  SpotProbeScratch scratch(1);
  const auto matches = matches_of(index.probe(spots, scratch));
  ASSERT_EQ(matches.size(), 1U);
  EXPECT_EQ(matches[0].id, 8U);
  EXPECT_EQ(index.content_bytes(), [&] {
    SpotIndex other(2, unlimited());
    other.insert(8, spots);
    return other.content_bytes();
  }());
}

// A probe finds all documents that existed when it began, and none that does not exist.
TEST(SpotIndexConcurrentTest, ProbesBesidePostsFindWhatStands) {
  constexpr uint64_t kDocuments = 1'500;
  sample::Random random(11);
  std::vector<Vector<PackedSpot>> documents;
  std::vector<Spots> seen;
  for (uint64_t i = 0; i < kDocuments; ++i) {
    seen.push_back(random.next(seen, 2'000, 60));
    documents.push_back(packed(seen.back()));
  }
  SpotIndexParameters parameters = unlimited();
  parameters.band = kOpenBand;
  SpotIndex index(3, parameters);
  UpdateLock lock;
  std::atomic<bool> is_done{false};
  std::atomic<uint64_t> standing{0};
  std::vector<std::thread> readers;
  for (uint64_t reader = 0; reader < 3; ++reader) {
    readers.emplace_back([&, reader] {
      sample::Random own(reader);
      SpotProbeScratch scratch(1);
      while (!is_done) {
        const std::shared_lock reading(lock);
        const uint64_t count = standing.load(std::memory_order_acquire);
        const uint64_t id = 1 + own.below(count + 1);
        if (id > kDocuments) continue;
        const auto matches = matches_of(index.probe(documents[id - 1], scratch));
        const bool is_found = std::ranges::any_of(matches, [&](const auto& match) { return match.id == id; });
        ASSERT_EQ(is_found, id <= count) << id;
        ASSERT_TRUE(std::ranges::all_of(matches, [&](const auto& match) { return match.id <= count; }));
        ASSERT_GE(index.content_bytes(), 64 * count);
        ASSERT_GE(index.memory_bytes(), 0U);
      }
    });
  }
  for (uint64_t id = 1; id <= kDocuments; ++id) {
    const std::unique_lock updating(lock);
    index.post(id, documents[id - 1]);
    if (id % 7 == 0) {
      {
        const UpdateLock::Change alone(lock);
        index.unpost();
      }
      index.release_replaced();
      index.post(id, documents[id - 1]);
    }
    {
      const UpdateLock::Change alone(lock);
      EXPECT_TRUE(index.insert(id, documents[id - 1]).indexed);
      standing.store(id, std::memory_order_release);
    }
    index.release_replaced();
  }
  is_done = true;
  for (std::thread& reader : readers)
    reader.join();
}

}  // namespace
}  // namespace nd::spotsigs
