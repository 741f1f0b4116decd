#include "engine/event_log.hpp"

#include <gtest/gtest.h>

namespace nd::engine {
namespace {

TEST(EventLogTest, KeepsTheLastInOrder) {
  EventLog log(3);
  for (uint64_t page = 1; page <= 5; ++page)
    log.append(EventKind::kRemoved, page, 10 + page, 0, static_cast<int64_t>(page));
  const Vector<Event> events = log.after(0);
  ASSERT_EQ(events.size(), 3U);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(events[i].sequence, i + 3);
    EXPECT_EQ(events[i].page_id, i + 3);
    EXPECT_EQ(events[i].old_group_id, i + 13);
    EXPECT_EQ(events[i].at_ms, static_cast<int64_t>(i + 3));
    EXPECT_EQ(events[i].kind, EventKind::kRemoved);
  }
}

TEST(EventLogTest, AfterASequence) {
  EventLog log(10);
  for (uint64_t page = 1; page <= 4; ++page)
    log.append(EventKind::kRegrouped, page, 0, 0, 0);
  EXPECT_EQ(log.after(2).size(), 2U);
  EXPECT_EQ(log.after(2).front().sequence, 3U);
  EXPECT_TRUE(log.after(4).empty());
  EXPECT_TRUE(log.after(UINT64_MAX).empty());
}

TEST(EventLogTest, KeepingNoneStillCounts) {
  EventLog none(0);
  none.append(EventKind::kLimit, 1, 0, 0, 0);
  EXPECT_TRUE(none.after(0).empty());
  EXPECT_EQ(none.memory_bytes(), 0U);
}

TEST(EventLogTest, MemoryStaysBelowTheLimit) {
  EventLog log(16);
  for (int i = 0; i < 1000; ++i)
    log.append(EventKind::kLimit, 1, 0, 0, 0);
  EXPECT_EQ(log.memory_bytes(), 16 * sizeof(Event));
}

}  // namespace
}  // namespace nd::engine
