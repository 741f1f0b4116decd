// Writes a new generation: runs of changed entries, merges of runs, and the manifest.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "store/generation.hpp"
#include "store/store_parameters.hpp"

namespace nd::store {

// What a generation includes, fixed at the moment at which it begins.
struct SnapshotContent {
  uint64_t generation = 0;
  Vector<uint8_t> state;
  std::array<uint64_t, kTablesLimit + 1> least_keys{};  // by table number
};

// The generation is on the disk on return, named by its manifest. After a failure it may or may not exist;
// either way the previous generation is in force, and the write can be repeated. Errors: kIo; kCorrupt if a
// run that was to be merged is damaged; those of `write`.
Result<Owned<Generation>> write_generation(const GenerationReader& reader, const Generation& previous,
                                           const SnapshotContent& content, const WriteTable& write,
                                           bool merge_all);

// Makes the manifest durable under its name.
Result<void> write_manifest(FileSystem& files, std::string_view directory, const Manifest& manifest,
                            uint64_t& file_bytes);

// Checks that the file of every run still has its name. A deleted file can still be read through its mapping,
// so the store seems whole until it is reopened. Errors: kCorrupt, kIo.
Result<void> check_runs_are_there(FileSystem& files, std::string_view directory, const Manifest& manifest);

// Removes manifest and runs of a generation that was not finished.
Result<void> remove_attempt(FileSystem& files, std::string_view directory, uint64_t generation);

}  // namespace nd::store
