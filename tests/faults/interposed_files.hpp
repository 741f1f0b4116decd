// This executable's open, write, fsync, ... stand in front of the system's. Inside a call of the library they
// fail when told to (file_clock), and random bytes are always the same ones, so that two runs of a scenario
// are equal. A sync does nothing: no test here cuts the power.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace faults {

// What file_clock counts. The last three touch no file, but fail in the same way.
enum class FileOperation : uint32_t {
  kOpen,
  kCreate,
  kRead,
  kWrite,
  kSync,
  kTruncate,
  kMap,
  kLock,
  kStatus,
  kRename,
  kRemove,
  kMakeDirectory,
  kOpenDirectory,
  kList,
  kReserve,   // of address space
  kAllocate,  // room on the disk
  kRandom,
  kThread,  // the start of one
};

// How it fails. kShort: half is written or read, and with Mode::kFromThenOn nothing more has room.
enum class FileFault : uint32_t {
  kNoSpace,
  kInputOutput,
  kTooManyFiles,
  kNoAccess,
  kNoMemory,
  kNoThread,
  kShort
};

std::string_view name_of(FileOperation operation) noexcept;
std::string_view name_of(FileFault fault) noexcept;
std::vector<FileFault> faults_of(FileOperation operation);

// Mappings that calls of the library have made and nobody has taken away.
long held_mappings() noexcept;

}  // namespace faults
