// The file of a sorted run (docs/snapshot_format.md, "Runs"): how it is written, opened, merged and verified.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "store/damage_report.hpp"
#include "store/file_system.hpp"
#include "store/run.hpp"
#include "store/run_sink.hpp"

namespace nd::store {

// What a manifest says of a run; the file must agree.
struct RunDescription {
  String name;  // in the store's directory
  uint64_t file_bytes = 0;
  uint64_t entry_count = 0;
  uint64_t erased_count = 0;
  uint64_t least_key = 0;
  uint64_t greatest_key = 0;
  uint64_t checksum = 0;  // of the file's header, which holds that of the table of block checksums
};

struct ReadMode {
  bool mmap = true;           // else read() into memory of our own, block by block
  bool verify_blocks = true;  // each block's checksum before its first use
};

// Checks sizes, header and directory; with `mode` the rest when it is used. Errors: kCorrupt (file and
// offset), kUnsupportedVersion, kIo, kNotFound. The report must outlive the run.
Result<std::shared_ptr<const Run>> open_run(FileSystem& files, std::string_view directory,
                                            const RunDescription& description, const ReadMode& mode,
                                            std::shared_ptr<DamageReport> damage);

// Reads all of it; the first fault, with its offset.
Result<void> verify_run(FileSystem& files, std::string_view directory, const RunDescription& description,
                        uint64_t& fault_offset);

// Writes a run to a file of its own.
class RunWriter : public RunSink {
 public:
  static Result<Owned<RunWriter>> create(FileSystem& files, std::string_view directory,
                                         std::string_view name);
  // Writes what is left and syncs the file. A run without entries has no file: entry_count is 0 then.
  virtual Result<RunDescription> finish() = 0;
};

// Entries of the runs, the oldest first, the newest of each key winning. Without erased keys if
// `drop_erased`; without keys below `least_key`.
Result<void> merge_runs(const Runs& runs, uint64_t least_key, bool drop_erased, RunSink& sink);

}  // namespace nd::store
