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
// A file name with a greater number does not belong to a store.
inline constexpr uint64_t kGreatestGeneration = 999'999'999'999'999'999;

enum class FileKind { kLock, kManifest, kJournal, kRun, kUnfinished, kUnknown };

struct FileName {
  FileKind kind = FileKind::kUnknown;
  uint64_t generation = 0;  // of manifests, journals, runs
};

// An unfinished file has the name of a manifest, journal or run, followed by kUnfinishedSuffix or ".entries".
FileName parse_file_name(std::string_view name) noexcept;

String manifest_name(uint64_t generation);
String journal_name(uint64_t generation);
// `position`: how many runs of the table the generation has already written.
String run_name(uint64_t generation, std::string_view table, uint32_t position);

String path_of(std::string_view directory, std::string_view name);
// The path without trailing slashes; "." if nothing else is left.
std::string_view parent_of(std::string_view path) noexcept;
String decimal(uint64_t number);

// The files in the directory of a store.
struct StoreListing {
  Vector<uint64_t> manifests;  // generations, ascending
  Vector<uint64_t> journals;
  Vector<String> runs;
  Vector<String> unfinished;
  bool has_lock = false;
  bool has_others = false;  // files that do not belong to a store

  bool is_empty() const noexcept {
    return !has_lock && !has_others && manifests.empty() && journals.empty() && runs.empty() &&
           unfinished.empty();
  }
  // Whether it is a store, or the remains of one that was being created.
  bool is_store() const noexcept { return has_lock || !manifests.empty(); }
};

// Errors: kNotFound, kInvalidArgument (the path is a file), kIo.
Result<StoreListing> list_store(FileSystem& files, std::string_view directory);

}  // namespace nd::store
