// Records in the order of their age, against a map under random changes.
#include "index/aged_records.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace nd {
namespace {

struct Record {
  Vector<uint64_t> values;
  uint64_t memory_bytes() const noexcept { return values.capacity() * sizeof(uint64_t); }
};

TEST(AgedRecordsTest, EqualsAMapUnderRandomChanges) {
  std::mt19937_64 random(2);
  AgedRecords<Record> records(3);
  struct Kept {
    uint64_t id;
    uint64_t value;
  };
  std::map<uint32_t, Kept> oracle;  // by number
  uint32_t last = 0;
  for (uint64_t id = 1; id <= 5000; ++id) {
    if (random() % 2 == 0 || oracle.empty()) {
      const uint32_t number = records.add(id, {{id, id + 1}});
      ASSERT_GT(number, last);
      last = number;
      oracle[number] = {id, id};
    } else {
      auto at = oracle.begin();
      std::advance(at, random() % oracle.size());
      if (random() % 3 == 0) {
        records.replace(at->first, {{id}});
        at->second.value = id;
      } else {
        const auto [number, kept] = *at;
        ASSERT_EQ(records.number_of(kept.id), number);
        ASSERT_EQ(records.id_of(number), kept.id);
        ASSERT_EQ(records.record(number).values[0], kept.value);
        records.remove(number);
        ASSERT_EQ(records.number_of(kept.id), 0U);
        ASSERT_FALSE(records.contains(number));
        oracle.erase(at);
      }
    }
    ASSERT_EQ(records.size(), oracle.size());
    ASSERT_EQ(records.oldest(), oracle.empty() ? 0 : oracle.begin()->first);
  }
  Vector<uint32_t> expected;
  for (const auto& [number, kept] : oracle)
    expected.push_back(number);
  EXPECT_EQ(records.numbers(), expected);
  EXPECT_GT(expected.size(), 5U);
}

TEST(AgedRecordsTest, FreeEntriesAreUsedAgain) {
  AgedRecords<Record> records(1);
  uint64_t held = 0;
  for (uint64_t id = 1; id <= 10000; ++id) {
    records.remove(records.add(id, {{id}}));
    if (id == 10) held = records.memory_bytes();
  }
  EXPECT_EQ(records.memory_bytes(), held);
  EXPECT_EQ(records.oldest(), 0U);
}

}  // namespace
}  // namespace nd
