// A ZIP file as a WACZ: made here of entries, with two of its bytes changed, or any bytes as such a file.
// Reading ends, stays within its limits, and gives the same twice; where the index leads there is a record of
// that URL.
//
// Input: the limits; a byte of what it is. Entries: six bytes of changes; up to eight entries, each a byte of
// its place (0: no more) and of its compression, its name and its content up to NUL.
#include <zip.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archives/archive_reader.hpp"
#include "archives/wacz_index.hpp"
#include "fuzz/archive_reading.hpp"
#include "fuzz/expectation.hpp"
#include "fuzz/scratch_folder.hpp"

namespace {

using nd::fuzz::expect;
using nd::fuzz::InputReader;

enum Kind : uint8_t { kEntries, kBytes };

constexpr size_t kMostEntries = 8;
constexpr std::string_view kUrl = "http://a.example/";
constexpr std::string_view kFolders[] = {"", "archive/", "indexes/"};

std::string take_entries(InputReader& input) {
  InputReader changes(input.take_bytes(6));
  zip_error_t failure;
  zip_error_init(&failure);
  zip_source_t* const buffer = zip_source_buffer_create(nullptr, 0, 0, &failure);
  zip_t* const zip = buffer == nullptr ? nullptr : zip_open_from_source(buffer, ZIP_TRUNCATE, &failure);
  expect(zip != nullptr, "no memory for libzip");
  zip_source_keep(buffer);
  std::vector<std::string> contents;
  contents.reserve(kMostEntries);
  for (size_t i = 0; i < kMostEntries && !input.at_end(); ++i) {
    const size_t folder = input.take_number(0, std::size(kFolders));
    if (folder == 0) break;
    const bool stored = input.take_flag();
    const std::string name = std::string(kFolders[folder - 1]).append(input.take_text());
    contents.emplace_back(input.take_text());
    zip_source_t* const source = zip_source_buffer(zip, contents.back().data(), contents.back().size(), 0);
    const zip_int64_t index = zip_file_add(zip, name.c_str(), source, ZIP_FL_OVERWRITE | ZIP_FL_ENC_GUESS);
    if (index < 0) {
      zip_source_free(source);
      continue;
    }
    zip_set_file_compression(zip, static_cast<zip_uint64_t>(index), stored ? ZIP_CM_STORE : ZIP_CM_DEFLATE,
                             1);
    zip_file_set_mtime(zip, static_cast<zip_uint64_t>(index), 0, 0);
  }
  std::string bytes;
  if (zip_close(zip) != 0) {
    zip_discard(zip);
  } else if (zip_source_open(buffer) == 0) {
    char piece[4096];
    for (zip_int64_t count = 0; (count = zip_source_read(buffer, piece, sizeof piece)) > 0;)
      bytes.append(piece, static_cast<size_t>(count));
    zip_source_close(buffer);
  }
  zip_source_free(buffer);
  nd::fuzz::change_bytes(changes, bytes);
  return bytes;
}

// As a caller of ndc_archives.h has them.
class BytesInMemory final : public ndc::StoredBytes {
 public:
  explicit BytesInMemory(const std::string& bytes) : bytes_(bytes) {}

  std::optional<size_t> read(uint64_t offset, char* out, size_t size) override {
    expect(offset < bytes_.size(), "read behind the end");
    return bytes_.copy(out, size, offset);
  }
  std::optional<uint64_t> size() const override { return bytes_.size(); }

 private:
  const std::string& bytes_;
};

std::vector<std::string> read_all(ndc::ArchiveReader& reader, const nd::fuzz::ReadingLimits& limits,
                                  const ndc::InputLimits& input_limits) {
  std::vector<std::string> all;
  if (!reader.check()) {
    expect(!reader.error().empty(), "a file is refused without a reason");
    return {reader.error()};
  }
  expect(reader.input_count() <= input_limits.max_files, "more files than the limit");
  ndc::WarcRecord record;
  ndc::RecordDamage damage;
  for (;;) {
    const auto outcome = reader.next(record, damage);
    if (outcome == ndc::ArchiveReader::Outcome::kEnd) break;
    if (outcome == ndc::ArchiveReader::Outcome::kReadError) {
      expect(!reader.error().empty(), "an error without a reason");
      all.push_back(reader.error());
      break;
    }
    expect(all.size() <= size_t{1} << 20, "reading does not end");
    all.push_back(outcome == ndc::ArchiveReader::Outcome::kDamaged
                      ? nd::fuzz::print_damage(damage, SIZE_MAX)
                      : nd::fuzz::print_record(record, limits, SIZE_MAX));
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  InputReader input(data, size);
  const auto limits = nd::fuzz::ReadingLimits::take(input);
  const bool has_entries = input.take_number(kEntries, kBytes) == kEntries;
  const std::string bytes =
      has_entries ? take_entries(input) : std::string(InputReader::as_text(input.rest()));
  const std::string path = nd::fuzz::empty_scratch_folder() + "a.wacz";
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  expect(file != nullptr, "no scratch file");
  expect(std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size(),
         "the scratch file cannot be written");
  std::fclose(file);

  ndc::InputLimits input_limits;
  input_limits.max_files = kMostEntries;
  ndc::ArchiveReader first({path}, limits.block_bytes, input_limits);
  ndc::ArchiveReader again({path}, limits.block_bytes, input_limits);
  const auto all = read_all(first, limits, input_limits);
  expect(all == read_all(again, limits, input_limits), "an archive read again is another one");
  // A list of paths, or one file of it, is none where there is no path.
  if (bytes.starts_with("PK")) {
    ndc::ArchiveReader stored(path, std::make_shared<BytesInMemory>(bytes), limits.block_bytes, input_limits);
    expect(all == read_all(stored, limits, input_limits), "an archive elsewhere is another one");
  }
  if (const auto place = ndc::place_in_wacz(path, kUrl, input_limits)) {
    ndc::ArchiveReader reader({path}, limits.block_bytes, input_limits);
    expect(reader.check(), "an index of a file that cannot be read");
    reader.start_at(*place);
    ndc::WarcRecord record;
    ndc::RecordDamage damage;
    expect(reader.next(record, damage) == ndc::ArchiveReader::Outcome::kRecord && record.target_uri == kUrl,
           "the index leads to something else");
  }
  return 0;
}
