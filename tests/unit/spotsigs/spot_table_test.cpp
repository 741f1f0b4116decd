#include "spotsigs/spot_table.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace nd::spotsigs {
namespace {

TEST(SpotTableTest, EqualsAMapUnderRandomChanges) {
  for (uint64_t secret = 0; secret < 6; ++secret) {
    std::mt19937_64 random(secret);
    SpotTable table(secret);
    std::map<uint64_t, uint32_t> oracle;
    for (uint32_t step = 0; step < 40000; ++step) {
      // Fills, then empties, so that shards grow and shrink.
      const uint64_t key = random() % 9000 * 0x100000001;
      if (random() % 10 < (step % 20000 < 10000 ? 8U : 2U)) {
        table.put(key, step);
        oracle[key] = step;
      } else {
        table.erase(key);
        oracle.erase(key);
      }
      ASSERT_EQ(table.size(), oracle.size());
      ASSERT_LE(table.memory_bytes(), table.greatest_bytes());
      const uint64_t asked = random() % 9000 * 0x100000001;
      const auto expected = oracle.find(asked);
      ASSERT_EQ(table.find(asked), expected == oracle.end() ? SpotTable::kAbsent : expected->second);
    }
    std::map<uint64_t, uint32_t> visited;
    table.for_each([&](uint64_t key, uint32_t& value) { EXPECT_TRUE(visited.emplace(key, value).second); });
    EXPECT_EQ(visited, oracle);
  }
}

// One shard's worth of keys would be one run if the home did not spread them.
TEST(SpotTableTest, SmallTablesWrapRound) {
  for (uint64_t secret = 0; secret < 200; ++secret) {
    SpotTable table(secret);
    std::map<uint64_t, uint32_t> oracle;
    std::mt19937_64 random(secret);
    for (uint32_t step = 0; step < 1500; ++step) {
      const uint64_t key = random() % 1200;
      if (random() % 2 == 0) {
        table.put(key, step);
        oracle[key] = step;
      } else {
        table.erase(key);
        oracle.erase(key);
      }
    }
    for (uint64_t key = 0; key < 1200; ++key) {
      const auto expected = oracle.find(key);
      ASSERT_EQ(table.find(key), expected == oracle.end() ? SpotTable::kAbsent : expected->second);
    }
  }
}

TEST(SpotTableTest, MemoryFollowsTheEntries) {
  SpotTable table(9);
  EXPECT_EQ(table.memory_bytes(), 0U);
  EXPECT_EQ(table.greatest_bytes(), 0U);
  constexpr uint64_t kEntries = 300000;
  for (uint64_t key = 0; key < kEntries; ++key)
    table.put(key, 1);
  // Never more than three quarters full, and never less than three fifths but for the last steps.
  EXPECT_GE(table.memory_bytes(), kEntries * 12 * 4 / 3);
  EXPECT_LE(table.memory_bytes(), kEntries * 12 * 5 / 3 + 100000);
  for (uint64_t key = 0; key < kEntries; ++key) {
    if (key % 10 != 0) table.erase(key);
  }
  EXPECT_LE(table.memory_bytes(), kEntries / 10 * 12 * 2 + 100000);
  for (uint64_t key = 0; key < kEntries; key += 10) {
    EXPECT_EQ(table.find(key), 1U);
    table.erase(key);
  }
  EXPECT_EQ(table.memory_bytes(), 0U);
}

}  // namespace
}  // namespace nd::spotsigs
