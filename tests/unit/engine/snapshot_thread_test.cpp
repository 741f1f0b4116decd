// Who waits for an automatic snapshot, and who need not.
#include "engine/snapshot_thread.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
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

// A host's handlers must not run on a thread that the host does not know.
TEST(SnapshotThreadSignals, ItTakesNone) {
  std::promise<bool> takes_one;
  SnapshotThread snapshots;
  ASSERT_TRUE(snapshots.start([&] {
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    takes_one.set_value(sigismember(&mask, SIGTERM) == 0 || sigismember(&mask, SIGUSR1) == 0 ||
                        sigismember(&mask, SIGBUS) != 0);
  }));
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  EXPECT_EQ(sigismember(&mask, SIGTERM), 0) << "the mask of the thread that opens stays";
  snapshots.ask();
  EXPECT_FALSE(takes_one.get_future().get()) << "but what a fault raises";
}

}  // namespace
}  // namespace nd::engine
