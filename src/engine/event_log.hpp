// What happened to pages and groups beyond the answers of the calls themselves.
#pragma once

#include <cstdint>
#include <deque>

#include "core/memory.hpp"

namespace nd::engine {

// The values are those of ndcapi.h.
enum class EventKind : int32_t { kRegrouped = 1, kRemoved = 2, kReelected = 3, kLimit = 4 };

struct Event {
  EventKind kind;
  uint64_t sequence;
  uint64_t page_id;
  uint64_t old_group_id;
  uint64_t new_group_id;
  int64_t at_ms;
};

// Keeps the last `limit` events. Threads: any number of readers, or one writer.
class EventLog {
 public:
  explicit EventLog(uint32_t limit) : limit_(limit) {}  // the deque allocates

  // Losing an event for want of memory is better than failing the change it tells of.
  void append(EventKind kind, uint64_t page_id, uint64_t old_group_id, uint64_t new_group_id,
              int64_t at_ms) noexcept {
    ++last_sequence_;
    try {
      if (limit_ == 0) return;
      if (events_.size() == limit_) events_.pop_front();
      events_.push_back({kind, last_sequence_, page_id, old_group_id, new_group_id, at_ms});
    } catch (const std::bad_alloc&) {
      return;
    }
  }
  Vector<Event> after(uint64_t sequence) const {
    Vector<Event> out;
    for (const Event& event : events_) {
      if (event.sequence > sequence) out.push_back(event);
    }
    return out;
  }
  uint64_t memory_bytes() const noexcept { return events_.size() * sizeof(Event); }

 private:
  uint32_t limit_;
  uint64_t last_sequence_ = 0;
  std::deque<Event, Allocator<Event>> events_;
};

}  // namespace nd::engine
