// The version of a store's files, and the beginning of manifests and journals, the same in every version: it
// tells a file of another version or of another machine from a damaged one.
#pragma once

#include <bit>
#include <cstdint>

#include "core/result.hpp"
#include "store/run.hpp"

namespace nd::store {

static_assert(std::endian::native == std::endian::little, "files are little-endian and used in place");

// The version of manifests, journals and runs, and of what the engine keeps in them.
inline constexpr uint32_t kStoreFormat = 1;
inline constexpr uint32_t kByteOrderMark = 0x01020304;

struct FilePreamble {
  uint64_t magic;
  uint64_t checksum;    // XXH3, 64 bit, seed 0, of everything after it
  uint32_t version;     // kStoreFormat
  uint32_t byte_order;  // kByteOrderMark in the byte order of the writer's machine
};
static_assert(sizeof(FilePreamble) == 24);

// `bytes`: everything that the checksum covers, from the magic number on. Errors: kCorrupt, with the offset
// of the fault; kUnsupportedVersion only if the checksum is right. Messages do not name the file.
Result<void> check_preamble(Bytes bytes, uint64_t magic, uint64_t& fault_offset);
// The value for FilePreamble::checksum.
uint64_t preamble_checksum(Bytes bytes) noexcept;

// kUnsupportedVersion, with a sentence that says how to go on.
Error of_another_version();

// "FILE, offset N: sentence", with the status of `fault`.
Error locate(std::string_view file, uint64_t offset, const Error& fault);

}  // namespace nd::store
