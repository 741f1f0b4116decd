// A table in segments: no insertion costs what the table is large, and failing memory loses nothing.
#include "core/segment_table.hpp"

#include <gtest/gtest.h>

#include <random>
#include <unordered_map>

#include "unit/spotsigs/counted_memory.hpp"

namespace nd {
namespace {

struct Slot {
  uint64_t key;
  uint64_t value;  // 0: free
  bool is_used() const noexcept { return value != 0; }
};
using Table = SegmentTable<Slot>;
using Oracle = std::unordered_map<uint64_t, uint64_t>;

void put(Table& table, uint64_t key, uint64_t value) {
  table.insert({key, value}).slot->value = value;
}

void expect_equal(const Table& table, const Oracle& oracle) {
  ASSERT_EQ(table.size(), oracle.size());
  for (const auto& [key, value] : oracle) {
    const Slot* slot = table.find(key).slot;
    ASSERT_NE(slot, nullptr) << key;
    ASSERT_EQ(slot->value, value);
  }
  size_t visited = 0;
  table.for_each([&](const Slot& slot) {
    ++visited;
    const auto known = oracle.find(slot.key);
    ASSERT_NE(known, oracle.end());
    ASSERT_EQ(slot.value, known->second);
  });
  ASSERT_EQ(visited, oracle.size());
}

// One change of a table that grows to several dozen segments.
void change(std::mt19937_64& random, uint64_t value, Table& table, Oracle& oracle) {
  const uint64_t key = random() % 150'000;
  if (random() % 5 != 0) {
    put(table, key, value);
    oracle[key] = value;
  } else {
    const auto known = oracle.find(key);
    const Slot erased = table.erase(key).first;
    ASSERT_EQ(erased.value, known == oracle.end() ? 0 : known->second);
    if (known != oracle.end()) oracle.erase(known);
  }
}

TEST(SegmentTableTest, LookingAheadChangesNothing) {
  Table table(1);
  const auto look_ahead = [&] {
    for (uint64_t key = 0; key < 30'000; ++key) {
      table.prefetch(key);
      table.prefetch_for_change(key);
    }
  };
  look_ahead();
  EXPECT_EQ(table.memory_bytes(), 0U);
  Oracle oracle;
  for (uint64_t key = 0; key < 20'000; ++key) {
    put(table, key, key + 1);
    oracle[key] = key + 1;
  }
  const uint64_t bytes = table.memory_bytes();
  look_ahead();
  EXPECT_EQ(table.memory_bytes(), bytes);
  expect_equal(table, oracle);
}

TEST(SegmentTableTest, EqualsAnUnorderedMapWhileItGrows) {
  for (uint64_t secret = 0; secret < 3; ++secret) {
    std::mt19937_64 random(secret);
    Table table(secret);
    Oracle oracle;
    for (uint64_t step = 1; step < 400'000; ++step) {
      change(random, step, table, oracle);
      const uint64_t asked = random() % 150'000;
      const Slot* slot = table.find(asked).slot;
      ASSERT_EQ(slot != nullptr, oracle.count(asked) == 1);
      if (step % 50'000 == 0) expect_equal(table, oracle);
    }
    EXPECT_GT(table.size(), 16 * Table::kSegmentSlots);
    Table copy(table);
    put(copy, 1, 1);
    put(copy, 200'000, 1);
    expect_equal(table, oracle);
    Table moved(std::move(table));
    expect_equal(moved, oracle);
    oracle[1] = oracle[200'000] = 1;
    expect_equal(copy, oracle);
    copy.swap(moved);
    expect_equal(moved, oracle);
    for (const auto& [key, value] : Oracle(oracle)) {
      ASSERT_EQ(moved.erase(key).first.value, value);
      ASSERT_EQ(moved.find(key).slot, nullptr);
    }
    EXPECT_EQ(moved.size(), 0U);
  }
}

// A table of a hundred segments allocates a segment for one key, and sometimes a directory.
TEST(SegmentTableTest, NoInsertionCostsWhatTheTableIsLarge) {
  spotsigs::sample::CountedMemory memory;
  Table table(3);
  uint64_t most = 0;
  for (uint64_t key = 0; key < 300'000; ++key) {
    const uint64_t before = memory.held_bytes();
    put(table, key, 1);
    most = std::max(most, memory.held_bytes() - before);
  }
  EXPECT_GT(table.memory_bytes(), 100 * Table::kSegmentSlots * sizeof(Slot));
  EXPECT_LT(most, Table::kSegmentSlots * sizeof(Slot) + 10'000);
  EXPECT_EQ(table.memory_bytes(), memory.held_bytes());
  // A quarter of the slots at least is used, as in a table that doubles.
  EXPECT_LT(table.memory_bytes(), table.size() * sizeof(Slot) * 3);
}

// Whichever allocation fails, and however many after it, in whatever state of growth.
TEST(SegmentTableTest, WantOfMemoryLosesNothing) {
  spotsigs::sample::CountedMemory memory;
  std::mt19937_64 random(7);
  for (int round = 0; round < 20; ++round) {
    Table table(random());
    Oracle oracle;
    uint64_t failures = 0;
    for (uint64_t key = 0; key < 40'000; ++key) {
      if (key % 500 == 0) memory.fail_after(random() % 4, random() % 2 == 0);
      if (key % 500 == 100) memory.stop_failing();
      try {
        put(table, key, key + 1);
        oracle[key] = key + 1;
      } catch (const std::bad_alloc&) {
        ++failures;
        ASSERT_EQ(table.find(key).slot, nullptr);
      }
      if (random() % 8 == 0) {
        const uint64_t gone = random() % (key + 1);
        table.erase(gone);
        oracle.erase(gone);
      }
      if (key % 5'000 == 0) expect_equal(table, oracle);
    }
    memory.stop_failing();
    expect_equal(table, oracle);
    EXPECT_EQ(table.memory_bytes(), memory.held_bytes());
    EXPECT_LT(failures, 2000U);
  }
}

TEST(SegmentTableTest, ReservedInsertionsDoNotFail) {
  spotsigs::sample::CountedMemory memory;
  std::mt19937_64 random(11);
  Table table(5);
  Oracle oracle;
  uint64_t refused = 0;
  for (uint64_t key = 0; table.size() < 60'000;) {
    const uint64_t count = random() % 3 == 0 ? Table::kMostReserved : random() % 20;
    memory.fail_after(random() % 3, true);
    try {
      table.reserve_more(count);
    } catch (const std::bad_alloc&) {
      memory.stop_failing();
      ++refused;
      table.reserve_more(count);
    }
    memory.fail_after(0, true);
    for (uint64_t end = key + count; key < end; ++key) {
      ASSERT_NO_THROW(put(table, key, key + 1)) << key;
      oracle[key] = key + 1;
    }
    memory.stop_failing();
  }
  expect_equal(table, oracle);
  EXPECT_GT(refused, 0U) << "no reservation had to make room";
}

// mix() is public: without a secret anybody could write keys with any hash.
uint64_t key_with_hash(uint64_t value) {
  value ^= value >> 33;
  value *= 0x9cb4b2f8129337dbULL;
  value ^= value >> 33;
  value *= 0x4f74430c22a54005ULL;
  return value ^ value >> 33;
}

// All in one segment, each in a slot of its own: without the secret nothing can be split.
uint64_t of_one_segment(uint64_t i) {
  return key_with_hash(i);
}

TEST(SegmentTableTest, KeysOfOneSegmentAreKeptAllTheSame) {
  Table table(0);
  Oracle oracle;
  for (uint64_t i = 1; i <= 50'000; ++i) {
    ASSERT_EQ(mix(of_one_segment(i)), i);
    put(table, of_one_segment(i), i);
    oracle[of_one_segment(i)] = i;
  }
  expect_equal(table, oracle);
  EXPECT_LT(table.memory_bytes(), 64 * oracle.size() * sizeof(Slot)) << "a directory of any size";
}

TEST(SegmentTableTest, KeysThatAreWrittenForOneSegmentSpreadWithASecret) {
  constexpr uint64_t kKeys = 50'000;
  std::mt19937_64 random(23);
  Table even(random());
  for (uint64_t i = 1; i <= kKeys; ++i)
    put(even, random(), 1);
  for (int round = 0; round < 5; ++round) {
    Table table(random());
    uint64_t probes = 0;
    for (uint64_t i = 1; i <= kKeys; ++i)
      put(table, of_one_segment(i), 1);
    for (uint64_t i = 1; i <= kKeys; ++i)
      probes += table.find(of_one_segment(i)).probes;
    EXPECT_LT(probes, 3 * kKeys);  // at most three quarters of the slots are in use: 2.5 expected
    EXPECT_LT(table.memory_bytes(), even.memory_bytes() * 3 / 2);
  }
}

}  // namespace
}  // namespace nd
