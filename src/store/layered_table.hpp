// What all tables of a store have in common. A table is a map from 64-bit keys that stands in layers: in
// memory what has changed since the last snapshot; below it, while a snapshot is being written, what that
// snapshot takes (frozen); below that the sorted runs of the store. The first layer that has a key, or has it
// as erased, speaks for it.
#pragma once

#include <cstdint>

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
  // Frees what install() has put aside: so much that the writer's lock should not be held. Beside readers and
  // the writer.
  virtual void discard() noexcept = 0;
};

}  // namespace nd::store
