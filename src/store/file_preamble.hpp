// How manifests and journals begin, in every version of the format: so that a file of a later version or of
// another machine is distinguished from a damaged one.
#pragma once

#include <bit>
#include <cstdint>

#include "core/result.hpp"
#include "store/run.hpp"

namespace nd::store {

static_assert(std::endian::native == std::endian::little, "files are little-endian and used in place");

inline constexpr uint32_t kByteOrderMark = 0x01020304;

struct FilePreamble {
  uint64_t magic;
  uint64_t checksum;  // XXH3, 64 bit, seed 0, of what follows it
  uint32_t version;
  uint32_t byte_order;  // kByteOrderMark as the writer's machine has it
};
static_assert(sizeof(FilePreamble) == 24);

// ` bytes`: everything that the checksum covers, from the magic number on. Errors: kCorrupt, with the place
// of the fault; kUnsupportedVersion only where the checksum is right. Sentences do not name the file.
Result<void> check_preamble(Bytes bytes, uint64_t magic, uint32_t version, uint64_t& fault_offset);
// What stands in FilePreamble::checksum.
uint64_t preamble_checksum(Bytes bytes) noexcept;

// "FILE, offset N: sentence", with the status of `fault`.
Error locate(std::string_view file, uint64_t offset, const Error& fault);

}  // namespace nd::store
