// Reads the preamble before anything else of a file, so that the message names another version, another
// machine or damage.
#include "store/file_preamble.hpp"

#include <cstddef>
#include <cstring>

#include "core/hash.hpp"
#include "store/store_names.hpp"

namespace nd::store {
namespace {

constexpr size_t kChecksumEnd = offsetof(FilePreamble, version);

}  // namespace

uint64_t preamble_checksum(Bytes bytes) noexcept {
  return stable_hash(
      {reinterpret_cast<const char*>(bytes.data()) + kChecksumEnd, bytes.size() - kChecksumEnd});
}

Result<void> check_preamble(Bytes bytes, uint64_t magic, uint64_t& fault_offset) {
  FilePreamble preamble;
  fault_offset = bytes.size();
  if (bytes.size() < sizeof preamble) return error(Status::kCorrupt, "the file is shorter than its header");
  std::memcpy(&preamble, bytes.data(), sizeof preamble);
  const uint64_t checksum = preamble_checksum(bytes);
  fault_offset = 0;
  if (preamble.magic == __builtin_bswap64(magic) ||
      preamble.byte_order == __builtin_bswap32(kByteOrderMark)) {
    if (preamble.checksum == __builtin_bswap64(checksum) || preamble.checksum == checksum)
      return error(Status::kUnsupportedVersion, "written by a machine of another byte order");
  }
  if (preamble.magic != magic) return error(Status::kCorrupt, "the file does not begin as it must");
  fault_offset = offsetof(FilePreamble, checksum);
  if (preamble.checksum != checksum) return error(Status::kCorrupt, "a wrong checksum");
  fault_offset = offsetof(FilePreamble, byte_order);
  if (preamble.byte_order != kByteOrderMark)
    return error(Status::kCorrupt, "an impossible mark of the byte order");
  fault_offset = offsetof(FilePreamble, version);
  return preamble.version == kStoreFormat ? Result<void>() : Result<void>(of_another_version());
}

Error of_another_version() {
  return error(Status::kUnsupportedVersion,
               "the store was written by another version of ndc; make a new store from its archives: "
               "ndc dedup --store NEW ARCHIVE...");
}

Error locate(std::string_view file, uint64_t offset, const Error& fault) {
  return error(fault.status, file, ", offset ", decimal(offset), ": ", fault.message);
}

}  // namespace nd::store
