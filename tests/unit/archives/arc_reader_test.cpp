// ARC files, whole and damaged, in the spellings that crawlers wrote.
#include "archives/arc_reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "archive_builder.hpp"
#include "archives/arc_line.hpp"
#include "archives/input_kind.hpp"
#include "input_builder.hpp"

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
  for (const char* length : {"3", "17", "99999999999999999999"}) {
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
       {"", "\n", "a 192.0.2.1 20080430204825 t 5\n", "http://a/ 192.0.2.1 Monday text/html 5\n",
        "http://a/ 192.0.2.1 20080430204825 text/html five\n", "http://a/ 20080430204825 5\n",
        "http://a/ 192.0.2.1 20080430204825 text/html 5"}) {
    EXPECT_FALSE(begins_arc_record(line)) << line;
  }
}

TEST(ArcReader, TakesOddLines) {
  struct Odd {
    const char* line;
    const char* url;
    const char* date;
    const char* type;
  };
  for (const Odd& odd : {
           Odd{"http://a/ 192.0.2.1 20080430204825123 text/html 5", "http://a/", "2008-04-30T20:48:25Z",
               "text/html"},
           Odd{"http://a/ 192.0.2.1 20080430204825 text/html; charset=utf-8 5", "http://a/",
               "2008-04-30T20:48:25Z", "text/html; charset=utf-8"},
           Odd{"http://a/ 192.0.2.1 2008043 text/html 5", "http://a/", "", "text/html"},
           Odd{"http://a/ 192.0.2.1 08Sep201318:10 text/html x:47GMT 5", "http://a/", "",
               "text/html x:47GMT"},
           Odd{"http://a/ 192.0.2.1 20080430204825 5", "http://a/", "2008-04-30T20:48:25Z", ""},
           Odd{"http://a/ 192.0.2.1 20080430204825  5", "http://a/", "2008-04-30T20:48:25Z", ""},
           Odd{"http://a/b c 2001:db8::1 2008043 text/html 5", "http://a/b c", "", "text/html"},
           Odd{"http://a/ 192.0.2.1 2008043 text/html 200 XYZ - 42 test.arc 5", "http://a/", "", "text/html"},
           Odd{"filedesc:// - - - 5", "filedesc://", "", "-"},
       }) {
    const std::optional<ArcLine> line = parse_arc_line(odd.line);
    ASSERT_TRUE(line) << odd.line;
    EXPECT_EQ(line->url, odd.url);
    EXPECT_EQ(line->date, odd.date) << odd.line;
    EXPECT_EQ(line->content_type, odd.type);
    EXPECT_EQ(line->length, 5u);
  }
}

TEST(ArcReader, FindsALineBehindOtherText) {
  const std::string line = "http://a/?u=http://b/ 192.0.2.1 20080430204825 text/html 5";
  for (const std::string& before : {std::string(), std::string("</html>"), std::string("see http://c/ or "),
                                    std::string("<a href=\"http://c/\">"), std::string("\x01\xff", 2)}) {
    EXPECT_EQ(arc_line_within(before + line), before.size()) << before;
  }
  EXPECT_FALSE(arc_line_within("<p>http://a/ is 5"));
  EXPECT_FALSE(arc_line_within(line, false).value_or(0) == 0);
}

TEST(ArcReader, ALineThatAnotherRecordCutsIsDamage) {
  const std::string line = "http://case.example/r 192.0.2.1 20080430204825 text/html 5";
  const std::string page = http_response("<p>x", {"Content-Type: text/html"});
  const std::string before = arc_start() + arc_record("http://a/", "text/html", page);
  const std::string behind =
      arc_record("http://b/", "text/html", page) + arc_record("http://c/", "text/html", page);
  // Up to here a URL may hold the other one.
  const std::string_view ambiguous[] = {"http:", "http:/", "http://", "http://case.example/",
                                        "http://case.example/r "};
  for (size_t size = 1; size <= line.size(); ++size) {
    const std::string cut = line.substr(0, size);
    const Read read = read_arc(before + cut + behind);
    const bool may_be_one = std::find(std::begin(ambiguous), std::end(ambiguous), cut) != std::end(ambiguous);
    ASSERT_EQ(read.records.size(), 4u) << cut;
    EXPECT_EQ(read.records[2].target_uri, may_be_one ? cut + "http://b/" : "http://b/");
    EXPECT_EQ(read.damages.size(), may_be_one ? 0u : 1u) << cut;
  }
}

TEST(ArcReader, AURLMayHoldAnotherOne) {
  const std::string rest = "http://b/ 192.0.2.1 20080430204825 text/html 5";
  for (const char* before :
       {"http://a/", "http://a/?u=", "http://a/x y ", "http://a/?u%3D", "http://a/id_", "http:"})
    EXPECT_FALSE(arc_line_cut_by(before + rest)) << before;
  EXPECT_FALSE(arc_line_cut_by(rest));
}

// As Common Crawl wrote them: a version block that ends where the first record begins.
TEST(ArcReader, AMissingLineEndCostsNothing) {
  const std::string page = http_response("<p>x", {"Content-Type: text/html"});
  std::string start = arc_start();
  std::string first = arc_record("http://a/", "text/html", page);
  const std::string second = arc_record("http://b/", "text/html", page);
  start.pop_back();
  first.pop_back();
  for (const std::string& bytes : {start + first + second, gzip(start) + gzip(first) + gzip(second),
                                   zstd(start) + zstd(first) + zstd(second), gzip(start + first + second)}) {
    for (const size_t piece : {size_t{1}, size_t{1} << 20}) {
      const Read read = read_arc(bytes, 1 << 20, piece);
      EXPECT_TRUE(read.damages.empty());
      ASSERT_EQ(read.records.size(), 3u);
      EXPECT_EQ(read.records[1].block, page);
      EXPECT_EQ(read.records[2].target_uri, "http://b/");
    }
  }
}

}  // namespace
}  // namespace ndc::test
