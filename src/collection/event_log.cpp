// Appends, reads and expires events; the oldest are dropped when the log reaches its limit.
#include "collection/event_log.hpp"

#include <algorithm>

#include "core/byte_stream.hpp"

namespace nd::engine {

std::optional<EventRecord::View> EventRecord::parse(store::Bytes bytes) noexcept {
  if (bytes.size() != sizeof(Event) || reinterpret_cast<uintptr_t>(bytes.data()) % alignof(Event) != 0)
    return std::nullopt;
  const auto* event = reinterpret_cast<const Event*>(bytes.data());
  if (event->kind < EventKind::kRegrouped || event->kind > EventKind::kLimit) return std::nullopt;
  return event;
}

void EventRecord::write(Vector<uint8_t>& out) const {
  ByteWriter(out).number(event);
}

void EventLog::append(EventKind kind, uint64_t page_id, uint64_t old_group_id, uint64_t new_group_id,
                      int64_t at_ms) noexcept {
  if (last_sequence_ == kGreatestSequence) return;
  ++last_sequence_;
  try {
    if (limit_ == 0) return;
    events_.insert(last_sequence_, {{kind, 0, last_sequence_, page_id, old_group_id, new_group_id, at_ms}});
    if (last_sequence_ <= limit_) return;
    events_.reserve_more(1);
    events_.erase(last_sequence_ - limit_);
  } catch (const std::bad_alloc&) {
    return;
  }
}

void EventLog::take_all(const EventLog& other) {
  for (const Event& event : other.after(0)) {
    restore(event.sequence - 1);
    append(event.kind, event.page_id, event.old_group_id, event.new_group_id, event.at_ms);
  }
  restore(other.last_sequence());
}

Vector<Event> EventLog::after(uint64_t sequence) const {
  Vector<Event> out;
  while (sequence < last_sequence_)
    sequence = append_after(sequence, last_sequence_, out);
  return out;
}

uint64_t EventLog::append_after(uint64_t sequence, uint64_t last, Vector<Event>& events) const {
  if (sequence >= last) return last;
  const uint64_t first = std::max(sequence + 1, first_kept());
  const uint64_t end = last >= first ? first + std::min(kPieceEvents, last - first + 1) : last + 1;
  for (uint64_t next = first; next < end; ++next) {
    if (const std::optional<const Event*> event = events_.find(next)) events.push_back(**event);
  }
  return end - 1;
}

}  // namespace nd::engine
