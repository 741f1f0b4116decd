// Archives through the calls of ndc_archives.h: what the reader gives, told in C, and failures of a callback.
#include <gtest/gtest.h>
#include "archives/ndc_archives.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "archive_builder.hpp"
#include "archives/archive_item.hpp"
#include "archives/archive_reader.hpp"
#include "input_builder.hpp"

namespace ndc::test {
namespace {

// A file in memory, which may fail at a byte.
struct StoredFile {
  std::string bytes;
  uint64_t fails_at = std::numeric_limits<uint64_t>::max();
  size_t piece = size_t{1} << 20;
  size_t reads = 0;
  size_t reads_after_failure = 0;
  bool has_failed = false;

  static int64_t read(uint64_t offset, void* out, size_t size, void* ctx) {
    auto* const file = static_cast<StoredFile*>(ctx);
    ++file->reads;
    if (file->has_failed) ++file->reads_after_failure;
    file->has_failed = offset + size > file->fails_at && offset >= file->fails_at;
    if (file->has_failed) return -1;
    const uint64_t end = std::min<uint64_t>(file->bytes.size(), file->fails_at);
    const size_t count =
        static_cast<size_t>(std::min<uint64_t>({size, file->piece, end - std::min(end, offset)}));
    file->bytes.copy(static_cast<char*>(out), count, offset);
    return static_cast<int64_t>(count);
  }

