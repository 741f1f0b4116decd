// The names of the files of a store (docs/snapshot_format.md, "Names").
#pragma once

#include <cstdint>
#include <string_view>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "store/file_system.hpp"

namespace nd::store {

inline constexpr std::string_view kLockName = "lock";
inline constexpr std::string_view kUnfinishedSuffix = ".new";
// A file name with a greater number is not one of ours.
inline constexpr uint64_t kGreatestGeneration = 999'999'999'999'999'999;

enum class FileKind { kLock, kManifest, kJournal, kRun, kUnfinished, kUnknown };

struct FileName {
  FileKind kind = FileKind::kUnknown;
  uint64_t generation = 0;  // of manifests, journals, runs
};

// Unfinished is what has the name of a manifest, journal or run with kUnfinishedSuffix or ".entries" behind
// it.
FileName parse_file_name(std::string_view name) noexcept;

String manifest_name(uint64_t generation);
String journal_name(uint64_t generation);
// `position`: how many runs of the table the generation has written before.
String run_name(uint64_t generation, std::string_view table, uint32_t position);

String path_of(std::string_view directory, std::string_view name);
// Of a path without the slashes at its end; "." if it has none.
std::string_view parent_of(std::string_view path) noexcept;
String decimal(uint64_t number);

// What stands in the directory of a store.
struct StoreListing {
  Vector<uint64_t> manifests;  // generations, ascending
  Vector<uint64_t> journals;
  Vector<String> runs;
  Vector<String> unfinished;
  bool has_lock = false;
  bool has_others = false;  // files that are none of ours

  bool is_empty() const noexcept {
    return !has_lock && !has_others && manifests.empty() && journals.empty() && runs.empty() &&
           unfinished.empty();
  }
  // A store, or what is left of one that was being made.
  bool is_store() const noexcept { return has_lock || !manifests.empty(); }
};

// Errors: kNotFound, kInvalidArgument (the path is a file), kIo.
Result<StoreListing> list_store(FileSystem& files, std::string_view directory);

}  // namespace nd::store
