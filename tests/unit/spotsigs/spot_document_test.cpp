// Shared signatures that stand in memory once, also on many threads.
#include "spotsigs/spot_document.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "unit/spotsigs/counted_memory.hpp"

namespace nd::spotsigs {
namespace {

TEST(SharedSpotsTest, StandInMemoryOnceAndGoWithTheirLastHolder) {
  sample::CountedMemory memory;
  const std::vector<PackedSpot> spots = {make_packed_spot({3, 1}), make_packed_spot({7, 2})};
  const uint64_t before = memory.held_bytes();
  {
    SharedSpots one{PackedSpots(spots)};
    EXPECT_EQ(memory.held_bytes() - before, one.memory_bytes());
    EXPECT_EQ(one.memory_bytes(), 24U);
    SharedSpots other = one;
    EXPECT_EQ(other.spots().data(), one.spots().data());
    one = SharedSpots();
    EXPECT_TRUE(one.spots().empty());
    EXPECT_TRUE(std::ranges::equal(other.spots(), spots));
    SharedSpots moved = std::move(other);
    EXPECT_TRUE(std::ranges::equal(moved.spots(), spots));
    moved = SharedSpots(moved);
    EXPECT_TRUE(std::ranges::equal(moved.spots(), spots));
  }
  EXPECT_EQ(memory.held_bytes(), before);
}

TEST(SharedSpotsTest, NoneTakeNothing) {
  sample::CountedMemory memory;
  const SharedSpots none{PackedSpots()};
  EXPECT_EQ(none.memory_bytes(), 0U);
  EXPECT_EQ(memory.held_bytes(), 0U);
  EXPECT_TRUE(SharedSpots(none).spots().empty());
  memory.fail_after(0, true);
  const std::vector<PackedSpot> spots(5, 9);
  EXPECT_THROW(SharedSpots{PackedSpots(spots)}, std::bad_alloc);
}

TEST(SharedSpotsTest, CopiesComeAndGoOnManyThreads) {
  const std::vector<PackedSpot> spots(100, 9);
  SharedSpots shared{PackedSpots(spots)};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([own = shared] {
      for (int round = 0; round < 1000; ++round)
        EXPECT_EQ(SharedSpots(own).spots().size(), 100U);
    });
  }
  shared = SharedSpots();
  for (std::thread& thread : threads)
    thread.join();
}

}  // namespace
}  // namespace nd::spotsigs
