// Lists of numbers against a vector, also while others read.
#include "store/number_list.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "unit/spotsigs/counted_memory.hpp"

namespace nd::store {
namespace {

using Numbers = std::vector<uint64_t>;

Numbers numbers_of(const NumberList& list) {
  return {list.numbers().begin(), list.numbers().end()};
}

TEST(NumberListTest, EqualsAVectorUnderRandomChanges) {
  std::mt19937_64 random(3);
  for (const size_t length : {1U, 2U, 7U, 60U}) {
    NumberList list;
    Numbers oracle;
    for (int step = 0; step < 5000; ++step) {
      if (oracle.size() < length || (random() % 2 == 0 && oracle.size() < 2 * length)) {
        const uint64_t number = random() % 1000;
        list.add(number);
        oracle.push_back(number);
      } else {
        const size_t place = random() % 2 == 0 ? 0 : random() % oracle.size();
        EXPECT_LE(list.erase(place), oracle.size());
        oracle.erase(oracle.begin() + static_cast<std::ptrdiff_t>(place));
      }
      ASSERT_EQ(numbers_of(list), oracle) << step;
      ASSERT_EQ(list.size(), oracle.size());
      ASSERT_EQ(list.empty(), oracle.empty());
      if (list.content().ascends) {
        ASSERT_TRUE(std::ranges::is_sorted(oracle));
      }
    }
  }
}

TEST(NumberListTest, TheOldestGoAtAConstantCostAndInBoundedMemory) {
  constexpr uint64_t kLength = 10'000;
  NumberList list;
  for (uint64_t number = 0; number < kLength; ++number)
    list.add(number);
  EXPECT_TRUE(list.content().ascends);
  const size_t bytes = list.memory_bytes();
  size_t moved = 0;
  for (uint64_t number = 0; number < 4 * kLength; ++number) {
    list.add(kLength + number);
    moved += list.erase(0);
  }
  EXPECT_TRUE(list.content().ascends);
  EXPECT_LE(moved, size_t{4} * kLength);
  EXPECT_LE(list.memory_bytes(), 3 * bytes);
}

TEST(NumberListTest, TheShorterSideMoves) {
  NumberList list;
  for (uint64_t number = 0; number < 1000; ++number)
    list.add(number);
  EXPECT_EQ(list.erase(999), 0U);
  EXPECT_EQ(list.erase(990), 8U);
  EXPECT_EQ(list.erase(5), 5U);
}

// A reader's view of a list is valid until the memory that the addition returned is released.
TEST(NumberListTest, AnAdditionBesideReadersLeavesThemWhatTheyHave) {
  spotsigs::sample::CountedMemory memory;
  {
    NumberList list;
    std::vector<std::pair<uint64_t*, NumberList::Content>> kept;
    for (uint64_t number = 1; number <= 100; ++number) {
      const NumberList::Content before = list.content();
      if (uint64_t* replaced = list.add_concurrently(number)) kept.emplace_back(replaced, before);
      ASSERT_EQ(list.size(), number);
    }
    EXPECT_EQ(kept.size(), 7U) << "as often as it doubles";
    for (const auto& [replaced, content] : kept) {
      for (size_t i = 0; i < content.numbers.size(); ++i)
        EXPECT_EQ(content.numbers[i], i + 1);
      release_bytes(replaced);
    }
    EXPECT_EQ(list.memory_bytes(), memory.held_bytes());
    memory.fail_after(0, true);
    while (list.size() * sizeof(uint64_t) < list.memory_bytes())
      list.add(7);
    const Numbers full = numbers_of(list);
    EXPECT_THROW(list.add(8), std::bad_alloc);
    EXPECT_EQ(numbers_of(list), full);
    EXPECT_FALSE(list.content().ascends);
    memory.stop_failing();
    NumberList other = std::move(list);
    EXPECT_EQ(numbers_of(other), full);
    EXPECT_FALSE(other.content().ascends);
    EXPECT_TRUE(list.empty());
  }
  EXPECT_EQ(memory.held_bytes(), 0U);
}

}  // namespace
}  // namespace nd::store
