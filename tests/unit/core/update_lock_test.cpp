// Modes exclude each other as they ought to, and nobody waits for more than the lock promises: counted, not
// timed.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <thread>
#include <vector>

#include "core/update_lock.hpp"

namespace nd {
namespace {

class UpdateLockTest : public ::testing::Test {
 protected:
  // Until `condition`, which other threads bring about.
  template <typename Condition>
  static void wait_for(Condition condition) {
    while (!condition())
      std::this_thread::yield();
  }

  UpdateLock lock_;
};

TEST_F(UpdateLockTest, ReadersGoOnBesideOneThatUpdates) {
  const std::unique_lock updating(lock_);
  std::thread([&] {
    const std::shared_lock one(lock_);
    std::thread([&] { const std::shared_lock other(lock_); }).join();
  }).join();
}

TEST_F(UpdateLockTest, WhoUpdatesMayReadAndChangeAgainAndAgain) {
  for (int round = 0; round < 100; ++round) {
    const std::unique_lock updating(lock_);
    { const std::shared_lock reading(lock_); }
    for (int change = 0; change < 3; ++change) {
      const UpdateLock::Change alone(lock_);
    }
    const std::shared_lock reading(lock_);
  }
}

// More threads than places to sleep.
TEST_F(UpdateLockTest, ModesExcludeEachOther) {
  constexpr int kThreads = 40;
  constexpr int kRounds = 150;
  std::atomic<int> readers{0}, updaters{0};
  std::atomic<bool> changing{false};
  uint64_t first = 0, second = 0;  // equal whenever nobody changes them
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (int round = 0; round < kRounds; ++round) {
        if (thread % 3 != 0) {
          const std::shared_lock reading(lock_);
          ++readers;
          EXPECT_FALSE(changing);
          EXPECT_EQ(first, second);
          --readers;
          continue;
        }
        const std::unique_lock updating(lock_);
        EXPECT_EQ(++updaters, 1);
        EXPECT_EQ(first, second);
        {
          const UpdateLock::Change alone(lock_);
          changing = true;
          EXPECT_EQ(readers, 0);
          ++first;
          std::this_thread::yield();
          ++second;
          changing = false;
        }
        --updaters;
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(first, uint64_t{(kThreads + 2) / 3 * kRounds});
}

// A change waits for the readers that it finds, and for none that comes after it.
TEST_F(UpdateLockTest, AChangeComesBeforeTheReadersBehindIt) {
  std::mutex order_mutex;
  std::vector<int> order;
  const auto note = [&](int who) {
    const std::lock_guard lock(order_mutex);
    order.push_back(who);
  };
  std::shared_lock first(lock_);
  std::thread changer([&] {
    const std::unique_lock updating(lock_);
    const UpdateLock::Change alone(lock_);
    note(0);
  });
  wait_for([&] { return lock_.changing(); });
  std::vector<std::thread> readers;
  for (int number = 1; number <= 5; ++number) {
    readers.emplace_back([&, number] {
      const std::shared_lock reading(lock_);
      note(number);
    });
  }
  wait_for([&] { return lock_.readers() == 6; });
  for (int i = 0; i < 1000; ++i)
    std::this_thread::yield();  // whoever may come in does
  EXPECT_TRUE(order.empty());
  first.unlock();
  changer.join();
  for (std::thread& reader : readers)
    reader.join();
  ASSERT_EQ(order.size(), 6U);
  EXPECT_EQ(order[0], 0);
}

// Changes that follow each other without a gap let in between who waited for the first of them.
TEST_F(UpdateLockTest, AReaderWaitsForOneChangeAtMost) {
  for (int round = 0; round < 50; ++round) {
    std::atomic<bool> has_read{false};
    std::unique_lock updating(lock_);
    std::optional<UpdateLock::Change> first(std::in_place, lock_);
    std::thread reader([&] {
      const std::shared_lock reading(lock_);
      has_read = true;
    });
    wait_for([&] { return lock_.readers() == 1; });
    EXPECT_FALSE(has_read);
    first.reset();
    const UpdateLock::Change second(lock_);
    EXPECT_TRUE(has_read) << "the second change began before the reader";
    reader.join();
  }
}

// Updaters are served in the order of arrival, however many there are, while others read.
TEST_F(UpdateLockTest, UpdatersComeInTheOrderOfTheirArrival) {
  constexpr size_t kUpdaters = 70;
  std::vector<size_t> order;
  std::vector<std::thread> threads;
  std::unique_lock first(lock_);
  for (size_t number = 0; number < kUpdaters; ++number) {
    const uint32_t before = lock_.waiting_updaters();
    threads.emplace_back([&, number] {
      const std::unique_lock updating(lock_);
      order.push_back(number);
    });
    wait_for([&] { return lock_.waiting_updaters() == before + 1; });
  }
  first.unlock();
  for (std::thread& thread : threads)
    thread.join();
  ASSERT_EQ(order.size(), kUpdaters);
  for (size_t number = 0; number < kUpdaters; ++number)
    EXPECT_EQ(order[number], number);
}

// A thread that does nothing but update cannot keep another one out: between any two of its turns the other
// one, once it waits, has one.
TEST_F(UpdateLockTest, AGreedyUpdaterLetsOthersTakeTurns) {
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> greedy{0};
  std::thread thread([&] {
    while (!stop) {
      const std::unique_lock updating(lock_);
      ++greedy;
    }
  });
  for (int round = 0; round < 500; ++round) {
    std::unique_lock updating(lock_);
    wait_for([&] { return lock_.waiting_updaters() == 1; });
    const uint64_t before = greedy;
    updating.unlock();
    updating.lock();  // behind it
    EXPECT_GE(greedy, before);
  }
  stop = true;
  thread.join();
  EXPECT_GE(greedy, 499U);
}

TEST_F(UpdateLockTest, CountsChanges) {
  EXPECT_EQ(lock_.changes(), 0U);
  const std::unique_lock updating(lock_);
  for (uint32_t count = 1; count < 5; ++count) {
    { const UpdateLock::Change change(lock_); }
    EXPECT_EQ(lock_.changes(), count);
  }
}

// By how long rest() takes at least, never by how fast it is.
TEST_F(UpdateLockTest, AWalkRestsAfterAPieceDuringWhichOthersMadeAChange) {
  UpdateLock::WalkPace pace(lock_);
  pace.rest();
  auto shortest = std::chrono::steady_clock::duration::max();
  for (int round = 0; round < 50; ++round) {
    {
      const std::unique_lock updating(lock_);
      const UpdateLock::Change change(lock_);
    }
    const auto start = std::chrono::steady_clock::now();
    pace.rest();
    shortest = std::min(shortest, std::chrono::steady_clock::now() - start);
  }
  EXPECT_GE(shortest, std::chrono::microseconds(100));
}

class CountingObserver : public LockObserver {
 public:
  void taken(Mode mode) noexcept override { ++taken_[static_cast<size_t>(mode)]; }
  void leaving(Mode mode) noexcept override { ++left_[static_cast<size_t>(mode)]; }
  int taken_[3] = {}, left_[3] = {};
};

TEST_F(UpdateLockTest, AnObserverHearsOfEachSection) {
  CountingObserver observer;
  lock_.observe(&observer);
  { const std::shared_lock reading(lock_); }
  {
    const std::unique_lock updating(lock_);
    { const UpdateLock::Change alone(lock_); }
    const UpdateLock::Change alone(lock_);
  }
  for (size_t mode = 0; mode < 3; ++mode) {
    const int sections = mode == 2 ? 2 : 1;
    EXPECT_EQ(observer.taken_[mode], sections);
    EXPECT_EQ(observer.left_[mode], sections);
  }
}

}  // namespace
}  // namespace nd
