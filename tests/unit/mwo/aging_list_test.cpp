// A list whose oldest entries go, at constant cost wherever they stand, against a vector.
#include "index/aging_list.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace nd {
namespace {

std::vector<int> entries_of(const AgingList<int>& list) {
  return {list.entries().begin(), list.entries().end()};
}

TEST(AgingListTest, EqualsAVectorUnderRandomChanges) {
  std::mt19937_64 random(3);
  for (const size_t length : {1U, 2U, 7U, 60U}) {
    AgingList<int> list;
    std::vector<int> oracle;
    for (int step = 0; step < 5000; ++step) {
      if (oracle.size() < length || (random() % 2 == 0 && oracle.size() < 2 * length)) {
        list.push_back(step);
        oracle.push_back(step);
      } else {
        const size_t place = random() % 2 == 0 ? 0 : random() % oracle.size();
        EXPECT_LE(list.erase(place), oracle.size());
        oracle.erase(oracle.begin() + static_cast<std::ptrdiff_t>(place));
      }
      ASSERT_EQ(entries_of(list), oracle) << step;
      ASSERT_EQ(list.size(), oracle.size());
      ASSERT_EQ(list.empty(), oracle.empty());
    }
  }
}

TEST(AgingListTest, TheOldestGoAtAConstantCostAndInBoundedMemory) {
  constexpr int kLength = 10'000;
  AgingList<int> list;
  for (int entry = 0; entry < kLength; ++entry)
    list.push_back(entry);
  const size_t bytes = list.memory_bytes();
  size_t moved = 0;
  for (int entry = 0; entry < 4 * kLength; ++entry) {
    list.push_back(entry);
    moved += list.erase(0);
  }
  EXPECT_LE(moved, size_t{4} * kLength);
  EXPECT_LE(list.memory_bytes(), 3 * bytes);
}

TEST(AgingListTest, TheShorterSideMoves) {
  AgingList<int> list;
  for (int entry = 0; entry < 1000; ++entry)
    list.push_back(entry);
  EXPECT_EQ(list.erase(999), 0U);
  EXPECT_EQ(list.erase(990), 8U);
  EXPECT_EQ(list.erase(5), 5U);
}

}  // namespace
}  // namespace nd
