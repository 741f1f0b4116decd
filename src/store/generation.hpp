// An opened generation of a store: its manifest and the runs that the manifest names.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "store/manifest.hpp"
#include "store/run_file.hpp"
#include "store/store_names.hpp"

namespace nd::store {

struct Generation {
  Manifest manifest;
  std::array<Runs, kTablesLimit + 1> runs;  // by table number
  uint64_t disk_bytes = 0;                  // of the manifest and the runs
  uint64_t merge_count = 0;                 // merges made up to the time it was written

  // The table's part of the manifest; null if there is none.
  const TableRuns* table(uint32_t number) const noexcept;
};

// How the files of a store are read.
struct GenerationReader {
  FileSystem& files;
  std::string_view directory;
  std::span<const TableKind> tables;
  StoreParameters parameters;
  std::shared_ptr<DamageReport> damage;

  // Reads the manifest and its size. Errors: as parse_manifest(), kNotFound, kIo.
  Result<Manifest> read_manifest(uint64_t generation, uint64_t& file_bytes, uint64_t& fault_offset) const;
  // Also opens all of its runs; with Verify::kFull, reads every byte of them. Errors name file and offset:
  // kCorrupt, kUnsupportedVersion, kIo; kNotFound if the manifest or a run is missing.
  Result<Owned<Generation>> open(uint64_t generation) const;
  Result<std::shared_ptr<const Run>> open(const RunDescription& run) const;
};

// Which generation is used, and why newer ones are not.
struct ChosenGeneration {
  Owned<Generation> generation;
  Vector<uint64_t> skipped;    // generations that have a manifest but cannot be used
  std::optional<Error> fault;  // of the newest skipped generation
};

// Opens the newest usable generation. Errors: that of the newest one, if none is usable; kUnsupportedVersion
// of any generation met on the way, since one of another version is never skipped. `vanishing`: kNotFound
// is returned unchanged, because a writer deletes files that it no longer needs.
Result<ChosenGeneration> choose_generation(const GenerationReader& reader, const StoreListing& listing,
                                           bool vanishing);

}  // namespace nd::store
