// Follows .ZIP File Format Specification 6.3 (PKWARE), sections 4.3.7, 4.3.12, 4.3.14 to 4.3.16 and 4.5.3.
#include "archives/zip_directory.hpp"

#include <zip.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string_view>
#include <utility>

namespace ndc {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kEntryMagic = "PK\3\4"sv;
constexpr std::string_view kListedMagic = "PK\1\2"sv;
constexpr std::string_view kEndMagic = "PK\5\6"sv;
constexpr std::string_view kLargeEndMagic = "PK\6\6"sv;
constexpr std::string_view kLargeEndLocatorMagic = "PK\6\7"sv;
constexpr size_t kEntryBytes = 30;
constexpr size_t kListedBytes = 46;
constexpr size_t kEndBytes = 22;
constexpr size_t kLargeEndBytes = 56;
constexpr size_t kLargeEndLocatorBytes = 20;
constexpr size_t kMostCommentBytes = 65535;
constexpr size_t kPieceBytes = size_t{4} << 10;
constexpr uint64_t kElsewhere = 0xffffffff;  // in the field of 64 bits
constexpr uint64_t kLargeFieldId = 1;

// A number of `bytes` bytes, the lowest first.
uint64_t number(std::string_view record, size_t at, size_t bytes) {
  uint64_t value = 0;
  while (bytes-- > 0)
    value = value << 8 | static_cast<unsigned char>(record[at + bytes]);
  return value;
}

// Where an entry of the list begins, by its field of 64 bits if that is far. kElsewhere: it does not say.
uint64_t place_of(std::string_view listed, std::string_view fields) {
  const uint64_t place = number(listed, 42, 4);
  if (place != kElsewhere) return place;
  while (fields.size() >= 4) {
    const size_t size = number(fields, 2, 2);
    if (fields.size() - 4 < size) break;
    const std::string_view field = fields.substr(4, size);
    if (number(fields, 0, 2) == kLargeFieldId) {
      const size_t before = (number(listed, 20, 4) == kElsewhere) + (number(listed, 24, 4) == kElsewhere);
      if (field.size() < 8 * (before + 1)) break;
      return number(field, 8 * before, 8);
    }
    fields.remove_prefix(4 + size);
  }
  return kElsewhere;
}

// The bytes of a ZIP file, at any place.
class ZipBytes {
 public:
  explicit ZipBytes(zip_source_t* source) : source_(source), is_open_(zip_source_open(source) == 0) {}
  ~ZipBytes() {
    if (is_open_) zip_source_close(source_);
  }
  ZipBytes(const ZipBytes&) = delete;
  ZipBytes& operator=(const ZipBytes&) = delete;

  std::optional<uint64_t> size() {
    zip_stat_t status;
    if (!is_open_ || zip_source_stat(source_, &status) != 0 || (status.valid & ZIP_STAT_SIZE) == 0)
      return std::nullopt;
    return status.size;
  }

  // As many as there are, until the next call; empty if there are fewer.
  std::string_view at(uint64_t place, size_t size) {
    if (place < begin_ || place - begin_ > piece_.size() || piece_.size() - (place - begin_) < size) {
      begin_ = place;
      fill(std::max(size, kPieceBytes));
    }
    if (piece_.size() - (place - begin_) < size) return {};
    return std::string_view(piece_).substr(place - begin_, size);
  }

 private:
  void fill(size_t size) {
    piece_.clear();
    if (!is_open_ || zip_source_seek(source_, static_cast<zip_int64_t>(begin_), SEEK_SET) != 0) return;
    piece_.resize(size);
    size_t given = 0;
    for (zip_int64_t count = 1; count > 0 && given < size;
         given += static_cast<size_t>(std::max<zip_int64_t>(count, 0)))
      count = zip_source_read(source_, piece_.data() + given, size - given);
    piece_.resize(given);
  }

  zip_source_t* const source_;
  const bool is_open_;
  uint64_t begin_ = 0;
  std::string piece_;
};

class DirectoryReader {
 public:
  explicit DirectoryReader(zip_source_t* source) : bytes_(source) {}

  ZipDirectory read(uint64_t count) {
    ZipDirectory directory;
    if (!find_list()) return directory;
    uint64_t at = begin_;
    while (directory.places.size() < count) {
      const std::string listed(bytes_.at(at, kListedBytes));
      if (!listed.starts_with(kListedMagic)) return directory;
      const size_t name_bytes = number(listed, 28, 2);
      const size_t field_bytes = number(listed, 30, 2);
      const std::string_view fields = bytes_.at(at + kListedBytes + name_bytes, field_bytes);
      directory.places.push_back(place_of(listed, fields));
      at += kListedBytes + name_bytes + field_bytes + number(listed, 32, 2);
    }
    directory.is_whole = at == end_;
    return directory;
  }

 private:
  // By the last end record that lies where it says that the list ends: a comment may hold anything.
  bool find_list() {
    const uint64_t size = bytes_.size().value_or(0);
    const uint64_t tail_at = size - std::min<uint64_t>(size, kEndBytes + kMostCommentBytes);
    const std::string tail(bytes_.at(tail_at, size - tail_at));
    for (size_t end = tail.size(); end >= kEndBytes;) {
      const size_t at = tail.rfind(kEndMagic, end - kEndBytes);
      if (at == std::string::npos) return false;
      if (ends_list(std::string_view(tail).substr(at), tail_at + at)) return true;
      end = at + kEndBytes - 1;
    }
    return false;
  }

  bool ends_list(std::string_view record, uint64_t place) {
    uint64_t size = number(record, 12, 4);
    begin_ = number(record, 16, 4);
    end_ = place;
    const uint64_t locator_at = place - std::min<uint64_t>(place, kLargeEndLocatorBytes);
    const std::string_view locator = bytes_.at(locator_at, kLargeEndLocatorBytes);
    if (locator.starts_with(kLargeEndLocatorMagic)) {
      end_ = number(locator, 8, 8);
      const std::string_view large = bytes_.at(end_, kLargeEndBytes);
      if (!large.starts_with(kLargeEndMagic)) return false;
      size = number(large, 40, 8);
      begin_ = number(large, 48, 8);
    }
    return begin_ <= end_ && size == end_ - begin_;
  }

  ZipBytes bytes_;
  uint64_t begin_ = 0;
  uint64_t end_ = 0;
};

}  // namespace

ZipDirectory read_zip_directory(zip_source* source, uint64_t count) {
  return DirectoryReader(source).read(count);
}

std::string name_of_zip_entry(zip_source* source, uint64_t place) {
  ZipBytes bytes(source);
  const std::string_view entry = bytes.at(place, kEntryBytes);
  if (!entry.starts_with(kEntryMagic)) return {};
  return std::string(bytes.at(place + kEntryBytes, number(entry, 26, 2)));
}

}  // namespace ndc