  nd_archive_input input() {
    nd_archive_input input = ND_ARCHIVE_INPUT_INIT;
    input.name = "stored";
    input.end = bytes.size();
    input.read = read;
    input.ctx = this;
    return input;
  }
};

struct Closer {
  void operator()(nd_archive* archive) const { nd_archive_close(archive); }
};
using Archive = std::unique_ptr<nd_archive, Closer>;

Archive open(const nd_archive_input& input) {
  nd_archive* archive = nullptr;
  EXPECT_EQ(nd_archive_open(&input, &archive), ND_OK) << nd_archive_last_error();
  return Archive(archive);
}

std::string told(const nd_archive_item& item) {
  std::string text = std::to_string(item.kind) + " " + item.file + " " + std::to_string(item.file_offset) +
                     "+" + std::to_string(item.member_offset);
  for (const std::string_view part :
       {std::string_view(item.url, item.url_size),
        std::string_view(item.content_type, item.content_type_size),
        std::string_view(item.body, item.body_size), std::string_view(item.reason, item.reason_size)})
    text.append("|").append(part);
  return text;
}

// All items, and the status that ended them if it is not ND_OK.
std::vector<std::string> read_all(nd_archive* archive) {
  std::vector<std::string> all;
  nd_archive_item item = ND_ARCHIVE_ITEM_INIT;
  nd_status status = ND_OK;
  while ((status = nd_archive_next(archive, &item)) == ND_OK && item.kind != ND_ARCHIVE_END)
    all.push_back(told(item));
  if (status != ND_OK) all.push_back("status " + std::to_string(status));
  return all;
}

std::vector<std::string> read_all(StoredFile& file) {
  return read_all(open(file.input()).get());
}

// The same of the reader of paths.
std::vector<std::string> read_path(const std::string& path) {
  ArchiveReader reader({path}, size_t{64} << 20);
  EXPECT_TRUE(reader.check()) << reader.error();
  std::vector<std::string> all;
  for (ArchiveItem item; read_item(reader, item);) {
    decode_item({}, item);
    const InputPosition& position = item.readable ? item.record.position : item.damage.position;
    std::string text = " stored" + item.path->substr(path.size()) + " " +
                       std::to_string(position.file_offset) + "+" + std::to_string(position.member_offset);
    switch (item.outcome) {
      case PageOutcome::kPage:
        text = "1" + text + "|" + item.page.url + "|" + item.page.content_type + "|";
        text.append(item.page.body).append("|");
        break;
      case PageOutcome::kNoPage:
        text = "2" + text + "||||";
        break;
      case PageOutcome::kLeftOut:
        text = "3" + text + "||||" + std::string(name_of(item.page.left_out));
        break;
      case PageOutcome::kOtherStatus:
        text = "4" + text + "||||";
        break;
      case PageOutcome::kDamaged:
        text = "5" + text + "||||" + item.damage.reason;
        break;
    }
    all.push_back(std::move(text));
  }
  return all;
}

std::string page(int number) {
  return page_record("http://a.example/" + std::to_string(number), "page " + std::to_string(number));
}

std::string revisit_of(int number) {
  const std::string url = "http://a.example/" + std::to_string(number);
  return warc_record("revisit", url, "HTTP/1.1 200 OK\r\n\r\n",
                     {"WARC-Refers-To-Target-URI: " + url, "WARC-Refers-To-Date: 2024-05-06T07:08:09Z",
                      "WARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest"});
}

// Of all kinds.
std::vector<std::string> sample_files() {
  const std::string style =
      warc_record("response", "http://a.example/s", http_response("a{}", {"Content-Type: text/css"}));
  const std::string missing =
      warc_record("response", "http://a.example/m", http_response("m", {}, "HTTP/1.1 404 No"));
  const std::string warc =
      page(1) + warc_record("request", "http://a.example/", "GET /") + style + missing + page(2);
  std::string members = gzip(page(1)) + gzip(page(2)) + gzip(revisit_of(1)) + gzip(page(3));
  std::string damaged = members;
  damaged[gzip(page(1)).size() + 30] ^= 0x55;
  return {warc,
          page(1) + "junk\r\n" + page(2) + page(3).substr(0, 100),
          members,
          damaged,
          skippable_frame(0, "x") + zstd(page(1)) + zstd(page(2)),
          arc_start() + arc_record("http://a.example/", "text/html", http_response("arc")),
          "{\"url\": \"http://a.example/\", \"text\": \"one\"}\n{\"url\": 1}\n",
          "<!DOCTYPE html><title>t</title>",
          zip_file({{"archive/a.warc", warc}, {"archive/b.warc.gz", members}, {"indexes/i", "x"}}, true),
          zip_file({{"archive/a.warc", warc}, {"inner.wacz", zip_file({{"archive/c.warc", page(4)}}, true)}},
                   false)};
}

TEST(ArchiveCalls, AFileIsReadAsItsPathIs) {
  std::ifstream sample(NDC_SOURCE_DIR "/data/sample/documentation.warc.gz", std::ios::binary);
  std::vector<std::string> files = sample_files();
  files.emplace_back(std::istreambuf_iterator<char>(sample), std::istreambuf_iterator<char>());
  for (size_t i = 0; i < files.size(); ++i) {
    const std::string path = testing::TempDir() + "archive_calls_test";
    std::ofstream(path, std::ios::binary) << files[i];
    const std::vector<std::string> expected = read_path(path);
    for (const size_t piece : {size_t{1} << 20, size_t{1000}}) {
      StoredFile file{files[i]};
      file.piece = piece;
      std::vector<std::string> found = read_all(file);
      // A page that is a file has its name for URL.
      for (std::string& item : found)
        if (const size_t at = item.find("|stored|"); at != std::string::npos) item.replace(at + 1, 6, path);
      EXPECT_EQ(found, expected) << "file " << i;
    }
    std::remove(path.c_str());
  }
}

TEST(ArchiveCalls, AnItemSaysWhatItIs) {
  StoredFile file{gzip(page(1)) + gzip(revisit_of(1)) +
                  gzip(warc_record("resource", "http://a.example/c", "cut", {"WARC-Truncated: length"})) +
                  gzip("x")};
  const Archive archive = open(file.input());
  nd_archive_item item = ND_ARCHIVE_ITEM_INIT;
  ASSERT_EQ(nd_archive_next(archive.get(), &item), ND_OK);
  EXPECT_EQ(item.flags, uint32_t{ND_ARCHIVE_ITEM_RECORD | ND_ARCHIVE_ITEM_SEPARATE});
  EXPECT_GT(item.fetched_at_ms, 0);
  ASSERT_EQ(nd_archive_next(archive.get(), &item), ND_OK);
  EXPECT_EQ(item.flags,
            uint32_t{ND_ARCHIVE_ITEM_RECORD | ND_ARCHIVE_ITEM_SEPARATE | ND_ARCHIVE_ITEM_REVISIT});
  EXPECT_EQ(std::string_view(item.body, item.body_size), "page 1");
  ASSERT_EQ(nd_archive_next(archive.get(), &item), ND_OK);
  EXPECT_TRUE(item.flags & ND_ARCHIVE_ITEM_TRUNCATED);
  ASSERT_EQ(nd_archive_next(archive.get(), &item), ND_OK);
  EXPECT_EQ(item.kind, ND_ARCHIVE_DAMAGE);
  EXPECT_EQ(item.flags, 0U);
  EXPECT_GT(item.reason_size, 0U);
  for (int twice = 0; twice < 2; ++twice) {
    ASSERT_EQ(nd_archive_next(archive.get(), &item), ND_OK);
    EXPECT_EQ(item.kind, ND_ARCHIVE_END);
  }
}

TEST(ArchiveCalls, ARecordIsSeparateIfItNeedsNothingBehindIt) {
  const std::string unended = page(1).substr(0, page(1).size() - 4);
  StoredFile file{unended + page(2)};
  const Archive archive = open(file.input());
  nd_archive_item item = ND_ARCHIVE_ITEM_INIT;
  ASSERT_EQ(nd_archive_next(archive.get(), &item), ND_OK);
  EXPECT_EQ(item.kind, ND_ARCHIVE_PAGE);
  EXPECT_FALSE(item.flags & ND_ARCHIVE_ITEM_SEPARATE);
  ASSERT_EQ(nd_archive_next(archive.get(), &item), ND_OK);
  EXPECT_TRUE(item.flags & ND_ARCHIVE_ITEM_SEPARATE);
}

TEST(ArchiveCalls, StretchesGiveWhatTheWholeGives) {
  for (const bool packed : {false, true}) {
    std::string bytes;
    std::vector<uint64_t> begins;
    for (int i = 0; i < 5; ++i) {
      begins.push_back(bytes.size());
      bytes += packed ? gzip(page(i)) : page(i);
    }
    begins.push_back(bytes.size());
    StoredFile file{bytes};
    std::vector<std::string> found;
    for (size_t i = 0; i + 1 < begins.size(); ++i) {
      nd_archive_input input = file.input();
      input.begin = begins[i];
      input.end = begins[i + 1];
      const std::vector<std::string> part = read_all(open(input).get());
      found.insert(found.end(), part.begin(), part.end());
    }
    EXPECT_EQ(found, read_all(file)) << packed;
  }
}

TEST(ArchiveCalls, ARevisitOfAnotherStretchIsLost) {
  const std::string first = gzip(page(1));
  StoredFile file{first + gzip(revisit_of(1))};
  nd_archive_input input = file.input();
  input.begin = first.size();
  const Archive archive = open(input);
  nd_archive_item item = ND_ARCHIVE_ITEM_INIT;
  ASSERT_EQ(nd_archive_next(archive.get(), &item), ND_OK);
  EXPECT_EQ(item.kind, ND_ARCHIVE_LEFT_OUT);
  EXPECT_EQ(item.left_out, uint32_t{ND_LEFT_OUT_LOST_REVISIT});
}

TEST(ArchiveCalls, OneFileOfAWacz) {
  StoredFile file{zip_file({{"archive/a.warc", page(1)}, {"archive/b.warc", page(2) + page(3)}}, true)};
  const Archive archive = open(file.input());
  ASSERT_EQ(nd_archive_file_count(archive.get()), 2U);
  EXPECT_STREQ(nd_archive_file_name(archive.get(), 1), "stored/archive/b.warc");
  EXPECT_EQ(nd_archive_file_name(archive.get(), 2), nullptr);
  EXPECT_EQ(nd_archive_select(archive.get(), 2), ND_ERR_NOT_FOUND);
  ASSERT_EQ(nd_archive_select(archive.get(), 1), ND_OK);
  EXPECT_EQ(read_all(archive.get()).size(), 2U);
  EXPECT_EQ(nd_archive_select(archive.get(), 0), ND_ERR_INVALID_ARGUMENT);
}

TEST(ArchiveCalls, AFailureOfTheStorageIsNoDamage) {
  for (const std::string& bytes : sample_files()) {
    StoredFile whole{bytes};
    const std::vector<std::string> all = read_all(whole);
    for (uint64_t at = 0; at < bytes.size(); at += 7) {
      StoredFile file{bytes};
      file.fails_at = at;
      const nd_archive_input input = file.input();
      nd_archive* opened = nullptr;
      const nd_status status = nd_archive_open(&input, &opened);
      const Archive archive(opened);
      EXPECT_EQ(file.reads_after_failure, 0U);
      if (status != ND_OK) {
        EXPECT_EQ(status, ND_ERR_IO) << nd_archive_last_error();
        continue;
      }
      file.has_failed = false;
      std::vector<std::string> found = read_all(archive.get());
      EXPECT_EQ(found.back(), "status -3") << at;
      found.pop_back();
      ASSERT_LE(found.size(), all.size());
      EXPECT_EQ(found,
                std::vector<std::string>(all.begin(), all.begin() + static_cast<ptrdiff_t>(found.size())));
      EXPECT_EQ(read_all(archive.get()), std::vector<std::string>{"status -3"});
      EXPECT_EQ(file.reads_after_failure, 0U);
    }
  }
}

// Reads like StoredFile, but throws at a read.
struct ThrowingFile {
  StoredFile file;
  int reads_before = 0;
  bool has_no_memory = false;

