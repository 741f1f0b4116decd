// The entries of a run that is being written: its values come first in the file, so they must wait.
#pragma once

#include <cstdint>
#include <span>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "store/file_system.hpp"
#include "store/run_layout.hpp"

namespace nd::store {

// Up to 64 Ki entries (1 MiB) wait in memory, more of them in a file that has no name any more, so that
// nothing is left of it whatever happens. One thread.
class EntrySpool {
 public:
  // `path`: of the file, if one is needed.
  EntrySpool(FileSystem& files, String path) noexcept : files_(files), path_(std::move(path)) {}

  Result<void> add(const StoredEntry& entry);
  uint64_t size() const noexcept { return spilled_count_ + held_.size(); }

  // Some entries from the position on, at least one if there is one. Valid until the next call.
  Result<std::span<const StoredEntry>> read(uint64_t position);

 private:
  static constexpr size_t kHeldEntries = size_t{1} << 16;
  static constexpr size_t kReadEntries = size_t{1} << 12;
  Result<void> spill();

  FileSystem& files_;
  String path_;
  Vector<StoredEntry> held_;
  Vector<StoredEntry> read_;
  Owned<File> file_;
  uint64_t spilled_count_ = 0;
};

}  // namespace nd::store
