// Records what happened to pages and groups beyond the answers of the calls themselves.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>

#include "core/memory.hpp"
#include "store/layered_records.hpp"

namespace nd::engine {

// The values are those of ndcapi.h.
enum class EventKind : int32_t { kRegrouped = 1, kRemoved = 2, kReelected = 3, kLimit = 4 };

// Written to files as it is in memory.
struct Event {
  EventKind kind;
  uint32_t reserved;  // 0
  uint64_t sequence;
  uint64_t page_id;
  uint64_t old_group_id;
  uint64_t new_group_id;
  int64_t at_ms;
};
static_assert(sizeof(Event) == 48 && std::has_unique_object_representations_v<Event>);

// An event as a record of a layered table (store/layered_records.hpp).
struct EventRecord {
  using View = const Event*;

  View view() const noexcept { return &event; }
  // Nothing if the bytes are not those of an event.
  static std::optional<View> parse(store::Bytes bytes) noexcept;
  static EventRecord copy(const View& view) { return {*view}; }
  void write(Vector<uint8_t>& out) const;
  uint64_t memory_bytes() const noexcept { return 0; }

  Event event;
};

// Keeps the last `limit` events, in a layered table keyed by their sequence number. Threads: any number of
// readers, or one writer; LayeredTable says what may run alongside.
class EventLog {
 public:
  // No crawl gets so far; a forged store may begin there.
  static constexpr uint64_t kGreatestSequence = uint64_t{1} << 62;

  explicit EventLog(uint32_t limit) noexcept : limit_(limit), events_(kSecret) {}

  // Losing an event for lack of memory, or of numbers, is better than failing the change that it reports; its
  // sequence number, if there is one, is used up.
  void append(EventKind kind, uint64_t page_id, uint64_t old_group_id, uint64_t new_group_id,
              int64_t at_ms) noexcept;
  // Takes over the events of another log, with their numbers, into an empty one.
  void take_all(const EventLog& other);
  // In order. Cost: a look-up per event.
  Vector<Event> after(uint64_t sequence) const;
  // One piece of them: those after `sequence`, up to `last`, in order. Returns the sequence number to
  // continue after.
  uint64_t append_after(uint64_t sequence, uint64_t last, Vector<Event>& events) const;
  // Earlier events are no longer listed: for Store::forget_below().
  uint64_t first_kept() const noexcept { return last_sequence_ < limit_ ? 1 : last_sequence_ - limit_ + 1; }
  // Bytes of the layers in memory.
  uint64_t memory_bytes() const noexcept { return events_.memory_bytes(); }

  // The state of the log besides its events; 0: there has been none yet.
  uint64_t last_sequence() const noexcept { return last_sequence_; }
  // Empties the log, except for events of the same moment that were attached to its table.
  void restore(uint64_t last_sequence) noexcept { last_sequence_ = last_sequence; }
  store::LayeredTable& table() noexcept { return events_; }

 private:
  static constexpr uint64_t kPieceEvents = 256;
  static constexpr uint64_t kSecret = 0;  // the keys are a counter: nobody can choose them

  uint32_t limit_;
  uint64_t last_sequence_ = 0;
  store::LayeredRecords<EventRecord> events_;
};

}  // namespace nd::engine
