// When a walk rests: by how long rest() takes at least, never by how fast it is.
#include "engine/walk_pace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <mutex>

namespace nd::engine {
namespace {

TEST(WalkPace, RestsAfterAPieceDuringWhichOthersMadeAChange) {
  UpdateLock lock;
  WalkPace pace(lock);
  const auto least = [&] {
    auto shortest = std::chrono::steady_clock::duration::max();
    for (int round = 0; round < 50; ++round) {
      {
        const std::unique_lock updating(lock);
        const UpdateLock::Change change(lock);
      }
      const auto start = std::chrono::steady_clock::now();
      pace.rest();
      shortest = std::min(shortest, std::chrono::steady_clock::now() - start);
    }
    return shortest;
  };
  EXPECT_GE(least(), std::chrono::microseconds(100));
}

TEST(UpdateLockChanges, AreCounted) {
  UpdateLock lock;
  EXPECT_EQ(lock.changes(), 0U);
  const std::unique_lock updating(lock);
  for (uint32_t count = 1; count < 5; ++count) {
    { const UpdateLock::Change change(lock); }
    EXPECT_EQ(lock.changes(), count);
  }
}

}  // namespace
}  // namespace nd::engine
