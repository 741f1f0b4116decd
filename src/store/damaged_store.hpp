// What can be read of a store, whatever is damaged in it (docs/snapshot_format.md, "Repair").
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "store/file_system.hpp"
#include "store/store.hpp"

namespace nd::store {

// Changes nothing in the directory. Threads: one.
class DamagedStore {
 public:
  using Report = std::function<void(const StoreFault&)>;
  using Apply = std::function<Result<void>(Bytes record)>;

  // Reads every file, and holds the lock, if there is one, as long as it lives. The newest generation all of
  // whose files are whole is taken, if the journals since are; else the newest whose manifest is, with what
  // its runs have: a damaged block costs the entries in it, and where older runs that the generation before
  // names are still there, they take their place. `report` gets what is damaged in the files that are used.
  // Errors: kLocked; kNotFound and kInvalidArgument (no store); kCorrupt (no manifest can be read);
  // kUnsupportedVersion; kIo.
  static Result<Owned<DamagedStore>> open(std::string_view path, std::span<const TableKind> tables,
                                          Report report, FileSystem& files);
  virtual ~DamagedStore() = default;

  // Identity, generation, state and runs; it cannot be changed, and has no journal.
  virtual const Store& content() const noexcept = 0;
  // The records of the journals since, in order, while `apply` takes them. From the first on that it refuses,
  // or that cannot be read, all that are whole go to `apply_later`: they do not follow on what is before
  // them. Errors: those of `apply_later`.
  virtual Result<void> replay(const Apply& apply, const Apply& apply_later) = 0;
  // Whether anything was reported until now.
  virtual bool is_damaged() const noexcept = 0;
};

}  // namespace nd::store
