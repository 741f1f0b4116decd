// What all tables of a store have in common. A table is a map from 64-bit keys that stands in layers: in
// memory what has changed since the last snapshot; below it, while a snapshot is being written, what that
// snapshot takes (frozen); below that the sorted runs of the store. The first layer that has a key, or has it
// as erased, decides.
#pragma once

#include <cstdint>
#include <optional>

#include "core/memory.hpp"
#include "core/number_map.hpp"
#include "core/packed_number_map.hpp"
#include "core/result.hpp"
#include "store/run.hpp"

namespace nd::store {

// Threads: any number of readers, or one writer; write_frozen() and discard() beside both.
class LayeredTable {
 public:
  virtual ~LayeredTable() = default;

  // Live keys of all layers.
  virtual uint64_t size() const noexcept = 0;
  // Of the layers in memory, the frozen one too.
  virtual uint64_t memory_bytes() const noexcept = 0;

  // The runs of a store that is being opened, and how many live keys they have. The table is empty.
  virtual void attach(Runs runs, uint64_t size) noexcept = 0;
  // Allocates what freeze() needs. Throws std::bad_alloc and has changed nothing.
  virtual void prepare_freeze() = 0;
  // After prepare_freeze(); no frozen layer is left from before.
  virtual void freeze() noexcept = 0;
  virtual bool has_frozen() const noexcept = 0;
  // Ascending by key. Erased keys that no run has may be left out.
  virtual Result<void> write_frozen(RunSink& sink) const = 0;
  // The frozen layer has become part of these runs, which are all runs of the table from now on, and is put
  // aside. Pointers and views into older layers end here.
  virtual void install(Runs runs) noexcept = 0;
  // Frees what install() has put aside: so much that the writer's lock should not be held meanwhile. Runs
  // beside readers and the writer.
  virtual void discard() noexcept = 0;
};

// What the layers of a table have together: their keys in ascending order, each with the layer that speaks
// for it.
//
// The keys of the map from `least` on, ascending. Throws std::bad_alloc.
Vector<uint64_t> ascending_keys(const NumberMap& map, uint64_t least);
Vector<uint64_t> ascending_keys(const PackedNumberMap& map, uint64_t least);

// The entry of the newest run that has the key.
std::optional<RunEntry> find_in_runs(const Runs& runs, uint64_t key) noexcept;

// Whether a run has the key, and it is not gone.
inline bool stands_in_runs(const Runs& runs, uint64_t key) noexcept {
  const std::optional<RunEntry> entry = find_in_runs(runs, key);
  return entry && !entry->erased;
}

// Threads: one object, one thread; no layer may change meanwhile.
class LayerMerge {
 public:
  enum class Layer { kActive, kFrozen, kRun };

  // Keys from `least` on, of two layers in memory (ascending) and of the runs. Throws std::bad_alloc.
  LayerMerge(Vector<uint64_t> active, Vector<uint64_t> frozen, const Runs& runs, uint64_t least);

  // To the next key; false at the end. Cost: O(runs). Of a damaged run, keys that do not ascend and values
  // that overlap are left out, and reported.
  bool next() noexcept;
  uint64_t key() const noexcept { return key_; }
  Layer layer() const noexcept { return layer_; }
  const RunEntry& entry() const noexcept { return entry_; }  // where the layer is kRun

 private:
  struct RunCursor {
    const Run* run;
    uint64_t position;
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

}  // namespace nd::store
