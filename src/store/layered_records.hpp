// A layered table from 64-bit keys to records: objects in memory, bytes read in place in a run.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/hash_map.hpp"
#include "core/memory.hpp"
#include "core/prefetch.hpp"
#include "store/layered_table.hpp"

namespace nd::store {

// The records in one of the memory layers of a layered table, and the keys that this layer marks as erased.
//
// Records do not move. Threads: as a standard container.
template <typename Record>
class RecordLayer {
 public:
  struct Found {
    bool here;       // otherwise the layers below decide
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
  void prefetch(uint64_t key) const noexcept { places_.prefetch(key); }
  // For a key without a record here. Throws std::bad_alloc and has changed nothing.
  Record& insert(uint64_t key, Record record) {
    places_.reserve_more(1);
    Owned<Record> owned = make_owned<Record>(std::move(record));
    record_bytes_ += sizeof(Record) + owned->memory_bytes();
    Record& inserted = *owned;
    places_.put(key, reinterpret_cast<uintptr_t>(owned.release()));
    return inserted;
  }
  // Marks the key as erased in this layer. Does not allocate if the layer has the key, nor after
  // reserve_more(1).
  void set_erased(uint64_t key) noexcept {
    release(places_.find(key));
    places_.put(key, kErased);
  }
  // Removes the key from this layer.
  void forget(uint64_t key) noexcept { release(places_.erase(key)); }
  void reserve_more(size_t count) { places_.reserve_more(count); }
  void changed(uint64_t bytes_before, uint64_t bytes_after) noexcept {
    record_bytes_ += bytes_after - bytes_before;
  }

  const HashMap<uint64_t>& keys() const noexcept { return places_; }
  uint64_t memory_bytes() const noexcept { return places_.memory_bytes() + record_bytes_; }
  // Size of the records only.
  uint64_t record_bytes() const noexcept { return record_bytes_; }
  void swap(RecordLayer& other) noexcept {
    places_.swap(other.places_);
    std::swap(record_bytes_, other.record_bytes_);
  }

 private:
  static constexpr uint64_t kErased = 1;  // no valid address
  static Record* pointer(uint64_t place) noexcept { return reinterpret_cast<Record*>(place); }
  void release(uint64_t place) noexcept {
    if (place <= kErased) return;
    Owned<Record> record(pointer(place));
    record_bytes_ -= sizeof(Record) + record->memory_bytes();
  }

  HashMap<uint64_t> places_;  // addresses of records
  uint64_t record_bytes_ = 0;
};

// `Record` is the form in memory, which can be changed; `Record::View` is the form that is read, from memory
// and from runs alike: cheap to copy, and pointing into its layer. `Record` offers
//   View view() const noexcept;
//   static std::optional<View> parse(Bytes) noexcept;  nothing if the bytes cannot be a record
//   static Record copy(const View&);
//   void write(Vector<uint8_t>& out) const;            appends what parse() reads
//   uint64_t memory_bytes() const noexcept;            without sizeof(Record)
// Records do not move while they are in memory. memory_bytes() of a record is read when it is added, when it
// is removed, and by changed() after change(). A value that cannot be parsed reads as absent.
template <typename Record>
class LayeredRecords final : public TableOfLayers<RecordLayer<Record>> {
  using Table = TableOfLayers<RecordLayer<Record>>;
  using Table::active_, Table::frozen_, Table::runs_, Table::size_;

 public:
  using View = typename Record::View;

  // `secret`: see HashMap.
  explicit LayeredRecords(uint64_t secret) noexcept : Table(secret) {}

