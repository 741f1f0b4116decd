// The queue in which an engine's log waits for Java: order, bounds, and lines from several threads.
#include <log_queue.hpp>

#include <gtest/gtest.h>
#include <ndcapi.h>

#include <thread>

namespace ndc::jni {
namespace {

TEST(LogQueueTest, GivesLinesInTheirOrderOnce) {
  LogQueue queue;
  EXPECT_TRUE(queue.empty());
  queue.add(ND_LOG_ERROR, "first");
  queue.add(ND_LOG_WARNING, "second");
  EXPECT_FALSE(queue.empty());
  const auto lines = queue.take();
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].level, ND_LOG_ERROR);
  EXPECT_EQ(lines[0].text, "first");
  EXPECT_EQ(lines[1].text, "second");
  EXPECT_TRUE(queue.empty());
  EXPECT_TRUE(queue.take().empty());
}

TEST(LogQueueTest, IsBoundedAndTellsWhatItDropped) {
  LogQueue queue;
  for (int i = 0; i < 1007; ++i)
    queue.add(ND_LOG_WARNING, std::to_string(i));
  auto lines = queue.take();
  ASSERT_EQ(lines.size(), 1001U);
  EXPECT_EQ(lines[999].text, "999");
  EXPECT_EQ(lines[1000].level, ND_LOG_WARNING);
  EXPECT_EQ(lines[1000].text, "7 more lines of the log were dropped");
  queue.add(ND_LOG_WARNING, "again");
  lines = queue.take();
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].text, "again");
}

TEST(LogQueueTest, CutsALongLine) {
  LogQueue queue;
  queue.add(ND_LOG_WARNING, std::string(100000, 'x'));
  EXPECT_EQ(queue.take()[0].text, std::string(4096, 'x'));
}

TEST(LogQueueTest, TakesLinesFromSeveralThreads) {
  LogQueue queue;
  const auto tell = [&] {
    for (int i = 0; i < 100; ++i)
      queue.add(ND_LOG_WARNING, "line");
  };
  std::thread first(tell);
  std::thread second(tell);
  size_t taken = 0;
  while (taken < 200)
    taken += queue.take().size();
  first.join();
  second.join();
  EXPECT_EQ(taken, 200U);
  EXPECT_TRUE(queue.empty());
}

}  // namespace
}  // namespace ndc::jni
