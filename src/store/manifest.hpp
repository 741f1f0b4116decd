// The manifest: the file that lists what a generation of a store consists of (docs/snapshot_format.md,
// "Manifest").
#pragma once

#include <cstdint>
#include <string_view>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "store/run_file.hpp"
#include "store/store_parameters.hpp"

namespace nd::store {

inline constexpr uint64_t kManifestBytesLimit = uint64_t{1} << 28;
// The limit per table. Each run is a file that is mapped or held open, and that every look-up may have to
// search. The tiers add up to 722 at most, but merges wait while the disk is full (docs/snapshot_format.md,
// "Merges"); the limit is far above what any store has reached.
inline constexpr uint32_t kRunsLimit = 65536;

struct TableRuns {
  uint32_t number = 0;          // 1..kTablesLimit
  uint64_t least_key = 0;       // smaller keys are no longer needed
  Vector<RunDescription> runs;  // oldest first
};

struct Manifest {
  uint64_t generation = 0;
  Identity identity;
  Vector<TableRuns> tables;  // ascending by number; those without runs and least key may be left out
  Vector<uint8_t> state;     // the engine's
};

// Appends the names of the runs of all tables. They are valid as long as the manifest.
void append_run_names(const Manifest& manifest, Vector<std::string_view>& names);

// Errors: kLimit beyond kManifestBytesLimit and kRunsLimit.
Result<Vector<uint8_t>> encode_manifest(const Manifest& manifest);

// Checks everything: sizes, order, and that each run name is that of a run of this generation or an older
// one, and appears once. Errors: as check_preamble(), without the file's name; `fault_offset` is the place.
Result<Manifest> parse_manifest(Bytes bytes, uint64_t& fault_offset);

}  // namespace nd::store
