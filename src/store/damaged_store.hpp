// Reads what can be read of a store, whatever is damaged in it (docs/snapshot_format.md, "Repair").
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "store/file_system.hpp"
#include "store/manifest.hpp"
#include "store/store.hpp"

namespace nd::store {

// A generation, as far as it can be read.
struct ReadableGeneration {
  Manifest manifest;
  std::array<Runs, kTablesLimit + 1> runs;  // by table number

  Store::Content content() const noexcept { return {manifest.state, runs}; }
};

// Changes nothing in the directory. Threads: one.
class DamagedStore {
 public:
  using Report = std::function<void(const StoreFault&)>;
  using Apply = std::function<Result<void>(Bytes record)>;

  // Reads every file and, if there is a lock file, holds the lock for as long as the object lives. Takes the
  // newest generation whose files are all whole, provided that the journals since then are whole too; failing
  // that, the newest generation with a readable manifest, with whatever its runs still hold. A damaged block
  // costs the entries in it; where the older runs that the previous generation names still exist, they
  // replace the damaged ones. `report` receives the damage in the files that are used. Errors: kLocked;
  // kNotFound and kInvalidArgument (no store); kCorrupt (no manifest can be read); kUnsupportedVersion; kIo.
  // `mmap`: its files are mapped; else they are read into memory as they are used, and stay there.
  static Result<Owned<DamagedStore>> open(std::string_view path, std::span<const TableKind> tables,
                                          Report report, FileSystem& files, bool mmap = false);
  virtual ~DamagedStore() = default;

  virtual const ReadableGeneration& content() const noexcept = 0;
  // Passes the records of the journals since then to `apply`, in order, for as long as it accepts them. From
  // the first record that it refuses or that cannot be read, all whole records go to `apply_later`, since
  // they do not continue what comes before them. Errors: those of `apply_later`.
  virtual Result<void> replay(const Apply& apply, const Apply& apply_later) = 0;
  // Whether anything has been reported so far.
  virtual bool is_damaged() const noexcept = 0;
};

}  // namespace nd::store
