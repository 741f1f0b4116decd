// A generation of a store, opened: its manifest and the runs that it names.
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
  uint64_t merge_count = 0;                 // that were made when it was written

  // The table's part of the manifest; null if it has none.
  const TableRuns* table(uint32_t number) const noexcept;
};

// How the files of a store are read.
struct GenerationReader {
  FileSystem& files;
  std::string_view directory;
  std::span<const TableKind> tables;
  StoreParameters parameters;
  std::shared_ptr<DamageReport> damage;

  // The manifest and its size. Errors: as parse_manifest(), kNotFound, kIo.
  Result<Manifest> read_manifest(uint64_t generation, uint64_t& file_bytes, uint64_t& fault_offset) const;
  // And all its runs; with Verify::kFull every byte of them has been read. Errors name file and offset:
  // kCorrupt, kUnsupportedVersion, kIo; kNotFound if the manifest is not there or a run is not.
  Result<Owned<Generation>> open(uint64_t generation) const;
  Result<std::shared_ptr<const Run>> open(const RunDescription& run) const;
};

// Which generation is used, and why a newer one is not.
struct ChosenGeneration {
  Owned<Generation> generation;
  Vector<uint64_t> skipped;    // generations whose manifests are there and which cannot be used
  std::optional<Error> fault;  // of the newest of them
};

// The newest that can be used. Errors: that of the newest, if none can; kUnsupportedVersion of any that is
// met on the way: a generation that a newer ndc wrote is not skipped. `vanishing`: kNotFound is returned as
// it is, because a writer deletes files that it no longer needs.
Result<ChosenGeneration> choose_generation(const GenerationReader& reader, const StoreListing& listing,
                                           bool vanishing);

}  // namespace nd::store
