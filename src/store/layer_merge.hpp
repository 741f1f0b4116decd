// What the layers of a table have together: their keys in ascending order, each with the layer that speaks
// for it.
#pragma once

#include <cstdint>
#include <optional>

#include "core/memory.hpp"
#include "core/number_map.hpp"
#include "core/packed_number_map.hpp"
#include "store/run.hpp"

namespace nd::store {

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
