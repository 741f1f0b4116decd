// Records of verdicts byte by byte, what cannot get into them, and their ids. The command's test reads whole
// files.
#include "verdict_records.hpp"

#include <gtest/gtest.h>

#include <string>

#include "output_capture.hpp"
#include "unit/archives/archive_builder.hpp"
#include "warc_writer.hpp"

namespace ndc::test {
namespace {

Row near_row() {
  Row row;
  row.url = "http://b.example/";
  row.representative = "http://a.example/";
  row.founder = "http://first.example/";
  row.result.verdict = ND_NEAR;
  row.result.flags = ND_FLAG_RECRAWL | ND_FLAG_CHANGED;
  row.result.page_id = 7;
  row.result.group_id = 3;
  row.result.matched_page_id = 5;
  row.result.resemblance = 0.93402;
  row.result.containment = 0.99;
  return row;
}

RecordOrigin origin() {
  return {12, "urn:uuid:0c54f91a-702f-51b2-8e0b-d17835faf0f0", "2024-10-07T00:00:00Z"};
}

std::string written(const Row& row, const RecordOrigin& from, bool compressed = false) {
  return output_of([&](OutputFile& output) { VerdictRecords(output, compressed, "1.2.3").add(row, from); });
}

// The record's own id.
std::string id_of(const std::string& record) {
  const size_t begin = record.find("<urn:uuid:");
  return record.substr(begin, record.find('>') - begin);
}

TEST(NameUuid, IsThatOfTheStandard) {
  // RFC 9562, appendix A.4: www.example.com in the namespace of DNS names.
  constexpr UuidBytes kDns = {0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1,
                              0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8};
  EXPECT_EQ(name_uuid(kDns, "www.example.com"), "2ed6657d-e927-568b-95e1-2665a8aea6a2");
}

TEST(VerdictRecords, AreWarcOfNamedFields) {
  const std::string record = written(near_row(), origin());
  EXPECT_EQ(record,
            "WARC/1.1\r\n"
            "WARC-Type: metadata\r\n"
            "WARC-Record-ID: " +
                id_of(record) +
                ">\r\n"
                "WARC-Date: 2024-10-07T00:00:00Z\r\n"
                "WARC-Target-URI: http://b.example/\r\n"
                "WARC-Refers-To: <urn:uuid:0c54f91a-702f-51b2-8e0b-d17835faf0f0>\r\n"
                "Content-Type: application/warc-fields\r\n"
                "Content-Length: 210\r\n"
                "\r\n"
                "nd-verdict: near\r\n"
                "nd-group: 3\r\n"
                "nd-group-url: http://first.example/\r\n"
                "nd-page: 7\r\n"
                "nd-matched-url: http://a.example/\r\n"
                "nd-resemblance: 0.9340\r\n"
                "nd-containment: 0.9900\r\n"
                "nd-flags: recrawl, changed\r\n"
                "nd-version: 1.2.3\r\n"
                "\r\n\r\n");
}

TEST(VerdictRecords, WhatIsNotKnownIsLeftOut) {
  Row row = near_row();
  row.representative.reset();
  row.founder.reset();
  row.result.flags = 0;
  row.result.verdict = ND_NO_TEXT;
  row.result.matched_page_id = 0;
  const std::string record = written(row, {12, "", "2024"});
  for (const char* name : {"Refers-To", "group-url", "matched", "resemblance", "containment", "flags"})
    EXPECT_EQ(record.find(name), std::string::npos) << name;
  EXPECT_NE(record.find("nd-verdict: no-text\r\n"), std::string::npos);
}

TEST(VerdictRecords, ReadBackAsOneRecordWhateverTheFieldsHold) {
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte)
    bytes += static_cast<char>(byte);
  Row row = near_row();
  row.url = "http://a.example/\r\n\r\nWARC/1.1\r\n" + bytes;
  row.representative = row.founder = row.url;
  for (const bool compressed : {false, true}) {
    const ReadAll read = read_all(written(row, {1, bytes + "\r\nX: y", "2024-10-07T00:00:00Z"}, compressed));
    ASSERT_EQ(read.records.size(), 1U);
    EXPECT_TRUE(read.damages.empty());
    EXPECT_EQ(read.records[0].type, "metadata");
    const std::string& block = read.records[0].block;
    EXPECT_EQ(block.find('\0'), std::string::npos);
    size_t lines = 0;
    for (size_t at = block.find('\n'); at != std::string::npos; at = block.find('\n', at + 1)) {
      EXPECT_EQ(block[at - 1], '\r');
      ++lines;
    }
    EXPECT_EQ(lines, 9U);
  }
}

TEST(VerdictRecords, FieldsAreUtf8) {
  Row row = near_row();
  row.url = "http://\xE4\xB8\xAD/\xE4\xB8/\xC2\x80\xC2\x9F\xC2\xA0\x7F\xFF";
  const std::string record = written(row, origin());
  EXPECT_NE(record.find("WARC-Target-URI: http://\xE4\xB8\xAD/%E4%B8/%C2%80%C2%9F\xC2\xA0%7F%FF\r\n"),
            std::string::npos)
      << record;
}

TEST(VerdictRecords, TheIdIsThatOfOriginAndVerdict) {
  const std::string id = id_of(written(near_row(), origin()));
  EXPECT_EQ(id_of(written(near_row(), origin())), id);
  for (int i = 0; i < 5; ++i) {
    Row row = near_row();
    RecordOrigin from = origin();
    if (i == 0) row.url += "x";
    if (i == 1) row.result.resemblance = 0.5;
    if (i == 2) from.record_id += "x";
    if (i == 3) from.date = "2024-10-08T00:00:00Z";
    if (i == 4) from.number = 13;
    EXPECT_NE(id_of(written(row, from)), id) << i;
  }
}

TEST(VerdictRecords, TheOriginOfARecord) {
  WarcRecord record;
  record.record_id = "urn:x";
  record.date = "2024-10-07T01:02:03.123456Z";
  EXPECT_EQ(origin_of(record, 4).date, "2024-10-07T01:02:03.123456Z") << "as it was written";
  EXPECT_EQ(origin_of(record, 4).record_id, "urn:x");
  EXPECT_EQ(origin_of(record, 4).number, 4U);
  const auto date_of = [&](const std::string& date) {
    record.date = date;
    return origin_of(record, 0).date;
  };
  EXPECT_EQ(date_of("2024-10-07T01:02:03+01:00"), "2024-10-07T00:02:03Z");
  EXPECT_EQ(date_of(""), "1970-01-01T00:00:00Z");
  EXPECT_EQ(date_of("yesterday\r\n"), "1970-01-01T00:00:00Z");
}

TEST(VerdictRecords, AMemberARecordIfCompressed) {
  const std::string bytes = output_of([](OutputFile& output) {
    VerdictRecords records(output, true, "1.2.3");
    records.begin();
    records.add(near_row(), origin());
  });
  EXPECT_EQ(bytes.substr(0, 2), "\x1f\x8b");
  const ReadAll read = read_all(bytes);
  ASSERT_EQ(read.records.size(), 2U);
  EXPECT_EQ(read.records[0].type, "warcinfo");
  EXPECT_EQ(read.records[1].position.member_offset, 0U);
  EXPECT_GT(read.records[1].position.file_offset, 0U);
  EXPECT_EQ(written(near_row(), origin(), true), bytes.substr(read.records[1].position.file_offset));
  EXPECT_TRUE(VerdictRecords::is_compressed("x.warc.gz"));
  EXPECT_FALSE(VerdictRecords::is_compressed("x.warc"));
}

}  // namespace
}  // namespace ndc::test
