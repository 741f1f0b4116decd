// Pages in JSON lines; a wrong line costs itself alone.
#include "archives/json_lines_reader.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "archive_builder.hpp"

namespace ndc::test {
namespace {

constexpr const char* kMark = "\xEF\xBB\xBF";

struct LinesRead {
  std::vector<WarcRecord> records;
  std::vector<std::string> reasons;
};

LinesRead read_lines(const std::string& bytes, size_t max_block_bytes = 1 << 20, size_t piece = 1 << 20) {
  MemorySource source(bytes, piece);
  InputStream stream(source);
  JsonLinesReader reader(stream, max_block_bytes);
  LinesRead read;
  WarcRecord record;
  RecordDamage damage;
  for (;;) {
    switch (reader.next(record, damage)) {
      case RecordReader::Outcome::kRecord:
        read.records.push_back(record);
        break;
      case RecordReader::Outcome::kDamaged:
        read.reasons.push_back(damage.reason);
        break;
      default:
        return read;
    }
  }
}

// As where a line end was lost; what is wrong costs itself and what follows it on its line.
TEST(JsonLinesReader, ReadsSeveralPagesOfALine) {
  const std::string a = "{\"url\": \"http://a/\", \"text\": \"}{ \\\"\"}";
  const std::string b = "{\"url\": \"http://b/\", \"more\": {}, \"text\": \"\"}";
  const std::string line = a + b + " " + a + "\n";
  for (const size_t piece : {size_t{1}, size_t{1} << 20}) {
    for (const std::string& stored : {line + b, gzip(line) + gzip(b), kMark + line + b}) {
      const LinesRead read = read_lines(stored, 1 << 20, piece);
      EXPECT_TRUE(read.reasons.empty());
      ASSERT_EQ(read.records.size(), 4u);
      EXPECT_EQ(read.records[1].target_uri, "http://b/");
      EXPECT_EQ(read.records[2].block, std::string(kMark) + "}{ \"");
    }
  }
  const LinesRead wrong = read_lines(a + "{}" + a + "\n" + b + "junk\n" + a);
  EXPECT_EQ(wrong.records.size(), 2u);
  EXPECT_EQ(wrong.reasons.size(), 2u);
}

// Each looks no further for the end of its line than the one before.
TEST(JsonLinesReader, ReadsALineOfVeryManyPages) {
  std::string line;
  for (size_t page = 0; page < 200000; ++page)
    line += "{\"url\": \"http://a/\", \"text\": \"\"}";
  line.append(8 << 20, ' ');
  EXPECT_EQ(read_lines(line, 16 << 20).records.size(), 200000u);
}

TEST(JsonLinesReader, ReadsPages) {
  const std::string bytes =
      "{\"url\": \"http://a/\", \"html\": \"<p>\\u00e4\\n\", \"more\": {\"url\": [1, {}]}, \"date\": "
      "\"2024-01-02T03:04:05Z\"}\n"
      "\r\n"
      "{\"text\": \"words\", \"url\": \"http://b/\"}";
  for (const size_t piece : {size_t{1}, size_t{1} << 20}) {
    for (const std::string& stored : {bytes, gzip(bytes)}) {
      const LinesRead read = read_lines(stored, 1 << 20, piece);
      EXPECT_TRUE(read.reasons.empty());
      ASSERT_EQ(read.records.size(), 2u);
      EXPECT_EQ(read.records[0].target_uri, "http://a/");
      EXPECT_EQ(read.records[0].content_type, "text/html");
      EXPECT_EQ(read.records[0].block, std::string(kMark) + "<p>\xC3\xA4\n");
      EXPECT_EQ(read.records[0].date, "2024-01-02T03:04:05Z");
      EXPECT_EQ(read.records[1].content_type, "text/plain");
    }
  }
}

TEST(JsonLinesReader, AWrongLineCostsNothingElse) {
  const std::string good = "{\"url\": \"http://good/\", \"text\": \"words\"}\n";
  const std::string deep(100000, '[');
  for (const std::string& wrong :
       {std::string("{"), std::string("[1]"), std::string("7"), std::string("{\"url\": \"http://a/\"}"),
        std::string("{\"text\": \"x\"}"), std::string("{\"url\": \"\", \"text\": \"x\"}"),
        std::string("{\"url\": 7, \"text\": \"x\"}"),
        std::string("{\"url\": \"http://a/\", \"text\": \"\xff\"}"),
        "{\"url\": \"http://a/\", \"text\": \"x\", \"deep\": " + deep, std::string("\0\1\2", 3)}) {
    const LinesRead read = read_lines(good + wrong + "\n" + good);
    EXPECT_EQ(read.records.size(), 2u) << wrong.substr(0, 60);
    EXPECT_EQ(read.reasons.size(), 1u) << wrong.substr(0, 60);
  }
}

TEST(JsonLinesReader, LongLinesAreBounded) {
  const std::string good = "{\"url\": \"http://good/\", \"text\": \"words\"}\n";
  const std::string page = "{\"url\": \"http://a/\", \"text\": \"" + std::string(5000, 'x') + "\"}\n";
  const LinesRead cut = read_lines(page, 100);
  ASSERT_EQ(cut.records.size(), 1u);
  EXPECT_EQ(cut.records[0].block.size(), 100u);
  EXPECT_TRUE(cut.records[0].block_cut);
  const std::string huge =
      "{\"url\": \"http://a/\", \"text\": \"" + std::string(size_t{3} << 20, 'x') + "\"}\n";
  const LinesRead read = read_lines(good + huge + good, 100);
  EXPECT_EQ(read.records.size(), 2u);
  ASSERT_EQ(read.reasons.size(), 1u);
  EXPECT_NE(read.reasons[0].find("longer than"), std::string::npos);
}

}  // namespace
}  // namespace ndc::test
