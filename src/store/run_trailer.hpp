// The end of a run file, read and checked: what all else in the file is found by.
#pragma once

#include <cstdint>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "store/file_system.hpp"
#include "store/run_file.hpp"
#include "store/run_layout.hpp"

namespace nd::store {

// All errors here carry a bare sentence; kCorrupt and kUnsupportedVersion set `fault_offset`.

// The trailer, which agrees with the description, with the file's size and with itself: the sections lie in
// the file one behind the other, as long as the counts say.
Result<RunTrailer> read_trailer(const File& file, const RunDescription& description, uint64_t& fault_offset);

// The table of block checksums, right by its own checksum. Cost: reads 8 bytes for each 16 KiB of the file.
Result<Vector<uint64_t>> read_block_checksums(const File& file, const RunTrailer& trailer,
                                              uint64_t& fault_offset);

// Of a run's file. The name comes from a manifest, so it must not lead out of the directory.
Result<String> run_path(std::string_view directory, std::string_view name);

}  // namespace nd::store
