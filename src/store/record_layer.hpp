// The records of a layered table that stand in one of memory's layers, and the keys that it has as erased.
#pragma once

#include <cstdint>
#include <utility>

#include "core/memory.hpp"
#include "core/number_map.hpp"

namespace nd::store {

// Records do not move. Threads: as a standard container.
template <typename Record>
class RecordLayer {
 public:
  struct Found {
    bool here;       // else the layers below speak for the key
    Record* record;  // null: erased
  };

  explicit RecordLayer(uint64_t secret) noexcept : places_(secret) {}
  RecordLayer(const RecordLayer&) = delete;
  RecordLayer& operator=(const RecordLayer&) = delete;
  ~RecordLayer() {
    places_.for_each([this](uint64_t, uint64_t place) { release(place); });
  }

  Found find(uint64_t key) const noexcept {
    const uint64_t place = places_.find(key);
    return {place != 0, place > kErased ? pointer(place) : nullptr};
  }
  // A key that has no record here. Throws std::bad_alloc and has changed nothing.
  Record& insert(uint64_t key, Record record) {
    places_.reserve_more(1);
    Owned<Record> owned = make_owned<Record>(std::move(record));
    record_bytes_ += sizeof(Record) + owned->memory_bytes();
    Record& inserted = *owned;
    places_.put(key, reinterpret_cast<uintptr_t>(owned.release()));
    return inserted;
  }
  // The layer has the key as erased from now on. Does not allocate if it had the key, nor after
  // reserve_more(1).
  void set_erased(uint64_t key) noexcept {
    release(places_.find(key));
    places_.put(key, kErased);
  }
  // The layer does not have the key any more.
  void forget(uint64_t key) noexcept { release(places_.erase(key)); }
  void reserve_more(size_t count) { places_.reserve_more(count); }
  void changed(uint64_t bytes_before, uint64_t bytes_after) noexcept {
    record_bytes_ += bytes_after - bytes_before;
  }

  const NumberMap& keys() const noexcept { return places_; }
  uint64_t memory_bytes() const noexcept { return places_.memory_bytes() + record_bytes_; }
  // Of the records alone.
  uint64_t record_bytes() const noexcept { return record_bytes_; }
  void swap(RecordLayer& other) noexcept {
    places_.swap(other.places_);
    std::swap(record_bytes_, other.record_bytes_);
  }

 private:
  static constexpr uint64_t kErased = 1;  // no address
  static Record* pointer(uint64_t place) noexcept { return reinterpret_cast<Record*>(place); }
  void release(uint64_t place) noexcept {
    if (place <= kErased) return;
    Owned<Record> record(pointer(place));
    record_bytes_ -= sizeof(Record) + record->memory_bytes();
  }

  NumberMap places_;  // addresses of records
  uint64_t record_bytes_ = 0;
};

}  // namespace nd::store
