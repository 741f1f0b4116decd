// Lists of ZIP files as libzip writes them, damaged in ways that libzip reads past, and with fields of 64
// bits.
#include "archives/zip_directory.hpp"

#include <gtest/gtest.h>
#include <zip.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "archives/stored_bytes.hpp"
#include "archives/zip_archive.hpp"
#include "input_builder.hpp"

namespace ndc {
namespace {

using test::zip_file;

class Source {
 public:
  explicit Source(std::string bytes) : bytes_(std::move(bytes)) {
    source_ = zip_source_buffer_create(bytes_.data(), bytes_.size(), 0, nullptr);
  }
  ~Source() { zip_source_free(source_); }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  ZipDirectory directory(uint64_t count) const { return read_zip_directory(source_, count); }
  std::vector<std::string> names(uint64_t count) const {
    std::vector<std::string> all;
    for (const uint64_t place : directory(count).places)
      all.push_back(name_of_zip_entry(source_, place));
    return all;
  }

 private:
  const std::string bytes_;
  zip_source_t* source_;
};

std::string little(uint64_t number, size_t bytes) {
  std::string out;
  for (; bytes-- > 0; number >>= 8)
    out += static_cast<char>(number & 0xff);
  return out;
}

std::string two_entries() {
  return zip_file({{"archive/a.warc", "first"}, {"archive/b.warc", std::string(100, 'x')}}, true);
}

const std::vector<std::string> kNames = {"archive/a.warc", "archive/b.warc"};

TEST(ZipDirectory, AListThatIsWhole) {
  const std::string comment = std::string("PK\5\6", 4) + std::string(60, '\7');
  std::string commented = two_entries();
  commented.replace(commented.size() - 2, 2, little(comment.size(), 2));
  for (const std::string& bytes : {two_entries(), commented + comment, two_entries() + "behind"}) {
    const Source source(bytes);
    EXPECT_TRUE(source.directory(2).is_whole);
    EXPECT_EQ(source.names(2), kNames);
  }
  EXPECT_TRUE(Source(zip_file({{"a", "b"}}, false)).directory(1).is_whole);
}

TEST(ZipDirectory, AnEntryHasItsOwnName) {
  std::string bytes = two_entries();
  bytes[bytes.rfind("archive/b")] = '\xff';
  EXPECT_TRUE(Source(bytes).directory(2).is_whole);
  EXPECT_EQ(Source(bytes).names(2), kNames);
}

TEST(ZipDirectory, AListThatEndsElsewhere) {
  const std::string bytes = two_entries();
  EXPECT_FALSE(Source(bytes).directory(1).is_whole);
  EXPECT_FALSE(Source(bytes).directory(3).is_whole);
  const size_t end = bytes.rfind("PK\5\6");
  for (const size_t at : {size_t{12}, size_t{16}}) {  // its size, its place
    std::string wrong = bytes;
    ++wrong[end + at];
    EXPECT_FALSE(Source(wrong).directory(2).is_whole) << at;
  }
  std::string swallows = bytes;
  swallows[bytes.find("PK\1\2") + 32] = 60;  // the bytes of a comment
  EXPECT_FALSE(Source(swallows).directory(2).is_whole);
}

TEST(ZipDirectory, FieldsOf64Bits) {
  const std::string bytes = two_entries();
  const size_t list = bytes.find("PK\1\2"), end = bytes.rfind("PK\5\6");
  const std::string place = little(bytes.find("PK\3\4", 1), 8);
  const size_t second = bytes.find("PK\1\2", list + 1);
  // The second entry's place, behind a field of another kind, and its two sizes.
  const std::string fields = little(7, 2) + little(1, 2) + "?" + little(1, 2) + little(24, 2) +
                             little(100, 8) + little(100, 8) + place;
  std::string listed = bytes.substr(second, end - second);
  listed.replace(20, 8, std::string(8, '\xff'));
  listed.replace(30, 2, little(fields.size(), 2));
  listed.replace(42, 4, std::string(4, '\xff'));
  std::string large = bytes.substr(0, second) + listed + fields;
  const size_t large_end = large.size();
  const auto with_ends = [&](uint64_t size) {
    return large + "PK\6\6" + little(44, 8) + little(45, 2) + little(45, 2) + little(0, 8) + little(2, 8) +
           little(2, 8) + little(size, 8) + little(list, 8) + "PK\6\7" + little(0, 4) + little(large_end, 8) +
           little(1, 4) + "PK\5\6" + std::string(4, '\0') + std::string(12, '\xff') + little(0, 2);
  };
  const Source source(with_ends(large_end - list));
  EXPECT_TRUE(source.directory(2).is_whole);
  EXPECT_EQ(source.names(2), kNames);
  EXPECT_FALSE(source.directory(1).is_whole);
  EXPECT_FALSE(Source(with_ends(large_end - list - 1)).directory(2).is_whole);
}

TEST(ZipDirectory, WhatIsCutAnywhereIsNotWhole) {
  const std::string bytes = two_entries();
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(Source(bytes.substr(0, size)).directory(2).is_whole) << size;
}

// Gives what it is made of, but for reads from `broken` on.
class FailingBytes final : public StoredBytes {
 public:
  FailingBytes(std::string bytes, uint64_t broken) : bytes_(std::move(bytes)), broken_(broken) {}

  std::optional<size_t> read(uint64_t offset, char* out, size_t size) override {
    if (offset + size > broken_) return std::nullopt;
    return bytes_.copy(out, size, static_cast<size_t>(offset));
  }
  std::optional<uint64_t> size() const override { return bytes_.size(); }

 private:
  const std::string bytes_;
  const uint64_t broken_;
};

// Else a file that cannot be read would be given up for what little of it can be.
TEST(ZipDirectory, AListThatCannotBeReadIsNotLost) {
  const auto opened = [](const std::string& bytes, uint64_t broken) {
    ZipFault fault;
    EXPECT_FALSE(ZipArchive::open(std::make_shared<FailingBytes>(bytes, broken), 10, fault));
    EXPECT_NE(fault.reason, "");
    return fault;
  };
  const std::string bytes = two_entries();
  EXPECT_FALSE(opened(bytes, 0).is_list_lost);
  EXPECT_FALSE(opened(bytes, bytes.size() - 1).is_list_lost);
  EXPECT_TRUE(opened(bytes.substr(0, bytes.size() - 1), bytes.size()).is_list_lost);
  EXPECT_TRUE(opened(bytes.substr(0, bytes.find("PK\1\2")), bytes.size()).is_list_lost);
}

}  // namespace
}  // namespace ndc
