// The Hamming index against brute force, with and without tables.
#include "moz/hamming_index.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "unit/moz/hamming_oracle.hpp"
#include "unit/moz/moz_sample.hpp"

namespace nd::moz {
namespace {

using oracle::HammingOracle;
using oracle::Match;
using sample::Random;

std::vector<Match> matches_of(const HammingMatches& found) {
  std::vector<Match> made;
  for (const HammingMatch& match : found.matches)
    made.emplace_back(match.distance, match.sequence, match.id);
  return made;
}

HammingParameters exact(uint32_t distance) {
  HammingParameters parameters;
  parameters.distance = distance;
  parameters.matches = 0;
  return parameters;
}

// Most new hashes are near one that is there, so that there is something to find at every distance.
template <typename Hash>
Hash next_hash(const HammingOracle<Hash>& oracle, uint32_t distance, Random& random) {
  Hash hash;
  random.make(hash);
  if (oracle.size() == 0 || random.below(4) == 0) return hash;
  auto near = oracle.hashes().lower_bound(random.below(oracle.hashes().rbegin()->first + 1));
  const auto bits = static_cast<uint32_t>(random.below(distance + 3));
  return sample::at_distance(near->second.second, std::min<uint32_t>(bits, sizeof(Hash) * 8), random);
}

template <typename Hash>
void expect_exact(uint32_t distance, uint32_t tables, uint64_t steps) {
  Random random(distance + 100);
  HammingIndex<Hash> index(random.number(), exact(distance));
  HammingIndex<Hash> other(random.number(), exact(distance));
  HammingOracle<Hash> oracle;
  HammingScratch scratch;
  EXPECT_EQ(index.counts().tables, tables);
  uint64_t found = 0;
  for (uint64_t step = 0; step < steps; ++step) {
    // It grows, shrinks to a few, and grows again.
    const bool shrinks = step * 3 / steps == 1;
    const uint64_t id = random.below(steps);
    if (random.below(10) < (shrinks ? 9 : 2)) {
      const auto victim = oracle.hashes().lower_bound(id);
      const uint64_t leaving = victim == oracle.hashes().end() ? id : victim->first;
      const bool is_there = oracle.remove(leaving);
      ASSERT_EQ(index.remove(leaving), is_there);
      ASSERT_EQ(other.remove(leaving), is_there);
      ASSERT_FALSE(index.contains(leaving));
    } else {
      const Hash hash = next_hash(oracle, distance, random);
      const bool is_new = oracle.insert(id, hash);
      ASSERT_EQ(index.insert(id, hash), is_new);
      ASSERT_EQ(other.insert(id, hash), is_new);
      ASSERT_TRUE(index.contains(id));
    }
    if (step % 7 != 0) continue;
    const Hash query = next_hash(oracle, distance, random);
    for (const uint32_t most : {distance, static_cast<uint32_t>(random.below(distance + 1)), distance + 5}) {
      const std::vector<Match> expected = oracle.find(query, std::min(most, distance));
      const HammingMatches matches = index.find(query, most, scratch);
      ASSERT_EQ(matches_of(matches), expected) << step << " at " << most;
      ASSERT_EQ(matches.cut, 0U);
      ASSERT_FALSE(matches.limited);
      ASSERT_EQ(matches_of(other.find(query, most, scratch)), expected);
      found += expected.size();
    }
  }
  EXPECT_GT(found, steps / 8);
  EXPECT_EQ(index.counts().documents, oracle.size());
  for (uint64_t id = 0; id < steps; ++id)
    index.remove(id);
  EXPECT_EQ(index.counts().documents, 0U);
  EXPECT_EQ(index.counts().hashes, 0U);
  EXPECT_EQ(index.content_bytes(), 0U);
}

TEST(HammingIndexTest, EqualsBruteForceOn64Bits) {
  for (const uint32_t distance : {0U, 1U, 2U, 3U, 5U, 6U, 7U})
    expect_exact<uint64_t>(distance, distance + 1, 6000);
}

TEST(HammingIndexTest, EqualsBruteForceOn64BitsWithoutTables) {
  for (const uint32_t distance : {8U, 20U, 63U, 64U, 1000U})
    expect_exact<uint64_t>(distance, 0, 1500);
}

TEST(HammingIndexTest, EqualsBruteForceOn128Bits) {
  for (const uint32_t distance : {0U, 3U, 5U, 15U})
    expect_exact<Hash128>(distance, distance + 1, 3000);
  for (const uint32_t distance : {16U, kSimhash128Distance, 127U, 128U})
    expect_exact<Hash128>(distance, 0, 1500);
}

// Enough of them that the buckets were doubled several times and a search reads a small part.
TEST(HammingIndexTest, EqualsBruteForceOnManyAndLooksAtFew) {
  constexpr uint64_t kHashes = 60000;
  Random random(3);
  HammingIndex<uint64_t> index(9, exact(kSimhash64Distance));
  HammingOracle<uint64_t> oracle;
  HammingScratch scratch;
  for (uint64_t id = 0; id < kHashes; ++id) {
    const uint64_t hash =
        id % 3 != 0
            ? random.number()
            : sample::at_distance(oracle.hashes().empty() ? 0 : oracle.hashes().at(random.below(id)).second,
                                  static_cast<uint32_t>(random.below(8)), random);
    ASSERT_TRUE(index.insert(id, hash));
    oracle.insert(id, hash);
  }
  uint64_t comparisons = 0;
  for (uint64_t query = 0; query < 300; ++query) {
    const uint64_t hash =
        sample::at_distance(oracle.hashes().at(query * 151).second, static_cast<uint32_t>(query % 8), random);
    const HammingMatches found = index.find(hash, kSimhash64Distance, scratch);
    ASSERT_EQ(matches_of(found), oracle.find(hash, kSimhash64Distance));
    comparisons += found.comparisons;
  }
  EXPECT_LT(comparisons / 300, kHashes / 50);
}

TEST(HammingIndexTest, EmptyFindsNothing) {
  HammingScratch scratch;
  HammingIndex<uint64_t> index(1, {});
  EXPECT_TRUE(index.find(0, 5, scratch).matches.empty());
  EXPECT_FALSE(index.remove(0));
  EXPECT_EQ(index.counts().tables, 6U);
  HammingIndex<Hash128> wide(1, exact(kSimhash128Distance));
  EXPECT_TRUE(wide.find({}, kSimhash128Distance, scratch).matches.empty());
}

TEST(HammingIndexTest, AnIdIsInUseOnce) {
  HammingScratch scratch;
  HammingIndex<uint64_t> index(1, {});
  EXPECT_TRUE(index.insert(UINT64_MAX, 1));
  EXPECT_FALSE(index.insert(UINT64_MAX, 2));
  EXPECT_EQ(index.counts().refused, 0U);
  EXPECT_EQ(index.find(1, 0, scratch).matches.size(), 1U);
  EXPECT_TRUE(index.find(2, 0, scratch).matches.empty());
}

// The nearest, and among equals the oldest; what is left out is counted.
TEST(HammingIndexTest, TheBestAreReturned) {
  Random random(4);
  HammingParameters parameters;
  HammingScratch scratch;
  for (const uint32_t limit : {1U, 2U, 7U, 64U}) {
    parameters.matches = limit;
    HammingIndex<uint64_t> index(limit, parameters);
    HammingOracle<uint64_t> all;
    std::vector<uint64_t> centres{random.number(), random.number()};
    for (uint64_t id = 0; id < 1200; ++id) {
      // Several documents have each hash.
      const uint64_t hash =
          mix(random.below(60)) % 3 == 0
              ? centres[id % 2]
              : sample::at_distance(centres[id % 2], static_cast<uint32_t>(random.below(6)), random);
      index.insert(id, hash);
      all.insert(id, hash);
      if (id % 5 == 0) {
        const uint64_t leaving = random.below(id + 1);
        EXPECT_EQ(index.remove(leaving), all.remove(leaving));
      }
      std::vector<Match> expected = all.find(hash, 5);
      const size_t everything = expected.size();
      expected.resize(std::min<size_t>(everything, limit));
      const HammingMatches found = index.find(hash, 5, scratch);
      ASSERT_EQ(matches_of(found), expected);
      ASSERT_EQ(found.cut, everything - expected.size());
    }
  }
}

// A site with one text on all its pages. If insertion or removal went through them, this would take hours.
TEST(HammingIndexTest, EqualHashesCostNothing) {
  constexpr uint64_t kPages = 400000;
  HammingIndex<uint64_t> index(5, {});
  HammingScratch scratch;
  for (uint64_t id = 0; id < kPages; ++id) {
    ASSERT_TRUE(index.insert(id, 0x1234));
    if (id % 256 != 0) continue;
    const HammingMatches found = index.find(0x1235, 5, scratch);
    ASSERT_EQ(found.comparisons, 1U);
    ASSERT_LE(found.owners, HammingParameters{}.matches + 1U);
    ASSERT_EQ(found.matches.size() + found.cut, id + 1);
  }
  EXPECT_EQ(index.counts().hashes, 1U);
  // From the middle, the newest and the oldest end.
  for (uint64_t i = 0; i < kPages; ++i)
    ASSERT_TRUE(index.remove((i + kPages / 2) % kPages));
  EXPECT_TRUE(index.find(0x1234, 5, scratch).matches.empty());
}

// Hashes that differ in the same few bits share most blocks: a search sees each at most once a table and not
// more than there are; insertion and removal do not look at the others.
TEST(HammingIndexTest, HashesThatAreAllAlike) {
  constexpr uint64_t kPages = 1 << 16;
  HammingParameters parameters;
  HammingIndex<uint64_t> index(6, parameters);
  parameters.comparisons = 1000;
  HammingIndex<uint64_t> limited(6, parameters);
  HammingScratch scratch;
  for (uint64_t id = 0; id < kPages; ++id) {
    ASSERT_TRUE(index.insert(id, id << 20));
    ASSERT_TRUE(limited.insert(id, id << 20));
  }
  uint64_t expected = 0;
  for (uint64_t id = 0; id < kPages; ++id)
    expected += distance(id, 0) <= 5;
  const HammingMatches all = index.find(0, 5, scratch);
  EXPECT_EQ(all.matches.size() + all.cut, expected);
  EXPECT_LE(all.comparisons, kPages);
  EXPECT_FALSE(all.limited);
  EXPECT_EQ(all.matches[0].id, 0U);
  const HammingMatches some = limited.find(0, 5, scratch);
  EXPECT_TRUE(some.limited);
  EXPECT_EQ(some.comparisons, 1000U);
  EXPECT_LE(some.matches.size() + some.cut, 1000U);
  for (uint64_t id = 0; id < kPages; ++id)
    ASSERT_TRUE(index.remove(id));
  EXPECT_EQ(index.counts().hashes, 0U);
}

TEST(HammingIndexTest, TheBudgetRefusesAndCounts) {
  HammingParameters parameters;
  parameters.bytes = 20000;
  HammingIndex<uint64_t> index(7, parameters);
  Random random(8);
  std::vector<uint64_t> hashes;
  while (index.insert(hashes.size(), random.number()))
    hashes.push_back(0);
  EXPECT_GT(hashes.size(), 50U);
  EXPECT_LE(index.content_bytes(), parameters.bytes);
  EXPECT_EQ(index.counts().refused, 1U);
  EXPECT_FALSE(index.contains(hashes.size()));
  EXPECT_TRUE(index.remove(0));
  EXPECT_TRUE(index.insert(hashes.size(), random.number()));
  EXPECT_FALSE(index.insert(hashes.size() + 1, random.number()));
  EXPECT_EQ(index.counts().refused, 2U);
}

}  // namespace
}  // namespace nd::moz
