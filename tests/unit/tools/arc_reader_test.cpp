#include "arc_reader.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "archive_builder.hpp"
#include "input_builder.hpp"
#include "input_kind.hpp"

namespace ndc::test {
namespace {

struct Read {
  std::vector<WarcRecord> records;
  std::vector<RecordDamage> damages;
};

Read read_arc(const std::string& bytes, size_t max_block_bytes = 1 << 20, size_t piece = 1 << 20) {
  MemorySource source(bytes, piece);
  InputStream stream(source);
  ArcReader reader(stream, max_block_bytes);
  Read read;
  WarcRecord record;
  RecordDamage damage;
  for (;;) {
    switch (reader.next(record, damage)) {
      case RecordReader::Outcome::kRecord:
        read.records.push_back(record);
        break;
      case RecordReader::Outcome::kDamaged:
        read.damages.push_back(damage);
        break;
      default:
        return read;
    }
  }
}

TEST(ArcReader, ReadsRecordsAsWarcHasThem) {
  const std::string page = http_response("<p>x", {"Content-Type: text/html"});
  const std::string bytes = arc_start() + arc_record("http://a/b c", "text/html", page) +
                            arc_record("dns:a", "text/dns", "20080430204825\na. 1 IN A 192.0.2.1\n");
  for (const size_t piece : {size_t{1}, size_t{1} << 20}) {
    const Read read = read_arc(bytes, 1 << 20, piece);
    EXPECT_TRUE(read.damages.empty());
    ASSERT_EQ(read.records.size(), 3u);
    EXPECT_EQ(read.records[0].type, "warcinfo");
    EXPECT_EQ(read.records[1].type, "response");
    EXPECT_EQ(read.records[1].target_uri, "http://a/b c");
    EXPECT_EQ(read.records[1].date, "2008-04-30T20:48:25Z");
    EXPECT_EQ(read.records[1].block, page);
    EXPECT_EQ(read.records[2].type, "resource");
    EXPECT_EQ(read.records[2].content_type, "text/dns");
  }
}

TEST(ArcReader, ReadsVersionTwoAndGzip) {
  const std::string line = "http://a/ 192.0.2.1 20080430204825 text/html 200 XYZ - 42 test.arc 5\nhello\n";
  EXPECT_EQ(read_arc(line).records.at(0).block, "hello");
  const Read packed =
      read_arc(gzip(arc_start()) + gzip(line) + gzip(arc_record("http://b/", "text/html", "x")));
  ASSERT_EQ(packed.records.size(), 3u);
  EXPECT_EQ(packed.records[2].target_uri, "http://b/");
  EXPECT_EQ(packed.records[2].position.member_offset, 0u);
}

TEST(ArcReader, AWrongLengthCostsOneRecord) {
  const std::string good = arc_record("http://good/", "text/html", "good");
  for (const char* length : {"3", "12", "99999999999999999999"}) {
    const std::string bad =
        std::string("http://bad/ 192.0.2.1 20080430204825 text/html ") + length + "\nlong page\n";
    const Read read = read_arc(arc_start() + bad + good + good);
    EXPECT_FALSE(read.damages.empty()) << length;
    ASSERT_FALSE(read.records.empty());
    EXPECT_EQ(read.records.back().target_uri, "http://good/") << length;
  }
  EXPECT_EQ(
      read_arc(arc_start() + "http://cut/ 192.0.2.1 20080430204825 text/html 500\nshort").damages.size(), 1u);
}

TEST(ArcReader, CutsLongRecords) {
  const Read read = read_arc(arc_record("http://a/", "text/html", std::string(1000, 'x')) +
                                 arc_record("http://b/", "text/html", "y"),
                             100);
  ASSERT_EQ(read.records.size(), 2u);
  EXPECT_EQ(read.records[0].block.size(), 100u);
  EXPECT_TRUE(read.records[0].block_cut);
  EXPECT_EQ(read.records[1].target_uri, "http://b/");
}

TEST(ArcReader, TakesNoOtherLine) {
  for (const char* line :
       {"", "\n", "http://a/ 192.0.2.1 2008043 text/html 5\n", "a 192.0.2.1 20080430204825 t 5\n",
        "http://a/ 192.0.2.1 20080430204825 text/html five\n", "http://a/ 20080430204825 5\n"}) {
    EXPECT_FALSE(begins_arc_record(line)) << line;
  }
}

}  // namespace
}  // namespace ndc::test
