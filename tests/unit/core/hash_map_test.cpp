// The map of numbers against an ordered one, with every key allowed and failing memory.
#include "core/hash_map.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "unit/spotsigs/counted_memory.hpp"

namespace nd {
namespace {

TEST(HashMapTest, EmptyFindsAndErasesNothing) {
  HashMap<uint64_t> map(1);
  EXPECT_EQ(map.find(0), 0U);
  EXPECT_EQ(map.erase(0), 0U);
  EXPECT_EQ(map.size(), 0U);
  EXPECT_EQ(map.memory_bytes(), 0U);
}

// Two numbers of which one may be zero.
struct Pair {
  uint32_t first;
  uint32_t second;
  bool operator==(const Pair&) const = default;
};

TEST(HashMapTest, ValuesAreChangedInPlace) {
  HashMap<Pair> map(1);
  EXPECT_EQ(map.entry(5), nullptr);
  EXPECT_EQ(map[5], Pair());
  map[5].second = 7;
  EXPECT_EQ(map.find(5), (Pair{0, 7}));
  map.entry(5)->first = 3;
  const HashMap<Pair> copy = map;
  EXPECT_EQ(map.erase(5), (Pair{3, 7}));
  EXPECT_EQ(map.entry(5), nullptr);
  ASSERT_NE(copy.entry(5), nullptr);
  EXPECT_EQ(*copy.entry(5), (Pair{3, 7}));
}

TEST(HashMapTest, EveryKeyIsAllowed) {
  HashMap<uint64_t> map(0);
  const uint64_t keys[] = {0, 1, UINT64_MAX, UINT64_MAX - 1, uint64_t{1} << 63};
  for (const uint64_t key : keys)
    map.put(key, key == 0 ? UINT64_MAX : key);
  for (const uint64_t key : keys)
    EXPECT_EQ(map.find(key), key == 0 ? UINT64_MAX : key);
  EXPECT_EQ(map.erase(0), UINT64_MAX);
  EXPECT_EQ(map.find(0), 0U);
  EXPECT_EQ(map.find(UINT64_MAX), UINT64_MAX);
  EXPECT_EQ(map.size(), 4U);
}

// Few keys in a small table, so that runs are long, wrap round the end and lose their middle.
TEST(HashMapTest, EqualsAnOrderedMapUnderRandomChanges) {
  for (uint64_t secret = 0; secret < 20; ++secret) {
    std::mt19937_64 random(secret);
    HashMap<uint64_t> map(secret);
    std::map<uint64_t, uint64_t> oracle;
    const uint64_t keys = secret % 2 == 0 ? 20 : 3000;
    for (uint64_t step = 1; step < 5000; ++step) {
      const uint64_t key = random() % keys - 10;
      if (random() % 5 < 3) {
        map.put(key, step);
        oracle[key] = step;
      } else {
        const auto held = oracle.find(key);
        ASSERT_EQ(map.erase(key), held == oracle.end() ? 0 : held->second);
        oracle.erase(key);
      }
      ASSERT_EQ(map.size(), oracle.size());
      const uint64_t asked = random() % keys - 10;
      const auto expected = oracle.find(asked);
      ASSERT_EQ(map.find(asked), expected == oracle.end() ? 0 : expected->second);
    }
    std::map<uint64_t, uint64_t> visited;
    map.for_each([&](uint64_t key, uint64_t value) { EXPECT_TRUE(visited.emplace(key, value).second); });
    EXPECT_EQ(visited, oracle);
  }
}

TEST(HashMapTest, ReservedInsertionsDoNotAllocate) {
  spotsigs::sample::CountedMemory memory;
  HashMap<uint64_t> map(3);
  for (uint64_t round = 1; round < 60; ++round) {
    map.reserve_more(round);
    memory.fail_after(0, true);
    for (uint64_t i = 0; i < round; ++i)
      map.put(round * 1000 + i, 1);
    EXPECT_FALSE(memory.stop_failing()) << round;
    EXPECT_EQ(map.memory_bytes(), memory.held_bytes());
  }
}

// Sixteen slots at first, of which one stays free.
TEST(HashMapTest, AFailedInsertionChangesNothingAndReplacingNeverFails) {
  spotsigs::sample::CountedMemory memory;
  HashMap<uint64_t> map(3);
  memory.fail_after(0, true);
  EXPECT_THROW(map.put(1, 1), std::bad_alloc);
  memory.stop_failing();
  for (uint64_t key = 0; key < 12; ++key)
    map.put(key, key + 1);
  memory.fail_after(0, true);
  for (uint64_t key = 0; key < 12; ++key)
    map.put(key, key + 2);
  EXPECT_FALSE(memory.stop_failing());
  memory.fail_after(0, true);
  for (uint64_t key = 12; key < 15; ++key)
    map.put(key, key + 2);  // it cannot grow, but there is room
  EXPECT_THROW(map.put(15, 1), std::bad_alloc);
  map.put(3, 5);
  EXPECT_TRUE(memory.stop_failing());
  EXPECT_EQ(map.size(), 15U);
  EXPECT_EQ(map.find(15), 0U);
  for (uint64_t key = 0; key < 15; ++key)
    EXPECT_EQ(map.find(key), key + 2);
}

TEST(HashMapTest, SwappedMapsKeepTheirContent) {
  HashMap<uint64_t> one(1);
  HashMap<uint64_t> other(2);
  for (uint64_t key = 0; key < 100; ++key)
    one.put(key, key + 1);
  one.swap(other);
  EXPECT_EQ(one.size(), 0U);
  EXPECT_EQ(one.find(5), 0U);
  EXPECT_EQ(other.size(), 100U);
  EXPECT_EQ(other.find(5), 6U);
}

// mix() is public: without a secret anybody could write keys for one place of a table.
uint64_t unmixed(uint64_t value) {
  value ^= value >> 33;
  value *= 0x9cb4b2f8129337dbULL;
  value ^= value >> 33;
  value *= 0x4f74430c22a54005ULL;
  return value ^ value >> 33;
}

TEST(HashMapTest, KeysThatCollideWithoutASecretDoNotWithOne) {
  constexpr uint64_t kKeys = 4000;
  const auto probes = [](uint64_t secret, const auto& key_of) {
    HashMap<uint64_t> map(secret);
    for (uint64_t i = 0; i < kKeys; ++i)
      map.put(key_of(i), i + 1);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < kKeys; ++i)
      sum += map.probe_count(key_of(i));
    return sum;
  };
  const auto colliding = [](uint64_t i) { return unmixed(i << 32); };
  ASSERT_EQ(mix(colliding(77)), uint64_t{77} << 32);
  EXPECT_GT(probes(0, colliding), kKeys * kKeys / 4) << "the keys do collide";
  std::mt19937_64 random(17);
  const uint64_t by_chance = probes(0, [](uint64_t i) { return unmixed(mix(i + 1)); });
  for (int round = 0; round < 20; ++round)
    EXPECT_LE(probes(random(), colliding), by_chance + by_chance / 2);
}

}  // namespace
}  // namespace nd