  static int64_t read(uint64_t offset, void* out, size_t size, void* ctx) {
    auto* const throwing = static_cast<ThrowingFile*>(ctx);
    if (throwing->reads_before-- == 0) {
      if (throwing->has_no_memory) throw std::bad_alloc();
      throw std::runtime_error("thrown by the caller");
    }
    return StoredFile::read(offset, out, size, &throwing->file);
  }
};

TEST(ArchiveCalls, NothingIsReadAfterAnException) {
  for (const bool has_no_memory : {false, true}) {
    ThrowingFile throwing{{page(1) + page(2) + page(3)}};
    throwing.file.piece = page(1).size();
    throwing.has_no_memory = has_no_memory;
    nd_archive_input input = throwing.file.input();
    input.read = ThrowingFile::read;
    input.ctx = &throwing;
    throwing.reads_before = -1;
    const Archive archive = open(input);
    throwing.reads_before = 1;
    const std::vector<std::string> expected = {has_no_memory ? "status -2" : "status -10"};
    EXPECT_EQ(read_all(archive.get()), expected);
    EXPECT_STRNE(nd_archive_last_error(), "");
    EXPECT_EQ(read_all(archive.get()), expected);
    EXPECT_STRNE(nd_archive_last_error(), "");
  }
}

TEST(ArchiveCalls, AFileThatEndsEarlyIsDamaged) {
  const std::string warc = page(1) + page(2);
  for (const std::string& bytes : {warc, gzip(page(1)) + gzip(page(2)), std::string()}) {
    StoredFile file{bytes};
    std::vector<std::string> expected = read_all(file);
    nd_archive_input input = file.input();
    input.end += 1000;
    const std::string end = std::to_string(bytes.size());
    expected.push_back("5 stored " + end + "+0||||the file ends at byte " + end + ", before byte " +
                       std::to_string(bytes.size() + 1000));
    EXPECT_EQ(read_all(open(input).get()), expected);
    input.end = ND_ARCHIVE_SIZE_UNKNOWN;
    expected.pop_back();
    EXPECT_EQ(read_all(open(input).get()), expected);
  }
}

TEST(ArchiveCalls, AFileMayHaveAnyNameAndNoKnownSize) {
  StoredFile file{page(1) + revisit_of(1)};
  nd_archive_input input = file.input();
  input.name = "-";
  input.end = ND_ARCHIVE_SIZE_UNKNOWN;
  const std::vector<std::string> found = read_all(open(input).get());
  ASSERT_EQ(found.size(), 2U);
  EXPECT_TRUE(found[1].ends_with("|page 1|")) << found[1];
}

TEST(ArchiveCalls, AWaczIsOpenedWithoutReadingItsFiles) {
  std::vector<std::pair<std::string, std::string>> parts;
  for (int i = 0; i < 200; ++i)
    parts.push_back({"archive/" + std::to_string(i) + (i % 2 == 0 ? ".warc.gz" : ".arc"), page(i)});
  StoredFile file{zip_file(parts, true)};
  const Archive archive = open(file.input());
  EXPECT_EQ(nd_archive_file_count(archive.get()), 200U);
  EXPECT_LT(file.reads, 20U);
}

TEST(ArchiveCalls, AWaczNeedsASize) {
  StoredFile file{zip_file({{"archive/a.warc", page(1)}}, true)};
  nd_archive_input input = file.input();
  input.end = ND_ARCHIVE_SIZE_UNKNOWN;
  nd_archive* archive = nullptr;
  EXPECT_EQ(nd_archive_open(&input, &archive), ND_ERR_CORRUPT);
  EXPECT_STREQ(nd_archive_last_error(),
               "looks like a ZIP file, which is read from its end: its size must be known");
}

TEST(ArchiveCalls, AWaczBeginsAtItsFirstByte) {
  StoredFile file{zip_file({{"archive/a.warc", page(1)}}, true)};
  nd_archive_input input = file.input();
  input.begin = 1;
  nd_archive* archive = nullptr;
  EXPECT_EQ(nd_archive_open(&input, &archive), ND_ERR_INVALID_ARGUMENT);
  EXPECT_EQ(archive, nullptr);
  EXPECT_STREQ(nd_archive_last_error(), "input: a WACZ begins at byte 0");
}

TEST(ArchiveCalls, WhatIsNoArchiveIsRefused) {
  for (const auto& [bytes, message] : std::vector<std::pair<std::string, std::string>>{
           {"%PDF-1.7 ...", "looks like a PDF file, not like an archive of pages"},
           {"plain words\n", "looks like plain text, not like an archive of pages"},
           {zip_file({{"a.txt", "x"}}, true),
            "looks like a ZIP file, but is no WACZ: it has no folder archive/"}}) {
    StoredFile file{bytes};
    const nd_archive_input input = file.input();
    nd_archive* archive = nullptr;
    EXPECT_EQ(nd_archive_open(&input, &archive), ND_ERR_CORRUPT);
    EXPECT_EQ(archive, nullptr);
    EXPECT_EQ(nd_archive_last_error(), message);
  }
}

TEST(ArchiveCalls, ArgumentsAreChecked) {
  StoredFile file{page(1)};
  const auto status_of = [](const nd_archive_input& input) {
    nd_archive* archive = nullptr;
    const nd_status status = nd_archive_open(&input, &archive);
    EXPECT_EQ(archive, nullptr);
    EXPECT_STRNE(nd_archive_last_error(), "");
    return status;
  };
  nd_archive_input input = file.input();
  input.struct_size = 0;
  EXPECT_EQ(status_of(input), ND_ERR_INVALID_ARGUMENT);
  input = file.input();
  input.flags = 2;
  EXPECT_EQ(status_of(input), ND_ERR_UNSUPPORTED_VERSION);
  input = file.input();
  input.name = nullptr;
  EXPECT_EQ(status_of(input), ND_ERR_INVALID_ARGUMENT);
  input = file.input();
  input.read = nullptr;
  EXPECT_EQ(status_of(input), ND_ERR_INVALID_ARGUMENT);
  input = file.input();
  input.begin = input.end + 1;
  EXPECT_EQ(status_of(input), ND_ERR_INVALID_ARGUMENT);
  input = file.input();
  input.max_page_bytes = (uint64_t{1} << 30) + 1;
  EXPECT_EQ(status_of(input), ND_ERR_INVALID_ARGUMENT);
  input = file.input();
  EXPECT_EQ(nd_archive_open(&input, nullptr), ND_ERR_INVALID_ARGUMENT);
  nd_archive* archive = nullptr;
  EXPECT_EQ(nd_archive_open(nullptr, &archive), ND_ERR_INVALID_ARGUMENT);
  nd_archive_item item = ND_ARCHIVE_ITEM_INIT;
  EXPECT_EQ(nd_archive_next(nullptr, &item), ND_ERR_INVALID_ARGUMENT);
  EXPECT_EQ(nd_archive_select(nullptr, 0), ND_ERR_INVALID_ARGUMENT);
  EXPECT_EQ(nd_archive_file_count(nullptr), 0U);
  const Archive sound = open(file.input());
  item.struct_size = 8;
  EXPECT_EQ(nd_archive_next(sound.get(), &item), ND_ERR_INVALID_ARGUMENT);
  EXPECT_EQ(nd_archive_next(sound.get(), nullptr), ND_ERR_INVALID_ARGUMENT);
  nd_archive_close(nullptr);
}

TEST(ArchiveCalls, LimitsAreArguments) {
  StoredFile file{page_record("http://a.example/", std::string(5000, 'x'))};
  nd_archive_input input = file.input();
  input.max_page_bytes = 1000;
  const Archive archive = open(input);
  nd_archive_item item = ND_ARCHIVE_ITEM_INIT;
  ASSERT_EQ(nd_archive_next(archive.get(), &item), ND_OK);
  EXPECT_TRUE(item.flags & ND_ARCHIVE_ITEM_TRUNCATED);
  EXPECT_LE(item.body_size, 1000U);

  StoredFile missing{warc_record("response", "http://a.example/", http_response("m", {}, "HTTP/1.1 404 No"))};
  input = missing.input();
  input.flags = ND_ARCHIVE_ALL_STATUSES;
  const Archive all = open(input);
  ASSERT_EQ(nd_archive_next(all.get(), &item), ND_OK);
  EXPECT_EQ(item.kind, ND_ARCHIVE_PAGE);

  StoredFile bomb{gzip(page_record("http://a.example/", std::string(size_t{80} << 20, 'x')))};
  input = bomb.input();
  input.max_expansion = 1;
  const Archive small = open(input);
  ASSERT_EQ(nd_archive_next(small.get(), &item), ND_OK);
  EXPECT_EQ(item.kind, ND_ARCHIVE_DAMAGE);
  EXPECT_NE(std::string_view(item.reason, item.reason_size).find("expands"), std::string_view::npos);
}

}  // namespace
}  // namespace ndc::test
