// Checks the trailer of a run against its file and its description; a later reader of a section may trust
// its bounds.
#include "store/run_layout.hpp"

#include <cstddef>
#include <utility>

#include "store/entry_layout.hpp"

namespace nd::store {
namespace {

bool agrees(const RunTrailer& trailer, const RunDescription& description) noexcept {
  return trailer.file_bytes == description.file_bytes && trailer.entry_count == description.entry_count &&
         trailer.erased_count == description.erased_count && trailer.least_key == description.least_key &&
         trailer.greatest_key == description.greatest_key && trailer.checksum == description.checksum;
}

bool has_right_layout(const RunTrailer& trailer) noexcept {
  if (trailer.bucket_shift > 63 || trailer.reserved != 0) return false;
  return trailer.key_bytes == EntryLayout::key_bytes_of(trailer.bucket_shift) &&
         trailer.data_bytes <= kInlineBytes && trailer.has_filter <= 1;
}

// Every number is bounded before it is added to others: file_bytes by kGreatestRunBytes, the rest by
// file_bytes. The layout is right.
bool has_right_sections(const RunTrailer& trailer) noexcept {
  const EntryLayout layout(trailer);
  if (trailer.file_bytes > kGreatestRunBytes || trailer.entry_count == 0 ||
      trailer.entry_count > trailer.file_bytes / layout.entry_bytes() ||
      trailer.entries_offset > trailer.file_bytes || trailer.entries_offset < kValuesOffset ||
      trailer.entries_offset % 8 != 0) {
    return false;
  }
  const uint64_t directory_offset = round_up(entries_end(trailer), 8);
  if (trailer.directory_offset != directory_offset ||
      (trailer.position_bytes != sizeof(uint32_t) && trailer.position_bytes != sizeof(uint64_t)) ||
      trailer.bucket_count > greatest_bucket_count(trailer.entry_count)) {
    return false;
  }
  if (trailer.checksums_offset != sections_end(trailer)) return false;
  return trailer.file_bytes ==
         trailer.checksums_offset + block_count(trailer) * sizeof(uint64_t) + sizeof(RunTrailer);
}

bool has_right_keys(const RunTrailer& trailer) noexcept {
  return trailer.least_key <= trailer.greatest_key && trailer.erased_count <= trailer.entry_count &&
         trailer.bucket_count != 0 && trailer.bucket_count - 1 == bucket_of(trailer, trailer.greatest_key) &&
         (trailer.position_bytes == sizeof(uint64_t) || trailer.entry_count <= UINT32_MAX);
}

Result<void> check_trailer(const RunTrailer& trailer, const RunDescription& description) {
  const RunHead expected;
  if (std::memcmp(trailer.head.magic, expected.magic, sizeof expected.magic) != 0) {
    return error(Status::kCorrupt, "this is not the end of a run");
  }
  if (trailer.checksum != checksum_of(trailer))
    return error(Status::kCorrupt, "the trailer of the run has a wrong checksum");
  if (trailer.head.version != expected.version) return of_another_version();
  if (trailer.head.byte_order != expected.byte_order)
    return error(Status::kUnsupportedVersion, "written by a machine of another byte order");
  if (!agrees(trailer, description))
    return error(Status::kCorrupt, "the run is another one than the manifest says");
  if (!has_right_layout(trailer) || !has_right_sections(trailer) || !has_right_keys(trailer)) {
    return error(Status::kCorrupt, "the numbers in the trailer of the run contradict each other");
  }
  return {};
}

}  // namespace

Result<RunTrailer> read_trailer(const File& file, const RunDescription& description, uint64_t& fault_offset) {
  const Result<uint64_t> size = file.size();
  if (!size) return size.failure();
  fault_offset = *size;
  if (*size != description.file_bytes)
    return error(Status::kCorrupt, "the file is not as long as the manifest says");
  if (*size < sizeof(RunTrailer)) return error(Status::kCorrupt, "the file is too short for a run");
  fault_offset = *size - sizeof(RunTrailer);
  RunTrailer trailer;
  const Result<size_t> read =
      file.read(fault_offset, std::span(reinterpret_cast<uint8_t*>(&trailer), sizeof trailer));
  if (!read) return read.failure();
  if (*read != sizeof trailer) return error(Status::kCorrupt, "the file ends early");
  if (Result<void> checked = check_trailer(trailer, description); !checked) return checked.failure();
  return trailer;
}

Result<Vector<uint64_t>> read_block_checksums(const File& file, const RunTrailer& trailer,
                                              uint64_t& fault_offset) {
  fault_offset = trailer.checksums_offset;
  Vector<uint64_t> checksums(block_count(trailer));
  const std::span<uint8_t> bytes(reinterpret_cast<uint8_t*>(checksums.data()),
                                 checksums.size() * sizeof(uint64_t));
  const Result<size_t> read = file.read(trailer.checksums_offset, bytes);
  if (!read) return read.failure();
  if (*read != bytes.size()) return error(Status::kCorrupt, "the file ends early");
  if (checksum_of(Bytes(bytes)) != trailer.checksums_checksum) {
    return error(Status::kCorrupt, "the table of block checksums has a wrong checksum");
  }
  return checksums;
}

Result<String> run_path(std::string_view directory, std::string_view name) {
  if (name.empty() || name == "." || name == ".." || name.find('/') != name.npos ||
      name.find('\0') != name.npos) {
    return error(Status::kCorrupt, "a run has a name that is not that of a file");
  }
  String path(directory);
  path += '/';
  path += name;
  return path;
}

Result<OpenedRun> open_run_file(FileSystem& files, std::string_view directory,
                                const RunDescription& description, uint64_t& fault_offset) {
  fault_offset = 0;
  const Result<String> path = run_path(directory, description.name);
  if (!path) return path.failure();
  Result<Owned<File>> file = files.open(*path, FileSystem::Access::kRead);
  if (!file) return std::move(file).failure();
  const Result<RunTrailer> trailer = read_trailer(**file, description, fault_offset);
  if (!trailer) return trailer.failure();
  return OpenedRun{*std::move(file), *trailer};
}

}  // namespace nd::store
