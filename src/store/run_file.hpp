// The file of a sorted run (docs/snapshot_format.md, "Runs"): how it is written, opened, merged and verified.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "store/damage_report.hpp"
#include "store/file_system.hpp"
#include "store/run.hpp"

namespace nd::store {

// The manifest's description of a run, with which the file must agree.
struct RunDescription {
  String name;  // in the store's directory
  uint64_t file_bytes = 0;
  uint64_t entry_count = 0;
  uint64_t erased_count = 0;
  uint64_t least_key = 0;
  uint64_t greatest_key = 0;
  uint64_t checksum = 0;  // of the file's trailer, which has the checksum of the table of block checksums
};

struct ReadMode {
  bool mmap = true;           // else block by block, by read(), into memory of our own
  bool verify_blocks = true;  // each block's checksum before its first use
};

// Checks the trailer and the table of block checksums; depending on `mode`, the rest when it is used. Errors:
// kCorrupt and kUnsupportedVersion (file and offset), kIo, kNotFound. Cost: O(1), and 8 bytes read for each
// 16 KiB if blocks are verified. Without a mapping the run takes address space of the file's size, and
// memory, not from nd_set_allocator(), for the blocks that were used.
Result<std::shared_ptr<const Run>> open_run(FileSystem& files, std::string_view directory,
                                            const RunDescription& description, const ReadMode& mode,
                                            std::shared_ptr<DamageReport> damage);

// Reads the whole file, a piece at a time, and returns the first fault. The messages of kCorrupt and
// kUnsupportedVersion name neither the file nor the offset, which is in `fault_offset`.
Result<void> verify_run(FileSystem& files, std::string_view directory, const RunDescription& description,
                        uint64_t& fault_offset);

// Calls visit(offset, bytes) for each block that is damaged or cannot be read. Errors: as verify_run(),
// kCorrupt and kUnsupportedVersion if the trailer or the checksums are damaged; kIo, kNotFound.
Result<void> find_damaged_blocks(FileSystem& files, std::string_view directory,
                                 const RunDescription& description,
                                 const std::function<void(uint64_t offset, uint64_t bytes)>& visit);

enum class RunFormat {
  kPlain,
  kWithFilter,  // of its keys
};

// Writes a run to a file of its own, which must not exist, is created with the first entry and is removed
// unless finish() succeeds. More than 64 Ki entries are kept meanwhile in NAME.entries, a file that is
// unlinked as soon as it is open. Errors: kIo, kInternal (keys that do not ascend), kLimit (a value of 2^32
// bytes). After an error or an exception only the destructor may be called. One thread. The directory is not
// synced.
class RunWriter : public RunSink {
 public:
  static Result<Owned<RunWriter>> create(FileSystem& files, std::string_view directory, std::string_view name,
                                         RunFormat format);
  // Writes the rest and syncs the file. A run without entries has no file, and entry_count is 0.
  virtual Result<RunDescription> finish() = 0;
};

// Merges the entries of the runs, given oldest first; for each key the newest entry wins. Erased keys are
// left out if `drop_erased`, and so are keys below `least_key`. Errors: the sink's; kCorrupt if a run does
// not supply all of its entries, ascending (its DamageReport says more), or if its values overlap.
Result<void> merge_runs(const Runs& runs, uint64_t least_key, bool drop_erased, RunSink& sink);

}  // namespace nd::store
