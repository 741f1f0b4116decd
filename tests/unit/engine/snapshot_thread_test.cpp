// Who waits for an automatic snapshot, and who need not.
#include "engine/snapshot_thread.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

namespace nd::engine {
namespace {

// A thread whose first snapshot runs until it is let go on.
class SnapshotThreadTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(snapshots_.start([this] {
      if (++taken_ > 1) return;
      has_begun_.set_value();
      may_end_.get_future().wait();
    }));
    snapshots_.ask();
    has_begun_.get_future().wait();
  }

  std::atomic<int> taken_ = 0;
  std::promise<void> has_begun_;
  std::promise<void> may_end_;
  SnapshotThread snapshots_;  // stops before what it uses ends
};

TEST_F(SnapshotThreadTest, ASnapshotThatBeganBeforeIsNotWaitedForAlone) {
  bool is_let_on = false;
  snapshots_.wait([&] {
    if (!is_let_on) may_end_.set_value();
    is_let_on = true;
    return false;
  });
  // Changes between the beginning of the first and the call are only in the second.
  EXPECT_EQ(taken_.load(), 2);
}

TEST_F(SnapshotThreadTest, NobodyWaitsWhereItIsEnough) {
  snapshots_.wait([] { return true; });
  EXPECT_EQ(taken_.load(), 1);
  may_end_.set_value();
  snapshots_.stop();
  EXPECT_EQ(taken_.load(), 1);
}

}  // namespace
}  // namespace nd::engine
