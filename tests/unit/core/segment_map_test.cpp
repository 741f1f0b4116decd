// The open hash map against an ordered one, with failing memory and keys that collide on purpose.
#include "core/segment_map.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>

namespace nd {
namespace {

TEST(SegmentMapTest, EmptyFindsAndErasesNothing) {
  SegmentMap<uint32_t> map(1);
  EXPECT_EQ(map.find(0), nullptr);
  EXPECT_FALSE(map.erase(0));
  EXPECT_EQ(map.size(), 0U);
  EXPECT_EQ(map.memory_bytes(), 0U);
}

TEST(SegmentMapTest, NewValuesAreZero) {
  SegmentMap<uint64_t> map(1);
  EXPECT_EQ(map[5], 0U);
  map[5] = 7;
  EXPECT_EQ(map[5], 7U);
  map.erase(5);
  EXPECT_EQ(map[5], 0U);
}

// Few keys in a small table, so that runs are long, wrap round the end and lose their middle.
TEST(SegmentMapTest, EqualsAnOrderedMapUnderRandomChanges) {
  for (uint64_t secret = 0; secret < 20; ++secret) {
    std::mt19937_64 random(secret);
    SegmentMap<uint32_t> map(secret);
    std::map<uint64_t, uint32_t> oracle;
    const uint64_t keys = secret % 2 == 0 ? 20 : 3000;
    for (uint32_t step = 0; step < 5000; ++step) {
      const uint64_t key = random() % keys;
      if (random() % 5 < 3) {
        map[key] = step;
        oracle[key] = step;
      } else {
        EXPECT_EQ(map.erase(key), oracle.erase(key) == 1);
      }
      ASSERT_EQ(map.size(), oracle.size());
      const uint64_t asked = random() % keys;
      const auto expected = oracle.find(asked);
      const uint32_t* found = map.find(asked);
      ASSERT_EQ(found != nullptr, expected != oracle.end());
      if (found != nullptr) {
        ASSERT_EQ(*found, expected->second);
      }
    }
    for (const auto& [key, value] : oracle) {
      ASSERT_NE(map.find(key), nullptr);
      EXPECT_EQ(*map.find(key), value);
    }
  }
}

TEST(SegmentMapTest, ReservedInsertionsDoNotAllocate) {
  static int allocations;
  allocations = 0;
  set_memory_functions({[](size_t size, void*) {
                          ++allocations;
                          return std::malloc(size);
                        },
                        [](void* memory, size_t size, void*) { return std::realloc(memory, size); },
                        [](void* memory, void*) { std::free(memory); }, nullptr});
  {
    SegmentMap<uint32_t> map(3);
    for (uint64_t round = 0; round < 40; ++round) {
      map.reserve_more(round);
      const int before = allocations;
      for (uint64_t i = 0; i < round; ++i)
        map[round * 1000 + i] = 1;
      EXPECT_EQ(allocations, before) << round;
    }
  }
  set_memory_functions({[](size_t size, void*) { return std::malloc(size); },
                        [](void* memory, size_t size, void*) { return std::realloc(memory, size); },
                        [](void* memory, void*) { std::free(memory); }, nullptr});
}

TEST(SegmentMapTest, KeysThatCollideWithoutASecretDoNotWithOne) {
  constexpr uint64_t kKeys = 4000;
  // The inverse of mix(), which anybody can compute.
  const auto colliding = [](uint64_t i) {
    uint64_t value = i << 32;
    value ^= value >> 33;
    value *= 0x9cb4b2f8129337dbULL;
    value ^= value >> 33;
    value *= 0x4f74430c22a54005ULL;
    return value ^ value >> 33;
  };
  const auto probes = [&](uint64_t secret) {
    SegmentMap<uint32_t> map(secret);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < kKeys; ++i)
      map[colliding(i)] = 1;
    for (uint64_t i = 0; i < kKeys; ++i)
      sum += map.probe_count(colliding(i));
    return sum;
  };
  EXPECT_GT(probes(0), kKeys * kKeys / 4) << "the keys do collide";
  std::mt19937_64 random(19);
  for (int round = 0; round < 20; ++round)
    EXPECT_LE(probes(random()), 4 * kKeys);  // at most three quarters are in use: 2.5 expected
}

}  // namespace
}  // namespace nd
