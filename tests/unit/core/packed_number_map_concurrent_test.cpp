// PackedNumberMap::put_concurrently(): what it does, and what those see who look meanwhile.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <mutex>
#include <random>
#include <shared_mutex>
#include <thread>
#include <vector>

#include "core/packed_number_map.hpp"
#include "core/update_lock.hpp"
#include "unit/spotsigs/counted_memory.hpp"

namespace nd {
namespace {

TEST(PackedNumberMapConcurrentTest, EqualsAnOrderedMapUnderRandomChanges) {
  uint64_t concurrent_count = 0;
  uint64_t other_count = 0;
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
        const bool is_done = map.put_concurrently(key, value);
        ++(is_done ? concurrent_count : other_count);
        if (!is_done) {
          const auto held = oracle.find(key);
          ASSERT_EQ(map.find(key), held == oracle.end() ? 0 : held->second);
          map.put(key, value);
        }
        oracle[key] = value;
      } else {
        map.erase(key);
        oracle.erase(key);
      }
      ASSERT_EQ(map.find(key), oracle.contains(key) ? oracle[key] : 0);
      ASSERT_EQ(map.size(), oracle.size());
      if (random() % 64 == 0) map.release_replaced();
      const uint64_t asked = random() % key_count - 10;
      const auto expected = oracle.find(asked);
      ASSERT_EQ(map.find(asked), expected == oracle.end() ? 0 : expected->second);
    }
    std::map<uint64_t, uint64_t> visited;
    map.for_each([&](uint64_t key, uint64_t value) { EXPECT_TRUE(visited.emplace(key, value).second); });
    EXPECT_EQ(visited, oracle);
  }
  EXPECT_LE(other_count, concurrent_count / 1000) << "nearly all is done beside readers";
}

TEST(PackedNumberMapConcurrentTest, FailedAllocationsChangeNothingAndWhatIsReplacedIsReleased) {
  spotsigs::sample::CountedMemory memory;
  {
    PackedNumberMap map(9);
    std::mt19937_64 random(9);
    std::map<uint64_t, uint64_t> oracle;
    while (oracle.size() < 20'000) {
      const uint64_t key = random();
      const uint64_t value = (random() >> random() % 40) | 1;
      memory.fail_after(random() % 3, true);
      const bool is_done = map.put_concurrently(key, value);
      memory.stop_failing();
      if (!is_done) map.put(key, value);
      oracle[key] = value;
      ASSERT_EQ(map.size(), oracle.size());
      if (oracle.size() % 100 != 0) continue;
      ASSERT_LE(map.memory_bytes(), memory.held_bytes());
      map.release_replaced();
    }
    for (const auto& [key, value] : oracle)
      ASSERT_EQ(map.find(key), value);
  }
  EXPECT_EQ(memory.held_bytes(), 0U);
}

// Key k has numbers k + i * kStep, i ascending: whatever is read must be of its key, and never older than
// what was read before.
TEST(PackedNumberMapConcurrentTest, ReadersFindWhatWasPutAndNothingElse) {
  constexpr uint64_t kKeys = 30'000;
  constexpr uint64_t kStep = uint64_t{1} << 20;
  PackedNumberMap map(4);
  UpdateLock lock;
  std::atomic<uint64_t> put_count{0};
  std::atomic<bool> is_done{false};
  std::vector<std::thread> readers;
  for (uint64_t reader = 0; reader < 3; ++reader) {
    readers.emplace_back([&, reader] {
      std::mt19937_64 random(reader);
      while (!is_done) {
        const std::shared_lock reading(lock);
        for (int look = 0; look < 50; ++look) {
          const uint64_t present = put_count.load(std::memory_order_acquire);
          const uint64_t key = 1 + random() % (present + 10);
          const uint64_t first = map.find(key);
          const uint64_t second = map.find(key);
          ASSERT_TRUE(first == 0 || first % kStep == key) << first;
          ASSERT_GE(second, first);
          if (key <= present) {
            ASSERT_NE(first, 0U) << key;
          }
        }
        ASSERT_GE(map.size(), 0U);
        ASSERT_GE(map.memory_bytes(), 0U);
      }
    });
  }
  std::mt19937_64 random(99);
  uint64_t key = 0;
  while (key < kKeys) {
    const std::unique_lock updating(lock);
    std::vector<std::pair<uint64_t, uint64_t>> left;
    const auto put = [&](uint64_t of, uint64_t value) {
      if (!map.put_concurrently(of, value)) left.emplace_back(of, value);
    };
    for (int i = 0; i < 60; ++i) {
      ++key;
      put(key, key);
      const uint64_t known = 1 + random() % key;
      const uint64_t before = map.find(known);
      if (before != 0) put(known, before + (random() % 8 == 0 ? kStep << (random() % 12) : kStep));
    }
    {
      const UpdateLock::Change alone(lock);
      for (const auto& [of, value] : left)
        map.put(of, value);
    }
    put_count.store(key, std::memory_order_release);
    map.release_replaced();
  }
  is_done = true;
  for (std::thread& reader : readers)
    reader.join();
  EXPECT_EQ(map.size(), key);
}

}  // namespace
}  // namespace nd
