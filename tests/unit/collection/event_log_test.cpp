// Which events stay, in which order, and how much memory they may take.
#include "collection/event_log.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <random>

#include "unit/store/memory_run.hpp"

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
  EXPECT_EQ(none.memory_bytes(), EventLog(0).memory_bytes());
  EXPECT_EQ(none.last_sequence(), 1U);
  EXPECT_EQ(none.first_kept(), 2U);
}

TEST(EventLogTest, MemoryStaysBelowTheLimit) {
  EventLog log(16);
  uint64_t most = 0;
  for (int i = 0; i < 1000; ++i) {
    log.append(EventKind::kLimit, 1, 0, 0, 0);
    if (i < 100) most = std::max(most, log.memory_bytes());
  }
  EXPECT_GE(log.memory_bytes(), 16 * sizeof(Event));
  EXPECT_LE(log.memory_bytes(), most);
  EXPECT_EQ(log.table().size(), 16U);
}

TEST(EventLogTest, FirstKept) {
  EventLog log(3);
  EXPECT_EQ(log.first_kept(), 1U);
  for (uint64_t expected : {1U, 1U, 1U, 2U, 3U}) {
    log.append(EventKind::kLimit, 1, 0, 0, 0);
    EXPECT_EQ(log.first_kept(), expected);
  }
}

std::vector<uint64_t> numbers(const Vector<Event>& events) {
  std::vector<uint64_t> out;
  for (const Event& event : events) {
    out.insert(out.end(), {static_cast<uint64_t>(event.kind), event.sequence, event.page_id,
                           event.old_group_id, event.new_group_id, static_cast<uint64_t>(event.at_ms)});
  }
  return out;
}

TEST(EventLogTest, TheLayersMakeNoDifference) {
  constexpr uint32_t kLimit = 50;
  std::mt19937_64 random(6);
  std::deque<Event> expected;
  store::sample::Snapshots snapshots;
  auto log = std::make_unique<EventLog>(kLimit);
  for (uint64_t sequence = 1; sequence <= 1500; ++sequence) {
    const Event event{EventKind(1 + random() % 4),   0, sequence, random(), random(), random(),
                      static_cast<int64_t>(random())};
    log->append(event.kind, event.page_id, event.old_group_id, event.new_group_id, event.at_ms);
    expected.push_back(event);
    if (expected.size() > kLimit) expected.pop_front();
    const uint64_t after = sequence - std::min<uint64_t>(sequence, random() % 70);
    Vector<Event> wanted;
    for (const Event& known : expected) {
      if (known.sequence > after) wanted.push_back(known);
    }
    ASSERT_EQ(numbers(log->after(after)), numbers(wanted)) << sequence;
    ASSERT_EQ(log->first_kept(), expected.front().sequence);
    ASSERT_EQ(log->table().size(), expected.size());
    if (random() % 8 == 0) {
      ASSERT_TRUE(snapshots.step(log->table(), random));
    }
    if (random() % 50 != 0) continue;
    ASSERT_TRUE(snapshots.finish(log->table(), random));
    const uint64_t last = log->last_sequence();
    log = std::make_unique<EventLog>(kLimit);
    log->table().attach(snapshots.runs(), expected.size());
    log->restore(last);
  }
}

TEST(EventLogTest, ALowerLimitHidesWhatTheStoreHas) {
  store::sample::Snapshots snapshots;
  EventLog large(100);
  for (uint64_t page = 1; page <= 40; ++page)
    large.append(EventKind::kRemoved, page, 0, 0, 0);
  std::mt19937_64 random(1);
  ASSERT_TRUE(snapshots.finish(large.table(), random));
  EventLog small(10);
  small.table().attach(snapshots.runs(), 40);
  small.restore(large.last_sequence());
  ASSERT_EQ(small.after(0).size(), 10U);
  EXPECT_EQ(small.after(0).front().page_id, 31U);
  small.append(EventKind::kRemoved, 41, 0, 0, 0);
  ASSERT_EQ(small.after(0).size(), 10U);
  EXPECT_EQ(small.after(0).back().page_id, 41U);
}

TEST(EventLogTest, OnlyAnEventIsParsed) {
  struct alignas(8) {
    Event event{EventKind::kLimit, 0, 1, 2, 3, 4, 5};
    uint64_t more = 0;
  } stored;
  const auto parses = [&](size_t offset, size_t size) {
    return EventRecord::parse({reinterpret_cast<const uint8_t*>(&stored) + offset, size}).has_value();
  };
  for (size_t size = 0; size <= sizeof stored; ++size)
    EXPECT_EQ(parses(0, size), size == sizeof(Event)) << size;
  EXPECT_FALSE(parses(4, sizeof(Event))) << "not aligned";
  for (int32_t kind : {-1, 0, 6, INT32_MIN, INT32_MAX}) {
    stored.event.kind = EventKind{kind};
    EXPECT_FALSE(parses(0, sizeof(Event))) << kind;
  }
}

}  // namespace
}  // namespace nd::engine
