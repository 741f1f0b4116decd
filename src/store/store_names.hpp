// The names of the files of a store (docs/snapshot_format.md, "Names").
#pragma once

#include <cstdint>
#include <string_view>

#include "core/memory.hpp"

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

}  // namespace nd::store
