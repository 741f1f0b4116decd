// The packed map against an ordered one, how much memory it takes at each size, and readers while it grows.
#include "core/packed_number_map.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "unit/spotsigs/counted_memory.hpp"

namespace nd {
namespace {

TEST(PackedNumberMapTest, EmptyFindsAndErasesNothing) {
  PackedNumberMap map(1);
  EXPECT_EQ(map.find(0), 0U);
  EXPECT_EQ(map.erase(0), 0U);
  EXPECT_EQ(map.size(), 0U);
  EXPECT_EQ(map.memory_bytes(), 0U);
}

TEST(PackedNumberMapTest, EveryKeyAndEveryNumberIsAllowed) {
  PackedNumberMap map(0);
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

TEST(PackedNumberMapTest, HashesGiveTheirKeysBack) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 1000; ++i) {
    const uint64_t key = random();
    ASSERT_EQ(unmix(mix(key)), key);
  }
}

// A number of any width; few keys, so that runs wrap round the end and lose their middle, and many, so that
// segments are split.
TEST(PackedNumberMapTest, EqualsAnOrderedMapUnderRandomChanges) {
  for (uint64_t secret = 0; secret < 12; ++secret) {
    std::mt19937_64 random(secret);
    PackedNumberMap map(secret);
    std::map<uint64_t, uint64_t> oracle;
    const uint64_t keys[] = {20, 3000, 40000};
    const uint64_t key_count = keys[secret % 3];
    const unsigned narrowest = secret < 6 ? 0 : 40;
    for (uint64_t step = 1; step < 2 * key_count + 3000; ++step) {
      const uint64_t key = random() % key_count - 10;
      if (random() % 5 < 3) {
        const uint64_t value = (random() >> (narrowest + random() % (64 - narrowest))) | 1;
        map.put(key, value);
        oracle[key] = value;
      } else {
        const auto held = oracle.find(key);
        ASSERT_EQ(map.erase(key), held == oracle.end() ? 0 : held->second);
        oracle.erase(key);
      }
      ASSERT_EQ(map.size(), oracle.size());
      const uint64_t asked = random() % key_count - 10;
      const auto expected = oracle.find(asked);
      ASSERT_EQ(map.find(asked), expected == oracle.end() ? 0 : expected->second);
    }
    std::map<uint64_t, uint64_t> visited;
    map.for_each([&](uint64_t key, uint64_t value) { EXPECT_TRUE(visited.emplace(key, value).second); });
    EXPECT_EQ(visited, oracle);
  }
}

// At each doubling, and between: 4 to 5 bytes of a number, 6 to 8 of a hash.
TEST(PackedNumberMapTest, TakesLittleMoreThanItsSlotsAtEverySize) {
  spotsigs::sample::CountedMemory memory;
  PackedNumberMap map(5);
  uint64_t looked_at = 0;
  for (uint64_t key = 1; key <= 300'000; ++key) {
    map.put(key, key);
    if (key < 1000 || key % 1000 != 0) continue;
    ASSERT_EQ(map.memory_bytes(), memory.held_bytes());
    ASSERT_LE(map.memory_bytes(), key * 19) << key;
    ASSERT_GE(map.memory_bytes(), key * 12) << key;
    for (uint64_t absent = 0; absent < 10; ++absent)
      looked_at += map.find_counted(~(key + absent)).probes;
  }
  EXPECT_LE(looked_at, uint64_t{300} * 10 * 6) << "slots for a key that is absent";
  EXPECT_LE(map.probe_count(), uint64_t{300'000} * 40);
}

TEST(PackedNumberMapTest, ReservedInsertionsDoNotAllocate) {
  spotsigs::sample::CountedMemory memory;
  PackedNumberMap map(3);
  std::mt19937_64 random(3);
  for (uint64_t round = 1; round < 3000; ++round) {
    const uint64_t count = 1 + round % PackedNumberMap::kMostReserved;
    map.reserve_more(count);
    memory.fail_after(0, true);
    for (uint64_t i = 0; i < count; ++i)
      map.put(random(), PackedNumberMap::kGreatestNarrow);
    memory.stop_failing();
    ASSERT_EQ(map.memory_bytes(), memory.held_bytes());
  }
}

TEST(PackedNumberMapTest, AFailedInsertionChangesNothingAndReplacingByNarrowNumbersNeverFails) {
  spotsigs::sample::CountedMemory memory;
  PackedNumberMap map(3);
  memory.fail_after(0, true);
  EXPECT_THROW(map.put(1, 1), std::bad_alloc);
  memory.stop_failing();
  map.put(0, 1);
  memory.fail_after(0, true);
  uint64_t count = 1;
  for (;; ++count) {  // it cannot grow, but there is room
    try {
      map.put(count, count);
    } catch (const std::bad_alloc&) {
      break;
    }
  }
  EXPECT_EQ(count, 31U) << "of 32 slots one stays free";
  for (uint64_t key = 0; key < count; ++key) {
    EXPECT_TRUE(map.fits(key, PackedNumberMap::kGreatestNarrow));
    EXPECT_FALSE(map.fits(key, PackedNumberMap::kGreatestNarrow + 1));
    map.put(key, PackedNumberMap::kGreatestNarrow - key);
    EXPECT_THROW(map.put(key, UINT64_MAX), std::bad_alloc);
  }
  EXPECT_EQ(map.find(count), 0U);
  memory.stop_failing();
  EXPECT_EQ(map.size(), count);
  for (uint64_t key = 0; key < count; ++key)
    EXPECT_EQ(map.find(key), PackedNumberMap::kGreatestNarrow - key);
  map.put(count, UINT64_MAX);
  EXPECT_TRUE(map.fits(0, UINT64_MAX));
  EXPECT_EQ(map.find(count), UINT64_MAX);
  EXPECT_EQ(map.find(7), PackedNumberMap::kGreatestNarrow - 7);
}

TEST(PackedNumberMapTest, EachAllocationMayFailWhileItGrows) {
  spotsigs::sample::CountedMemory memory;
  PackedNumberMap map(9);
  std::mt19937_64 random(9);
  std::map<uint64_t, uint64_t> oracle;
  while (oracle.size() < 20'000) {
    const uint64_t key = random();
    const uint64_t value = (random() >> random() % 40) | 1;
    memory.fail_after(random() % 3, true);
    try {
      map.put(key, value);
      oracle[key] = value;
    } catch (const std::bad_alloc&) {
    }
    memory.stop_failing();
    ASSERT_EQ(map.size(), oracle.size());
  }
  for (const auto& [key, value] : oracle)
    ASSERT_EQ(map.find(key), value);
}

TEST(PackedNumberMapTest, SwappedMapsKeepTheirContent) {
  PackedNumberMap one(1);
  PackedNumberMap other(2);
  for (uint64_t key = 0; key < 100; ++key)
    one.put(key, key + 1);
  one.swap(other);
  EXPECT_EQ(one.size(), 0U);
  EXPECT_EQ(one.find(5), 0U);
  EXPECT_EQ(other.size(), 100U);
  EXPECT_EQ(other.find(5), 6U);
}

// Whoever knows the secret can write keys of one segment and one home: they are found, and the directory does
// not grow for them.
TEST(PackedNumberMapTest, KeysThatCollideDoNotMakeItLarge) {
  for (const unsigned shift : {0U, 32U, 33U, 52U}) {
    PackedNumberMap map(0);
    constexpr uint64_t kKeys = 3000;
    for (uint64_t i = 0; i < kKeys; ++i)
      map.put(unmix(i << shift), i + 1);
    EXPECT_LE(map.memory_bytes(), kKeys * 200) << shift;
    for (uint64_t i = 0; i < kKeys; ++i)
      ASSERT_EQ(map.find(unmix(i << shift)), i + 1) << shift;
  }
}

}  // namespace
}  // namespace nd
