// WARC files, whole and damaged, in pieces of any size.
#include "archives/warc_reader.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "archive_builder.hpp"

namespace ndc::test {
namespace {

using Uris = std::vector<std::string>;

std::string three_pages() {
  return page_record("http://a/", "first page") + page_record("http://b/", "second page") +
         page_record("http://c/", "third page");
}

std::string three_gzip_pages() {
  return gzip(page_record("http://a/", "first page")) + gzip(page_record("http://b/", "second page")) +
         gzip(page_record("http://c/", "third page"));
}

TEST(WarcReader, ReadsPlainRecordsWithTheirFieldsAndPlaces) {
  const std::string first = warc_record("warcinfo", "", "software: x", {}, "WARC/1.1");
  const std::string second = warc_record("resource", "<http://b/>", "bytes",
                                         {"Content-Type: text/plain", "WARC-Date: 2020-01-02T03:04:05Z",
                                          "WARC-Truncated: length", "WARC-Record-ID: <urn:x:1>"});
  const ReadAll all = read_all(first + second);
  ASSERT_EQ(all.records.size(), 2u);
  EXPECT_TRUE(all.damages.empty());
  EXPECT_EQ(all.records[0].type, "warcinfo");
  EXPECT_EQ(all.records[0].block, "software: x");
  EXPECT_FALSE(all.records[0].truncated);
  EXPECT_EQ(all.records[0].record_id, "");
  EXPECT_EQ(all.records[1].record_id, "urn:x:1");
  EXPECT_EQ(all.records[1].target_uri, "http://b/");
  EXPECT_EQ(all.records[1].date, "2020-01-02T03:04:05Z");
  EXPECT_EQ(all.records[1].content_type, "text/plain");
  EXPECT_TRUE(all.records[1].truncated);
  EXPECT_EQ(all.records[1].block, "bytes");
  EXPECT_EQ(all.records[1].position.file_offset, first.size());
  EXPECT_EQ(all.records[1].position.member_offset, 0u);
}

TEST(WarcReader, ReadsOneMemberARecord) {
  const std::string first = gzip(page_record("http://a/", "first page"));
  const ReadAll all = read_all(three_gzip_pages());
  EXPECT_EQ(all.uris(), (Uris{"http://a/", "http://b/", "http://c/"}));
  EXPECT_TRUE(all.damages.empty());
  EXPECT_EQ(all.records[1].position.file_offset, first.size());
  EXPECT_EQ(all.records[1].position.member_offset, 0u);
}

TEST(WarcReader, ReadsManyRecordsInOneMember) {
  const ReadAll all = read_all(gzip(three_pages()));
  EXPECT_EQ(all.uris(), (Uris{"http://a/", "http://b/", "http://c/"}));
  EXPECT_TRUE(all.damages.empty());
  EXPECT_EQ(all.records[2].position.file_offset, 0u);
  EXPECT_EQ(all.records[2].position.member_offset, three_pages().rfind("WARC/1.0"));
}

TEST(WarcReader, ReadsRecordsThatMembersCutAnywhere) {
  const std::string plain = three_pages();
  std::string members;
  for (size_t at = 0; at < plain.size(); at += 50)
    members += gzip(std::string_view(plain).substr(at, 50));
  const ReadAll all = read_all(members);
  EXPECT_EQ(all.uris(), (Uris{"http://a/", "http://b/", "http://c/"}));
  EXPECT_TRUE(all.damages.empty());
}

TEST(WarcReader, GivesTheSameInPiecesOfAnySize) {
  for (const std::string& bytes : {three_pages(), three_gzip_pages(), gzip(three_pages())}) {
    for (size_t piece = 1; piece < 40; ++piece) {
      MemorySource source(bytes, piece);
      const ReadAll all = read_all(source);
      ASSERT_EQ(all.uris(), (Uris{"http://a/", "http://b/", "http://c/"})) << piece;
      ASSERT_TRUE(all.damages.empty()) << piece;
      ASSERT_TRUE(all.records[2].block.ends_with("third page")) << piece;
    }
  }
}

TEST(WarcReader, AcceptsLineFeedsFoldedFieldsAndAnyCase) {
  const std::string bytes =
      "\n\r\nWARC/1.0\nwarc-TYPE: resource\nWARC-Target-URI:\n http://a/\n\t?q=1\nnonsense "
      "line\nCONTENT-length: 4\n\n"
      "body\n\n"
      "WARC/1.0\nWARC-Type: resource\nWARC-Target-URI: http://b/\nContent-Length: 0\n\n\n\n\n\n";
  const ReadAll all = read_all(bytes);
  ASSERT_EQ(all.records.size(), 2u);
  EXPECT_TRUE(all.damages.empty());
  EXPECT_EQ(all.records[0].target_uri, "http://a/ ?q=1");
  EXPECT_EQ(all.records[0].block, "body");
  EXPECT_EQ(all.records[1].block, "");
}

TEST(WarcReader, AcceptsAnEmptyInputAndAMissingLastEmptyLine) {
  EXPECT_TRUE(read_all("").records.empty());
  EXPECT_TRUE(read_all("").damages.empty());
  std::string bytes = three_pages();
  bytes.resize(bytes.size() - 4);
  EXPECT_EQ(read_all(bytes).records.size(), 3u);
  EXPECT_TRUE(read_all(bytes).damages.empty());
}

TEST(WarcReader, CutsLongBlocksAndGoesOn) {
  const std::string big = warc_record("resource", "http://big/", std::string(300000, 'x'));
  for (const std::string& bytes : {big + three_pages(), gzip(big) + three_gzip_pages()}) {
    const ReadAll all = read_all(bytes, 1000);
    EXPECT_EQ(all.uris(), (Uris{"http://big/", "http://a/", "http://b/", "http://c/"}));
    EXPECT_EQ(all.records[0].block, std::string(1000, 'x'));
    EXPECT_TRUE(all.records[0].block_cut);
    EXPECT_FALSE(all.records[1].block_cut);
  }
}

TEST(WarcReader, AWrongContentLengthCostsOneRecord) {
  for (const bool size_known : {false, true}) {
    for (const std::string_view length :
         {"Content-Length: 3\r\n", "Content-Length: 99\r\n", "Content-Length: 99999999999\r\n",
          "Content-Length: -1\r\n", "Content-Length: 12x\r\n", "X: 1\r\n"}) {
      const std::string wrong =
          std::string("WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://w/\r\n")
              .append(length)
              .append("\r\nsixteen bytes xx\r\n\r\n");
      const std::string start = page_record("http://0/", "zero");
      MemorySource source(start + wrong + three_pages(), 4096, size_known);
      const ReadAll all = read_all(source);
      EXPECT_EQ(all.uris(), (Uris{"http://0/", "http://a/", "http://b/", "http://c/"})) << length;
      ASSERT_EQ(all.damages.size(), 1u) << length;
      EXPECT_EQ(all.damages[0].position.file_offset, start.size()) << length;

      MemorySource members(gzip(start) + gzip(wrong) + three_gzip_pages(), 4096, size_known);
      const ReadAll of_members = read_all(members);
      // Only the end of the member shows that three bytes were too few.
      EXPECT_EQ(of_members.uris(), (Uris{"http://0/", "http://a/", "http://b/", "http://c/"})) << length;
      ASSERT_EQ(of_members.damages.size(), 1u) << length;
      EXPECT_EQ(of_members.damages[0].position.file_offset, gzip(start).size()) << length;
    }
  }
}

TEST(WarcReader, StepsOverGarbageAndUnknownVersions) {
  const std::string garbage = "garbage without a header\r\n\r\n";
  const ReadAll all = read_all(page_record("http://0/", "zero") + garbage + three_pages());
  EXPECT_EQ(all.uris(), (Uris{"http://0/", "http://a/", "http://b/", "http://c/"}));
  ASSERT_EQ(all.damages.size(), 1u);
  EXPECT_EQ(all.damages[0].reason, "no WARC record begins here");

  const ReadAll future = read_all(warc_record("resource", "http://f/", "x", {}, "WARC/2.0") + three_pages());
  EXPECT_EQ(future.records.size(), 3u);
  ASSERT_EQ(future.damages.size(), 1u);
  EXPECT_EQ(future.damages[0].reason, "not a version 1 WARC record");

  EXPECT_EQ(read_all(std::string(100000, '\0')).damages.size(), 1u);
  EXPECT_EQ(read_all("WARC/1.0\r\n" + std::string(3 << 20, 'h')).damages.size(), 1u);
}

TEST(WarcReader, ARecordInsideOfAPayloadIsNoRecord) {
  const std::string outer = warc_record("resource", "http://outer/", three_pages());
  const ReadAll all = read_all(outer + three_pages());
  EXPECT_EQ(all.uris(), (Uris{"http://outer/", "http://a/", "http://b/", "http://c/"}));
  EXPECT_TRUE(all.damages.empty());
}

TEST(WarcReader, AReadErrorEndsTheReading) {
  for (const std::string& bytes : {three_pages(), three_gzip_pages()}) {
    MemorySource source(bytes, 64, false, bytes.size() / 2);
    const ReadAll all = read_all(source);
    EXPECT_TRUE(all.failed);
    EXPECT_EQ(all.uris(), (Uris{"http://a/"}));
    EXPECT_TRUE(all.damages.empty());
  }
}

TEST(WarcReader, AReadErrorWithinTheFirstBytesOfAMemberIsNoDamage) {
  const std::string first = gzip(page_record("http://a/", "a page"));
  for (size_t bytes_of_second = 0; bytes_of_second < 20; ++bytes_of_second) {
    MemorySource source(first + first, 64, false, first.size() + bytes_of_second);
    const ReadAll all = read_all(source);
    EXPECT_TRUE(all.failed) << bytes_of_second;
    EXPECT_EQ(all.uris(), (Uris{"http://a/"})) << bytes_of_second;
    EXPECT_TRUE(all.damages.empty()) << bytes_of_second;
  }
}

TEST(WarcReader, ALengthThatIsALittleWrongCostsNothing) {
  const std::string good = page_record("http://good/", "a page");
  for (const int off : {-3, -2, -1, 1, 2, 3, 4, 5, 6, 7}) {
    const std::string bad =
        "warc/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://bad/\r\nContent-Length: " +
        std::to_string(10 + off) + "\r\n\r\n0123456789\r\n\r\n";
    const ReadAll read = read_all(good + bad + good);
    EXPECT_TRUE(read.damages.empty()) << off;
    ASSERT_EQ(read.records.size(), 3u) << off;
    EXPECT_EQ(read.records[1].target_uri, "http://bad/");
    EXPECT_EQ(trimmed(read.records[1].block),
              std::string("0123456789").substr(0, static_cast<size_t>(10 + off)));
    EXPECT_EQ(read_all(gzip(good) + gzip(bad) + gzip(good)).records.size(), 3u) << off;
  }
  const std::string cut = good.substr(0, good.size() - 6);
  EXPECT_EQ(read_all(cut).damages.size(), 1u);
}

}  // namespace
}  // namespace ndc::test
