// Numbers in any layers against an ordered map, with failing memory.
#include "store/layered_numbers.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>

#include "unit/spotsigs/counted_memory.hpp"
#include "unit/store/memory_run.hpp"

namespace nd::store {
namespace {

using sample::MemoryEntry;
using sample::MemoryRun;
using sample::MemorySink;
using NumbersOracle = std::map<uint64_t, uint64_t>;

NumbersOracle all_of(const LayeredNumbers& table) {
  NumbersOracle all;
  uint64_t last = 0;
  table.for_each([&](uint64_t key, uint64_t number) {
    EXPECT_TRUE(all.empty() || last < key);
    last = key;
    all[key] = number;
    return true;
  });
  NumbersOracle unordered;
  table.for_each_unordered(
      [&](uint64_t key, uint64_t number) { EXPECT_TRUE(unordered.emplace(key, number).second); });
  EXPECT_EQ(unordered, all);
  return all;
}

void snapshot(LayeredNumbers& table, Runs& runs) {
  table.prepare_freeze();
  table.freeze();
  MemorySink sink;
  ASSERT_TRUE(table.write_frozen(sink));
  runs.push_back(sample::make_run(sink.take()));
  table.install(runs);
}

TEST(LayeredNumbersTest, TheNewestLayerSpeaks) {
  LayeredNumbers table(1);
  Runs runs;
  for (uint64_t key = 1; key <= 5; ++key)
    table.put(key, 100 + key);
  snapshot(table, runs);
  table.put(1, 201);
  table.erase(2);
  snapshot(table, runs);
  table.put(3, 303);
  table.erase(4);
  table.freeze();
  table.put(5, 405);
  table.put(4, 404);
  table.put(UINT64_MAX, LayeredNumbers::kGreatestNumber);
  EXPECT_EQ(
      all_of(table),
      (NumbersOracle{{1, 201}, {3, 303}, {4, 404}, {5, 405}, {UINT64_MAX, LayeredNumbers::kGreatestNumber}}));
  EXPECT_EQ(table.find(2), 0U);
  EXPECT_EQ(table.find(3), 303U);
  EXPECT_EQ(table.size(), 5U);
}

TEST(LayeredNumbersTest, AnErasedKeyLeavesAMarkOnlyWhereALayerBelowHasIt) {
  LayeredNumbers table(1);
  Runs runs;
  table.put(1, 1);
  table.put(2, 2);
  table.erase(2);
  table.erase(3);
  table.freeze();
  MemorySink first;
  ASSERT_TRUE(table.write_frozen(first));
  const MemoryRun::Entries entries = first.take();
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries.at(1).size, 1U);
  runs.push_back(sample::make_run(entries));
  table.install(runs);
  table.erase(1);
  EXPECT_EQ(table.size(), 0U);
  table.freeze();
  MemorySink second;
  ASSERT_TRUE(table.write_frozen(second));
  const MemoryRun::Entries erased = second.take();
  ASSERT_EQ(erased.size(), 1U);
  EXPECT_TRUE(erased.at(1).erased);
}

TEST(LayeredNumbersTest, EqualsAnOrderedMapInAnyLayers) {
  for (uint64_t seed = 0; seed < 12; ++seed) {
    std::mt19937_64 random(seed);
    auto table = std::make_unique<LayeredNumbers>(random());
    sample::Snapshots snapshots;
    NumbersOracle oracle;
    const uint64_t keys = seed % 3 == 0 ? 10 : 400;
    for (int step = 0; step < 4000; ++step) {
      const uint64_t key = random() % keys - 5;
      const uint64_t what = random() % 100;
      if (what < 55) {
        const uint64_t number = 1 + (random() >> (8 + random() % 56)) % LayeredNumbers::kGreatestNumber;
        table->put(key, number);
        oracle[key] = number;
      } else if (what < 98) {
        table->erase(key);
        oracle.erase(key);
      } else {
        ASSERT_TRUE(snapshots.step(*table, random));
      }
      if (random() % 500 == 0) {
        ASSERT_TRUE(snapshots.finish(*table, random));
        table = std::make_unique<LayeredNumbers>(random());
        table->attach(snapshots.runs(), oracle.size());
      }
      const uint64_t asked = random() % keys - 5;
      ASSERT_EQ(table->find(asked), oracle.contains(asked) ? oracle.at(asked) : 0) << step;
      ASSERT_EQ(table->size(), oracle.size());
      if (step % 200 == 0) {
        ASSERT_EQ(all_of(*table), oracle);
      }
    }
    EXPECT_EQ(all_of(*table), oracle);
  }
}

TEST(LayeredNumbersTest, VisitsStopWhereTheyAreTold) {
  LayeredNumbers table(1);
  for (uint64_t key = 0; key < 10; ++key)
    table.put(key, 1);
  int visited = 0;
  table.for_each([&](uint64_t, uint64_t) { return ++visited < 4; });
  EXPECT_EQ(visited, 4);
}

TEST(LayeredNumbersTest, ReservedChangesDoNotAllocateAndFailedOnesChangeNothing) {
  spotsigs::sample::CountedMemory memory;
  LayeredNumbers table(7);
  MemoryRun::Entries entries;
  const uint8_t nine = 9;
  for (uint64_t key = 0; key < 1000; ++key)
    entries[key] = MemoryEntry::of({&nine, 1});
  Runs runs;
  runs.push_back(sample::make_run(std::move(entries)));
  table.attach(std::move(runs), 1000);
  table.reserve_more(200);
  memory.fail_after(0, true);
  for (uint64_t key = 0; key < 100; ++key) {
    table.erase(key);
    table.put(2000 + key, 5);
  }
  table.prepare_freeze();
  table.freeze();
  EXPECT_THROW(table.put(3000, 1), std::bad_alloc);
  EXPECT_THROW(table.reserve_more(1), std::bad_alloc);
  table.erase(5000);
  EXPECT_TRUE(memory.stop_failing());
  EXPECT_EQ(table.size(), 1000U);
  EXPECT_EQ(table.find(3000), 0U);
  EXPECT_EQ(table.find(2050), 5U);
  EXPECT_EQ(table.find(50), 0U);
  EXPECT_EQ(table.find(500), 9U);
}

TEST(LayeredNumbersTest, MemoryIsOfTheLayersInMemory) {
  LayeredNumbers table(7);
  EXPECT_EQ(table.memory_bytes(), 0U);
  for (uint64_t key = 0; key < 1000; ++key)
    table.put(key, 1);
  const uint64_t full = table.memory_bytes();
  EXPECT_GE(full, 16000U);
  table.freeze();
  EXPECT_TRUE(table.has_frozen());
  EXPECT_EQ(table.memory_bytes(), full);
  table.install({});
  EXPECT_FALSE(table.has_frozen());
  EXPECT_EQ(table.memory_bytes(), 0U);
}

TEST(LayeredNumbersTest, ImpossibleValuesReadAsAbsent) {
  const uint8_t bytes[16] = {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  MemoryRun::Entries entries;
  for (size_t size = 0; size <= 16; ++size)
    entries[size] = MemoryEntry::of({bytes, size});
  const uint8_t one = 1;
  entries[100] = MemoryEntry::of({&one, 1});
  LayeredNumbers table(1);
  Runs runs;
  runs.push_back(sample::make_run(std::move(entries)));
  table.attach(runs, 1);
  for (uint64_t key = 0; key <= 16; ++key) {
    EXPECT_EQ(table.find(key), 0U);
    table.erase(key);
  }
  EXPECT_EQ(all_of(table), (NumbersOracle{{100, 1}}));
  EXPECT_EQ(table.size(), 1U);
  table.put(3, 7);
  table.erase(3);
  table.erase(100);
  table.erase(100);
  EXPECT_EQ(table.size(), 0U);
}

// A run whose order is damaged and some blocks of which cannot be read: visits still ascend and end.
TEST(LayeredNumbersTest, VisitsOfADamagedRunAscendAndEnd) {
  const uint8_t one = 1;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    MemoryRun::Entries entries;
    for (uint64_t key = 0; key < 50; ++key)
      entries[key == 49 ? UINT64_MAX : key] = MemoryEntry::of({&one, 1});
    auto run = std::make_shared<MemoryRun>(std::move(entries));
    run->disorder(seed);
    for (uint64_t position = 0; position < 50; position += 7)
      run->hide(position);
    LayeredNumbers table(1);
    Runs runs{run, sample::make_run({})};
    table.attach(runs, 50);
    EXPECT_LE(all_of(table).size(), 43U);
  }
}

}  // namespace
}  // namespace nd::store
