// Elements that stay where they are while others come and go, with failing memory.
#include "core/recycling_array.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "unit/spotsigs/counted_memory.hpp"

namespace nd {
namespace {

TEST(RecyclingArrayTest, EqualsAMapUnderRandomChanges) {
  std::mt19937_64 random(3);
  RecyclingArray<Vector<uint64_t>> array;
  std::map<uint32_t, uint64_t> oracle;
  size_t most = 0;
  for (uint64_t step = 1; step < 20'000; ++step) {
    if (oracle.empty() || random() % 5 < 3) {
      const uint32_t place = array.take();
      ASSERT_TRUE(array[place].empty());
      array[place].push_back(step);
      ASSERT_TRUE(oracle.emplace(place, step).second);
    } else {
      auto gone = oracle.lower_bound(static_cast<uint32_t>(random() % 4000));
      if (gone == oracle.end()) gone = oracle.begin();
      array.give_back(gone->first);
      oracle.erase(gone);
    }
    most = std::max(most, oracle.size());
    ASSERT_EQ(array.size(), oracle.size());
  }
  for (const auto& [place, value] : oracle) {
    EXPECT_EQ(array[place].at(0), value);
    EXPECT_LT(place, most) << "places are given again";
  }
  size_t used = 0;
  array.for_each_place([&](uint32_t place, const Vector<uint64_t>& element) {
    EXPECT_EQ(oracle.count(place) == 1, !element.empty());
    used += !element.empty();
  });
  EXPECT_EQ(used, oracle.size());
}

TEST(RecyclingArrayTest, ElementsStayWhereTheyAre) {
  RecyclingArray<uint64_t> array;
  uint64_t* first = &array[array.take()];
  for (int i = 0; i < 10'000; ++i)
    array.take();
  EXPECT_EQ(first, &array[0]);
}

TEST(RecyclingArrayTest, WantOfMemoryChangesNothing) {
  spotsigs::sample::CountedMemory memory;
  RecyclingArray<uint64_t> array;
  for (uint64_t i = 0; i < 3000; ++i) {
    memory.fail_after(0, true);
    try {
      array.take();
    } catch (const std::bad_alloc&) {
      memory.stop_failing();
      ASSERT_EQ(array.size(), i);
      array.reserve_one();
      memory.fail_after(0, true);
      array.take();
    }
    memory.stop_failing();
    ASSERT_EQ(array.memory_bytes(), memory.held_bytes());
    array[static_cast<size_t>(i)] = i;
  }
  for (uint64_t i = 0; i < 3000; ++i)
    EXPECT_EQ(array[static_cast<size_t>(i)], i);
}

}  // namespace
}  // namespace nd