  // Valid until the record changes or is removed, or until install().
  std::optional<View> find(uint64_t key) const noexcept {
    const Found active = active_.find(key);
    return active.here ? view_of(active) : find_below(key);
  }
  // Prefetch what find() and the user of a record in memory read one after the other: the place of the key;
  // the record; what Record::prefetch() asks for. For many keys, call each of them for all keys. Records in
  // runs gain nothing.
  void prefetch(uint64_t key) const noexcept { active_.prefetch(key); }
  void prefetch_record(uint64_t key) const noexcept { nd::prefetch(active_.find(key).record); }
  void prefetch_content(uint64_t key) const noexcept {
    if (const Found active = active_.find(key); active.record != nullptr) active.record->prefetch();
  }
  // The record in the memory layer, copied there if only a layer below has it; null if absent. Valid until
  // the record is removed; not to be used for changes after freeze(). Throws std::bad_alloc; the content is
  // then the same as before.
  Record* change(uint64_t key) {
    if (const Found active = active_.find(key); active.here) return active.record;
    const std::optional<View> below = find_below(key);
    return below ? &active_.insert(key, Record::copy(*below)) : nullptr;
  }
  // Called after the record that change() or insert() returned has taken or freed memory.
  void changed(uint64_t bytes_before, uint64_t bytes_after) noexcept {
    active_.changed(bytes_before, bytes_after);
  }
  // Precondition: the key is absent. Throws std::bad_alloc and has changed nothing.
  Record& insert(uint64_t key, Record record) {
    assert(!find(key));
    Record& inserted = active_.insert(key, std::move(record));
    ++size_;
    return inserted;
  }
  // Does nothing if the key is absent. Does not allocate after reserve_more(1), nor if no layer below the
  // memory layer has the key, nor if the memory layer has it (see change()).
  void erase(uint64_t key) noexcept {
    if (!find(key)) return;
    if (find_below(key)) {
      active_.set_erased(key);
    } else {
      active_.forget(key);
    }
    if (size_ > 0) --size_;  // attach() may have been given too few
  }
  // Makes room for the keys and erasures of `count` insertions. Throws std::bad_alloc.
  void reserve_more(size_t count) { active_.reserve_more(count); }

  // visit(key, view) of all live keys from `from` on, ascending; false stops. Throws std::bad_alloc before
  // the first visit. Cost: a merge of all layers.
  template <typename Visitor>
  void for_each(uint64_t from, Visitor&& visit) const {
    LayerMerge merge(ascending_keys(active_.keys(), from), ascending_keys(frozen_.keys(), from), runs_, from);
    while (merge.next()) {
      const std::optional<View> view = view_at(merge);
      if (view && !visit(merge.key(), *view)) return;
    }
  }

  // The same for the keys below `end`, for reading a table with dense keys piece by piece. Cost: end - from
  // look-ups in memory, none if has_memory() is false, and reading the runs' entries in that range.
  template <typename Visitor>
  void for_each_within(uint64_t from, uint64_t end, Visitor&& visit) const {
    const auto keys_here = [&](const RecordLayer<Record>& layer) {
      Vector<uint64_t> keys;
      for (uint64_t key = from; layer.keys().size() != 0 && key < end; ++key) {
        if (layer.find(key).here) keys.push_back(key);
      }
      return keys;
    };
    LayerMerge merge(keys_here(active_), keys_here(frozen_), runs_, from);
    while (merge.next() && merge.key() < end) {
      const std::optional<View> view = view_at(merge);
      if (view && !visit(merge.key(), *view)) return;
    }
  }
  // Whether one of the memory layers has a key.
  bool has_memory() const noexcept { return active_.keys().size() != 0 || frozen_.keys().size() != 0; }

  // The part of memory_bytes() that is records, without the tables that find them.
  uint64_t record_bytes() const noexcept { return active_.record_bytes() + frozen_.record_bytes(); }
  Result<void> write_frozen(RunSink& sink) const override {
    Vector<uint8_t> bytes;
    for (const uint64_t key : ascending_keys(frozen_.keys(), 0)) {
      const Record* record = frozen_.find(key).record;
      bytes.clear();
      if (record != nullptr) record->write(bytes);
      Result<void> added = record != nullptr ? sink.add(key, bytes) : sink.add_erased(key);
      if (!added) return added;
    }
    return {};
  }

 private:
  using Found = typename RecordLayer<Record>::Found;

  static std::optional<View> view_of(const Found& found) noexcept {
    if (found.record == nullptr) return std::nullopt;
    return std::as_const(*found.record).view();
  }
  std::optional<View> find_below(uint64_t key) const noexcept {
    if (const Found frozen = frozen_.find(key); frozen.here) return view_of(frozen);
    const std::optional<RunEntry> entry = find_in_runs(runs_, key);
    return entry && !entry->erased ? Record::parse(entry->value) : std::nullopt;
  }
  std::optional<View> view_at(const LayerMerge& merge) const noexcept {
    if (const RecordLayer<Record>* layer = this->memory_layer(merge))
      return view_of(layer->find(merge.key()));
    return merge.entry().erased ? std::nullopt : Record::parse(merge.entry().value);
  }
};

}  // namespace nd::store
