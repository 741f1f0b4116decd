// What all tables of a store have in common. A table maps 64-bit keys to values and consists of layers. The
// top layer, in memory, has what changed since the last snapshot; below it, while a snapshot is being
// written, is the frozen layer that the snapshot takes; below that are the sorted runs of the store. The
// topmost layer that has a key, or marks it as erased, determines its value.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/hash_map.hpp"
#include "core/memory.hpp"
#include "core/packed_number_map.hpp"
#include "core/relaxed_counter.hpp"
#include "core/result.hpp"
#include "store/run.hpp"

namespace nd::store {

// Threads: any number of readers, or one writer; write_frozen() and discard() may run alongside both.
class LayeredTable {
 public:
  virtual ~LayeredTable() = default;

  // Live keys in all layers.
  virtual uint64_t size() const noexcept = 0;
  // Bytes of the memory layers, including the frozen one.
  virtual uint64_t memory_bytes() const noexcept = 0;

  // Takes the runs of a store that is being opened, and their number of live keys. The table must be empty.
  virtual void attach(Runs runs, uint64_t size) noexcept = 0;
  // Allocates what freeze() needs. Throws std::bad_alloc and has changed nothing.
  virtual void prepare_freeze() {}
  // After prepare_freeze(); there must be no frozen layer from before.
  virtual void freeze() noexcept = 0;
  virtual bool has_frozen() const noexcept = 0;
  // Ascending by key. Erased keys that no run has may be left out.
  virtual Result<void> write_frozen(RunSink& sink) const = 0;
  // The frozen layer has become part of these runs, which from now on are all the runs of the table, and is
  // set aside. Pointers and views into older layers become invalid.
  virtual void install(Runs runs) noexcept = 0;
  // Frees what install() has set aside. This takes too long to hold the writer's lock for it, so it may run
  // alongside readers and the writer.
  virtual void discard() noexcept = 0;
};

// Merges the layers of a table: their keys in ascending order, each with the layer that decides about it.
//
// The keys of the map from `least` on, ascending. Throws std::bad_alloc.
Vector<uint64_t> ascending_keys(const HashMap<uint64_t>& map, uint64_t least);
Vector<uint64_t> ascending_keys(const PackedNumberMap& map, uint64_t least);

// The entry from the newest run that has the key.
std::optional<RunEntry> find_in_runs(const Runs& runs, uint64_t key) noexcept;

// Threads: one thread per object; no layer may change meanwhile.
class LayerMerge {
 public:
  enum class Layer { kActive, kFrozen, kRun };

  // Iterates over the keys from `least` on, in two memory layers (ascending) and the runs. Throws
  // std::bad_alloc.
  LayerMerge(Vector<uint64_t> active, Vector<uint64_t> frozen, const Runs& runs, uint64_t least);

  // Moves to the next key; false at the end. Cost: O(runs). In a damaged run, keys that do not ascend and
  // values that overlap are skipped and reported.
  bool next() noexcept;
  uint64_t key() const noexcept { return key_; }
  Layer layer() const noexcept { return layer_; }
  const RunEntry& entry() const noexcept { return entry_; }  // only where the layer is kRun

 private:
  struct RunCursor {
    const Run* run;
    uint64_t position;
    RunHint hint;
    std::optional<RunEntry> entry;  // nothing: the run has ended
    ValueOrder order;
  };
  static void find_entry(RunCursor& cursor, uint64_t least) noexcept;
  static void pass(RunCursor& cursor, uint64_t key) noexcept;

  Vector<uint64_t> active_;
  Vector<uint64_t> frozen_;
  size_t active_at_ = 0;
  size_t frozen_at_ = 0;
  Vector<RunCursor> runs_;
  uint64_t key_ = 0;
  Layer layer_ = Layer::kActive;
  RunEntry entry_{};
};

// The layers of a table, those in memory as `Layer`, which has swap() and memory_bytes().
template <typename Layer>
class TableOfLayers : public LayeredTable {
 public:
  uint64_t size() const noexcept override { return size_; }
  uint64_t memory_bytes() const noexcept override { return active_.memory_bytes() + frozen_.memory_bytes(); }
  void attach(Runs runs, uint64_t size) noexcept override {
    runs_ = std::move(runs);
    size_ = size;
  }
  void freeze() noexcept override {
    assert(!has_frozen_);
    active_.swap(frozen_);
    has_frozen_ = true;
  }
  bool has_frozen() const noexcept override { return has_frozen_; }
  void install(Runs runs) noexcept override {
    discard();
    frozen_.swap(spent_);
    has_frozen_ = false;
    runs_ = std::move(runs);
  }
  void discard() noexcept override { Layer(secret_).swap(spent_); }

 protected:
  // `secret`: see HashMap.
  explicit TableOfLayers(uint64_t secret) noexcept
      : secret_(secret), active_(secret), frozen_(secret), spent_(secret) {}

  // The memory layer that decides about the key of a merge; null where a run does.
  const Layer* memory_layer(const LayerMerge& merge) const noexcept {
    if (merge.layer() == LayerMerge::Layer::kRun) return nullptr;
    return merge.layer() == LayerMerge::Layer::kActive ? &active_ : &frozen_;
  }

  uint64_t secret_;
  Layer active_;
  Layer frozen_;
  Layer spent_;  // empty between discard() and install()
  bool has_frozen_ = false;
  Runs runs_;
  RelaxedCounter<uint64_t> size_ = 0;
};

}  // namespace nd::store
