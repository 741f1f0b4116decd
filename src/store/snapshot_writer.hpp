// Writes a new generation: runs of what has changed, merges of runs, the manifest.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "store/generation.hpp"
#include "store/store.hpp"

namespace nd::store {

// What a generation takes from the moment at which it begins.
struct SnapshotContent {
  uint64_t generation = 0;
  Vector<uint8_t> state;
  std::array<uint64_t, kTablesLimit + 1> least_keys{};  // by table number
};

// On the disk when it returns, named by its manifest. After a failure it may stand there or not; the
// generation before is in force either way, and it can be written again. Errors: kIo; kCorrupt if a run that
// was to be merged is damaged; what `write` gives.
Result<Owned<Generation>> write_generation(const GenerationReader& reader, const Generation& previous,
                                           const SnapshotContent& content, const Store::WriteTable& write,
                                           bool merge_all);

// The manifest, durable under its name.
Result<void> write_manifest(FileSystem& files, std::string_view directory, const Manifest& manifest,
                            uint64_t& file_bytes);

// That the file of every run has its name. One that was deleted can still be read through its mapping, and
// the store seems whole until it is opened. Errors: kCorrupt, kIo.
Result<void> check_runs_are_there(FileSystem& files, std::string_view directory, const Manifest& manifest);

// Removes manifest and runs of a generation that was not finished.
Result<void> remove_attempt(FileSystem& files, std::string_view directory, uint64_t generation);

}  // namespace nd::store
