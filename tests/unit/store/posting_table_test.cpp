// Posting lists in any layers against a map of lists, also while others read.
#include "store/posting_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <shared_mutex>
#include <thread>

#include "core/update_lock.hpp"
#include "unit/spotsigs/counted_memory.hpp"
#include "unit/store/memory_run.hpp"

namespace nd::store {
namespace {

using sample::MemoryEntry;
using sample::MemoryRun;
using sample::MemorySink;
using Numbers = std::vector<uint64_t>;

struct Posted {
  Numbers numbers;
  bool marked = false;
  friend bool operator==(const Posted&, const Posted&) = default;
};
using PostingsOracle = std::map<uint64_t, Posted>;

Posted posted(const PostingTable::List& list) {
  EXPECT_TRUE(!list.marked() || list.empty());
  return {Numbers(list.numbers().begin(), list.numbers().end()), list.marked()};
}

PostingsOracle all_of(const PostingTable& table) {
  PostingsOracle all;
  uint64_t last = 0;
  table.for_each([&](uint64_t key, const PostingTable::List& list) {
    EXPECT_TRUE(all.empty() || last < key);
    last = key;
    all[key] = posted(list);
    return true;
  });
  return all;
}

uint64_t number_count(const PostingsOracle& oracle) {
  uint64_t count = 0;
  for (const auto& [key, entry] : oracle)
    count += entry.numbers.size();
  return count;
}

uint64_t marked_count(const PostingsOracle& oracle) {
  return static_cast<uint64_t>(
      std::count_if(oracle.begin(), oracle.end(), [](const auto& entry) { return entry.second.marked; }));
}

// Numbers that take the place of narrow ones only where there is memory for wider slots are among them.
uint64_t some_wide(uint64_t number) {
  return number % 3 == 0 ? number << 40 : number;
}

void snapshot(PostingTable& table, Runs& runs) {
  table.prepare_freeze();
  table.freeze();
  MemorySink sink;
  ASSERT_TRUE(table.write_frozen(sink));
  runs.push_back(sample::make_run(sink.take()));
  table.install(runs);
}

TEST(PostingTableTest, NumbersStandInTheOrderOfTheirAddition) {
  PostingTable table(1);
  Runs runs;
  EXPECT_TRUE(table.find(42).empty());
  table.add(42, 7);
  EXPECT_EQ(posted(table.find(42)).numbers, (Numbers{7}));
  table.add(42, 3);
  snapshot(table, runs);
  EXPECT_EQ(posted(table.find(42)).numbers, (Numbers{7, 3}));
  table.add(42, 9);
  table.add(42, 1);
  table.freeze();
  EXPECT_TRUE(table.remove(42, 3));
  EXPECT_FALSE(table.remove(42, 3));
  EXPECT_EQ(posted(table.find(42)).numbers, (Numbers{7, 9, 1}));
  EXPECT_EQ(table.number_count(), 3U);
  EXPECT_EQ(table.size(), 1U);
}

TEST(PostingTableTest, ValuesInRunsAreAsDescribed) {
  PostingTable table(1);
  table.add(1, 0x0102);
  table.add(2, PostingTable::kGreatestNumber);
  table.add(3, 5);
  table.add(3, 6);
  table.add(4, 1);
  table.mark(4);
  table.freeze();
  MemorySink sink;
  ASSERT_TRUE(table.write_frozen(sink));
  const MemoryRun::Entries entries = sink.take();
  const auto bytes = [&](uint64_t key) {
    const Bytes value = entries.at(key).bytes();
    return std::vector<int>(value.begin(), value.end());
  };
  EXPECT_EQ(bytes(1), (std::vector<int>{2, 1}));
  EXPECT_EQ(bytes(2), std::vector<int>(7, 0xFF));
  EXPECT_EQ(bytes(3), (std::vector<int>{5, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(bytes(4), std::vector<int>{});
  EXPECT_FALSE(entries.at(4).erased);
}

TEST(PostingTableTest, AMarkedKeyTakesNothingAnyMore) {
  PostingTable table(1);
  Runs runs;
  for (uint64_t number : {1U, 2U, 3U})
    table.add(5, number);
  snapshot(table, runs);
  table.prepare_change(5);
  table.mark(5);
  table.mark(5);
  table.add(5, 4);
  EXPECT_EQ(posted(table.find(5)), (Posted{{}, true}));
  EXPECT_EQ(table.marked_count(), 1U);
  EXPECT_EQ(table.number_count(), 0U);
  EXPECT_EQ(table.size(), 1U);
  snapshot(table, runs);
  EXPECT_FALSE(table.remove(5, 1));
  table.add(5, 4);
  EXPECT_EQ(posted(table.find(5)), (Posted{{}, true}));
  table.reserve_more(1);
  table.mark(6);
  EXPECT_EQ(table.size(), 2U);
  EXPECT_EQ(table.marked_count(), 2U);
}

TEST(PostingTableTest, EqualsAMapOfListsInAnyLayers) {
  for (uint64_t seed = 0; seed < 12; ++seed) {
    std::mt19937_64 random(seed);
    auto table = std::make_unique<PostingTable>(random());
    sample::Snapshots snapshots;
    PostingsOracle oracle;
    const uint64_t keys = seed % 3 == 0 ? 10 : 150;
    for (int step = 0; step < 6000; ++step) {
      const uint64_t key = random() % keys - 5;
      const uint64_t number = some_wide(1 + random() % 12);
      const uint64_t what = random() % 1000;
      Posted& entry = oracle[key];
      const auto at = std::find(entry.numbers.begin(), entry.numbers.end(), number);
      if (what < 500) {
        if (at == entry.numbers.end()) {
          table->add(key, number);
          if (!entry.marked) entry.numbers.push_back(number);
        }
      } else if (what < 975) {
        ASSERT_EQ(table->remove(key, number), at != entry.numbers.end());
        if (at != entry.numbers.end()) entry.numbers.erase(at);
      } else if (what < 977) {
        table->prepare_change(key);
        table->reserve_more(1);
        table->mark(key);
        entry = {{}, true};
      } else {
        ASSERT_TRUE(snapshots.step(*table, random));
      }
      if (entry == Posted{}) oracle.erase(key);
      if (random() % 500 == 0) {
        ASSERT_TRUE(snapshots.finish(*table, random));
        table = std::make_unique<PostingTable>(random());
        table->attach(snapshots.runs(), oracle.size());
        table->restore_counts(marked_count(oracle), number_count(oracle));
      }
      const uint64_t asked = random() % keys - 5;
      ASSERT_EQ(posted(table->find(asked)), oracle.contains(asked) ? oracle.at(asked) : Posted{}) << step;
      ASSERT_EQ(table->size(), oracle.size());
      ASSERT_EQ(table->number_count(), number_count(oracle));
      ASSERT_EQ(table->marked_count(), marked_count(oracle));
      if (step % 200 == 0) {
        ASSERT_EQ(all_of(*table), oracle);
      }
    }
    EXPECT_EQ(all_of(*table), oracle);
  }
}

// If it cannot, it has changed nothing, and add() does the same.
TEST(PostingTableTest, AdditionsBesideReadersAddWhatOthersDo) {
  uint64_t concurrent_count = 0;
  uint64_t other_count = 0;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    std::mt19937_64 random(seed);
    PostingTable table(random());
    sample::Snapshots snapshots;
    PostingsOracle oracle;
    const uint64_t key_count = seed % 2 == 0 ? 20 : 2000;
    for (int step = 0; step < 10'000; ++step) {
      const uint64_t key = random() % key_count;
      const uint64_t number = some_wide(1 + random() % 12);
      const uint64_t what = random() % 100;
      Posted& entry = oracle[key];
      const auto at = std::find(entry.numbers.begin(), entry.numbers.end(), number);
      if (what < 15) {
        ASSERT_EQ(table.remove(key, number), at != entry.numbers.end());
        if (at != entry.numbers.end()) entry.numbers.erase(at);
      } else if (what == 15) {
        ASSERT_TRUE(snapshots.step(table, random));
      } else if (what == 16 && random() % 8 == 0) {
        table.prepare_change(key);
        table.reserve_more(1);
        table.mark(key);
        entry = {{}, true};
      } else if (at == entry.numbers.end()) {
        const PostingTable::Found found = table.find_to_add(key);
        ASSERT_EQ(posted(found.list), entry);
        const std::optional<size_t> size = table.add_concurrently(key, number, found);
        ++(size ? concurrent_count : other_count);
        if (!size) {
          ASSERT_EQ(posted(table.find(key)), entry);
        }
        ASSERT_EQ(size ? *size : table.add(key, number), entry.marked ? 0 : entry.numbers.size() + 1);
        if (!entry.marked) entry.numbers.push_back(number);
      }
      ASSERT_EQ(posted(table.find(key)), entry);
      if (entry == Posted{}) oracle.erase(key);
      if (random() % 64 == 0) table.release_replaced();
      ASSERT_EQ(table.size(), oracle.size());
      ASSERT_EQ(table.number_count(), number_count(oracle));
      if (step % 500 == 0) {
        ASSERT_EQ(all_of(table), oracle);
      }
    }
    EXPECT_EQ(all_of(table), oracle);
  }
  EXPECT_LE(other_count, concurrent_count / 20) << "nearly all is done beside readers";
}

// Numbers of key k are k + i * kStep, i from 1 on.
TEST(PostingTableTest, ReadersBesideAdditionsFindListsThatGrow) {
  constexpr uint64_t kStep = 1 << 16;
  constexpr uint64_t kKeys = 3000;
  PostingTable table(6);
  Runs runs;
  std::vector<uint64_t> added(kKeys, 0);
  for (uint64_t key = 0; key < kKeys; key += 3)
    table.add(key, key + kStep * ++added[key]);
  snapshot(table, runs);
  UpdateLock lock;
  std::atomic<bool> is_done{false};
  std::vector<std::thread> readers;
  for (uint64_t reader = 0; reader < 3; ++reader) {
    readers.emplace_back([&, reader] {
      std::mt19937_64 random(reader);
      while (!is_done) {
        const std::shared_lock reading(lock);
        for (int look = 0; look < 20; ++look) {
          const uint64_t key = random() % kKeys;
          const PostingTable::List list = table.find(key);
          const PostingTable::List later = table.find(key);
          ASSERT_LE(list.size(), later.size());
          ASSERT_TRUE(std::ranges::equal(list.numbers(), later.numbers().first(list.size())));
          uint64_t count = 0;
          for (const uint64_t number : list)
            ASSERT_EQ(number, key + kStep * ++count);
          if (count != 0) {
            ASSERT_EQ(list.find(key + kStep * count).place, count - 1);
          }
        }
        ASSERT_LE(table.size(), kKeys);
        ASSERT_GE(table.number_count(), 0U);
        ASSERT_GE(table.memory_bytes(), 0U);
      }
    });
  }
  std::mt19937_64 random(99);
  for (int step = 0; step < 400; ++step) {
    const std::unique_lock updating(lock);
    std::vector<uint64_t> left;
    for (int i = 0; i < 40; ++i) {
      const uint64_t key = random() % (random() % 4 == 0 ? 30 : kKeys);
      if (std::ranges::find(left, key) != left.end()) continue;
      if (table.add_concurrently(key, key + kStep * (added[key] + 1))) {
        ++added[key];
      } else {
        left.push_back(key);
      }
    }
    {
      const UpdateLock::Change alone(lock);
      for (const uint64_t key : left)
        table.add(key, key + kStep * ++added[key]);
      if (step % 100 == 50) table.freeze();
      if (step % 100 == 99) {
        MemorySink sink;
        ASSERT_TRUE(table.write_frozen(sink));
        runs.push_back(sample::make_run(sink.take()));
        table.install(runs);
      }
    }
    table.release_replaced();
  }
  is_done = true;
  for (std::thread& reader : readers)
    reader.join();
  for (uint64_t key = 0; key < kKeys; ++key)
    ASSERT_EQ(table.find(key).size(), added[key]);
}

TEST(PostingTableTest, ListsStayWhereTheyAreWhileOthersChange) {
  PostingTable table(1);
  for (uint64_t number = 1; number <= 20; ++number)
    table.add(7, number);
  const PostingTable::List list = table.find(7);
  const Posted before = posted(list);
  for (uint64_t key = 100; key < 400; ++key) {
    table.add(key, 1);
    table.add(key, 2);
  }
  EXPECT_EQ(posted(list), before);
  table.freeze();
  table.add(7, 99);
  EXPECT_EQ(posted(list), before);
  EXPECT_EQ(table.find(7).size(), 21U);
}

TEST(PostingTableTest, AListOfOneLivesInTheListEvenIfCopied) {
  PostingTable table(1);
  table.add(7, 5);
  const PostingTable::List copy = [&] {
    const PostingTable::List list = table.find(7);
    return list;
  }();
  table.add(7, 6);
  EXPECT_EQ(posted(copy).numbers, (Numbers{5}));
}

TEST(PostingTableTest, RemovalAndFreezingGiveMemoryBack) {
  spotsigs::sample::CountedMemory memory;
  {
    PostingTable table(1);
    const auto change = [&](bool adds) {
      for (uint64_t key = 0; key < 300; ++key) {
        for (uint64_t number = 1; number <= 20; ++number) {
          if (adds) {
            table.add(key, number);
          } else {
            EXPECT_TRUE(table.remove(key, number));
          }
        }
        ASSERT_EQ(table.memory_bytes(), memory.held_bytes());
      }
    };
    change(true);
    const uint64_t full = table.memory_bytes();
    change(false);
    const uint64_t empty = table.memory_bytes();
    EXPECT_LE(empty + 300 * 20 * 8, full);
    for (int round = 0; round < 5; ++round) {
      change(true);
      EXPECT_EQ(table.memory_bytes(), full);
      change(false);
      EXPECT_EQ(table.memory_bytes(), empty);
    }
    change(true);
    table.freeze();
    EXPECT_EQ(table.memory_bytes(), full);
    table.install({});
    EXPECT_EQ(table.memory_bytes(), 0U);
  }
  EXPECT_EQ(memory.held_bytes(), 0U);
}

// As in an index at its budget: one is added, and the oldest is removed.
TEST(PostingTableTest, WhatStandsInFrontOfALongListGoesAtAConstantCost) {
  constexpr uint64_t kNumbers = 20'000;
  PostingTable table(1);
  for (uint64_t number = 1; number <= kNumbers; ++number)
    table.add(7, number);
  const uint64_t memory = table.memory_bytes();
  const uint64_t before = table.probe_count();
  for (uint64_t number = 1; number <= 2 * kNumbers; ++number) {
    table.add(7, kNumbers + number);
    ASSERT_TRUE(table.remove(7, number));
    ASSERT_EQ(*table.find(7).begin(), number + 1);
    ASSERT_EQ(table.find(7).size(), kNumbers);
  }
  EXPECT_LE(table.probe_count() - before, 12 * kNumbers)
      << "slots looked at, and a number moved now and then";
  EXPECT_LE(table.memory_bytes(), 3 * memory);
  EXPECT_EQ(*(table.find(7).end() - 1), 3 * kNumbers);
}

// For lists in a run, in the frozen layer and in memory.
TEST(PostingTableTest, FailedAllocationsChangeNothingAndPreparedRemovalsDoNotAllocate) {
  spotsigs::sample::CountedMemory memory;
  {
    std::mt19937_64 random(5);
    PostingTable table(3);
    Runs runs;
    const auto fill = [&] {
      for (int i = 0; i < 300; ++i) {
        const uint64_t key = random() % 60;
        const uint64_t number = some_wide(1 + random() % 8);
        table.remove(key, number);
        table.add(key, number);
      }
    };
    fill();
    snapshot(table, runs);
    fill();
    table.freeze();
    for (int round = 0; round < 400; ++round) {
      const uint64_t key = random() % 80;
      const uint64_t number = some_wide(1 + random() % 10);
      const bool adds = random() % 2 == 0;
      const Numbers held = posted(table.find(key)).numbers;
      const bool has = std::find(held.begin(), held.end(), number) != held.end();
      const PostingsOracle before = all_of(table);
      for (uint64_t allocations = 0;; ++allocations) {
        memory.fail_after(allocations, false);
        try {
          if (!adds) {
            table.prepare_change(key);
          } else if (!has) {
            if (round % 2 == 0 || !table.add_concurrently(key, number)) table.add(key, number);
          }
          memory.stop_failing();
          break;
        } catch (const std::bad_alloc&) {
          memory.stop_failing();
          ASSERT_EQ(all_of(table), before);
          ASSERT_EQ(table.number_count(), number_count(before));
          ASSERT_EQ(table.size(), before.size());
        }
      }
      if (!adds) {
        memory.fail_after(0, true);
        EXPECT_EQ(table.remove(key, number), has);
        EXPECT_FALSE(memory.stop_failing());
      }
    }
  }
}

TEST(PostingTableTest, ImpossibleValuesReadAsAbsent) {
  std::vector<uint8_t> zeros(33, 0);
  MemoryRun::Entries entries;
  for (size_t size = 1; size <= 33; ++size) {
    if (size < 8 || size % 8 != 0) entries[size] = MemoryEntry::of({zeros.data(), size});
  }
  Runs runs;
  runs.push_back(sample::make_run(std::move(entries)));
  PostingTable table(1);
  table.attach(runs, 0);
  for (uint64_t key = 0; key <= 33; ++key) {
    EXPECT_EQ(posted(table.find(key)), Posted{}) << key;
    EXPECT_FALSE(table.remove(key, 0));
    table.prepare_change(key);
  }
  EXPECT_TRUE(all_of(table).empty());
  table.add(5, 8);
  EXPECT_EQ(posted(table.find(5)).numbers, (Numbers{8}));
  EXPECT_TRUE(table.remove(5, 8));
  EXPECT_EQ(posted(table.find(5)), Posted{});
}

// Values that no writer writes, above all numbers that would be taken for something else in memory.
TEST(PostingTableTest, HostileNumbersDoNoHarm) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    MemoryRun::Entries entries;
    for (uint64_t key = 0; key < 40; ++key) {
      std::vector<uint64_t> words(random() % 4);
      for (uint64_t& word : words)
        word = random() % 3 == 0 ? 0 : random() >> random() % 64;
      entries[key] = MemoryEntry::of({reinterpret_cast<const uint8_t*>(words.data()), words.size() * 8});
      entries[key].erased = random() % 8 == 0;
    }
    Runs runs;
    runs.push_back(sample::make_run(std::move(entries)));
    PostingTable table(seed);
    table.attach(runs, random() % 10);
    table.restore_counts(random() % 10, random() % 10);
    for (int step = 0; step < 500; ++step) {
      const uint64_t key = random() % 45;
      const Numbers held = posted(table.find(key)).numbers;
      const uint64_t number = 1 + random() % 5;
      switch (random() % 5) {
        case 0:
          if (std::find(held.begin(), held.end(), number) == held.end()) table.add(key, number);
          break;
        case 1:
          table.remove(key, held.empty() ? number : held[random() % held.size()]);
          break;
        case 2:
          table.prepare_change(key);
          break;
        case 3:
          table.reserve_more(1);
          if (random() % 10 == 0) table.mark(key);
          break;
        default:
          if (step % 100 == 0) {
            table.freeze();
            MemorySink sink;
            ASSERT_TRUE(table.write_frozen(sink));
            runs.push_back(sample::make_run(sink.take()));
            table.install(runs);
          }
      }
      for (const uint64_t found : table.find(key))
        (void)found;
    }
    EXPECT_LE(all_of(table).size(), 45U);
  }
}

}  // namespace
}  // namespace nd::store
