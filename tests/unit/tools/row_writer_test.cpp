// Rows in each format, safe for spreadsheets and parsers.
#include "row_writer.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "output_capture.hpp"
#include "output_file.hpp"
#include "terminal_text.hpp"

namespace ndc::test {
namespace {

using MakeWriter = std::unique_ptr<RowWriter> (*)(OutputFile&);

std::string written(MakeWriter make, const std::vector<Row>& rows) {
  return output_of([&](OutputFile& output) {
    const std::unique_ptr<RowWriter> writer = make(output);
    writer->begin();
    for (const Row& row : rows)
      writer->add(row);
    writer->end();
  });
}

Row row(const std::string& url, uint64_t page, uint64_t group, int32_t verdict,
        const std::string& representative, double resemblance = 0) {
  Row made;
  made.url = url;
  made.representative = representative;
  made.result.page_id = page;
  made.result.group_id = group;
  made.result.verdict = verdict;
  if (page != group) made.result.matched_page_id = group;
  made.result.resemblance = resemblance;
  made.result.containment = resemblance;
  return made;
}

TEST(RowWriter, WritesATable) {
  Row orphan = row("http://c/", 3, 1, ND_NEAR, "", 0.98765);
  orphan.representative.reset();
  orphan.result.probability = 0.87654;
  EXPECT_EQ(written(make_tsv_writer, {row("http://a/\xff", 1, 1, ND_NEW, "http://a/\xff"),
                                      row("http://b/\tx\r\n", 2, 1, ND_EXACT, "http://a/\xff", 1), orphan}),
            "#url\tgroup_id\tverdict\trepresentative\tresemblance\tcontainment\tprobability\tpage_id\n"
            "http://a/\xff\t1\tnew\thttp://a/\xff\t-\t-\t0.0000\t1\n"
            "http://b/%09x%0D%0A\t1\texact\thttp://a/\xff\t1.0000\t1.0000\t0.0000\t2\n"
            "http://c/\t1\tnear\t-\t0.9877\t0.9877\t0.8765\t3\n");
}

TEST(RowWriter, ATextOfNoGroupIsInNone) {
  Row earlier = row("http://a/", 1, 0, ND_NEW, "");
  earlier.representative.reset();
  earlier.result.matched_page_id = 0;
  const std::string table = written(make_tsv_writer, {earlier});
  EXPECT_EQ(table.substr(table.find('\n') + 1), "http://a/\t-\tnew\t-\t-\t-\t0.0000\t1\n");
  EXPECT_TRUE(nlohmann::json::parse(written(make_jsonl_writer, {earlier}))["group_id"].is_null());
  EXPECT_EQ(written(make_groups_writer, {earlier, earlier}),
            "2 pages: 0 groups of near-duplicates with 0 pages, of which 0 could be left out\n");
}

TEST(RowWriter, WritesCellsThatNoSpreadsheetCalculates) {
  Row orphan = row("http://c/", 3, 1, ND_NEAR, "", 0.5);
  orphan.representative.reset();
  Row kept = row("-2+3", 4, 1, ND_EXACT, "@SUM(A1)", 1);
  kept.kept = "=HYPERLINK(\"http://x/\",\"y\")";
  const std::vector<Row> rows = {row("=1+1", 1, 1, ND_NEW, "=1+1"), orphan, kept,
                                 row("\t=1,\"2\"", 5, 1, ND_EXACT,
                                     "\xEF\xBC\x9D"
                                     "1",
                                     1)};
  EXPECT_EQ(written(make_csv_writer, rows),
            "url,group_id,verdict,representative,resemblance,containment,probability,page_id\n"
            "\"'=1+1\",1,new,\"'=1+1\",,,0.0000,1\n"
            "\"http://c/\",1,near,,0.5000,0.5000,0.0000,3\n"
            "\"'-2+3\",1,exact,\"'@SUM(A1)\",1.0000,1.0000,0.0000,4\n"
            "\"%09=1,\"\"2\"\"\",1,exact,\"'\xEF\xBC\x9D"
            "1\",1.0000,1.0000,0.0000,5\n");
  const std::string with_kept = written(make_kept_csv_writer, {rows[0], rows[2]});
  EXPECT_NE(with_kept.find(",page_id,kept\n"), std::string::npos);
  EXPECT_NE(with_kept.find(",1,\n"), std::string::npos);
  EXPECT_NE(with_kept.find(",4,\"'=HYPERLINK(\"\"http://x/\"\",\"\"y\"\")\"\n"), std::string::npos);
}

TEST(RowWriter, WritesJsonLinesThatAreAlwaysValid) {
  std::string all_bytes;
  for (int byte = 0; byte < 256; ++byte)
    all_bytes += static_cast<char>(byte);
  Row orphan = row("http://b/", 2, 1, ND_NEAR, "", 0.5);
  orphan.representative.reset();
  orphan.result.probability = 0.87654;
  Row refused = row("http://c/", 3, 3, ND_NEW, "http://c/");
  refused.result.probability = 0.25;
  refused.result.related_group_id = 1;
  const std::string text =
      written(make_jsonl_writer, {row(all_bytes, 1, 1, ND_NO_TEXT, all_bytes), orphan, refused});
  const size_t line_end = text.find('\n');
  const nlohmann::json first = nlohmann::json::parse(text.substr(0, line_end));
  const size_t second_end = text.find('\n', line_end + 1);
  const nlohmann::json second = nlohmann::json::parse(text.substr(line_end + 1, second_end - line_end - 1));
  const nlohmann::json third = nlohmann::json::parse(text.substr(second_end + 1));
  EXPECT_EQ(first["url"].get<std::string>().substr(0, 128), all_bytes.substr(0, 128));
  EXPECT_EQ(first["verdict"], "no-text");
  EXPECT_TRUE(first["resemblance"].is_null());
  EXPECT_EQ(second["group_id"], 1);
  EXPECT_EQ(second["page_id"], 2);
  EXPECT_EQ(second["resemblance"], 0.5);
  EXPECT_TRUE(second["representative"].is_null());
  EXPECT_EQ(second["probability"], 0.8765);
  EXPECT_TRUE(second["related_group_id"].is_null());
  EXPECT_EQ(third["probability"], 0.25);
  EXPECT_EQ(third["related_group_id"], 1);
}

TEST(RowWriter, ListsTheGroupsForReading) {
  const auto left_out = [](Row made) {
    made.is_left_out = true;
    return made;
  };
  Row again = row("http://b/", 2, 1, ND_UNCHANGED, "http://a/", 0.75);
  again.result.flags = ND_FLAG_RECRAWL;
  EXPECT_EQ(written(make_groups_writer, {row("http://a/", 1, 1, ND_NEW, "http://a/"),
                                         left_out(row("http://b/", 2, 1, ND_NEAR, "http://a/", 0.75)),
                                         row("http://alone/", 3, 3, ND_NEW, "http://alone/"), left_out(again),
                                         left_out(row("http://c/\x1b[2J", 4, 1, ND_EXACT, "http://a/", 1)),
                                         row("http://d/", 5, 1, ND_NEAR, "http://a/", 0.5)}),
            "4 pages  http://a/\n"
            "    near     0.7500  http://b/\n"
            "    exact    1.0000  http://c/\\x1b[2J\n"
            "    near     0.5000  http://d/\n"
            "\n"
            "5 pages: 1 group of near-duplicates with 4 pages, of which 2 could be left out\n");
}

TEST(OutputFile, AFullDiskIsAnError) {
  OutputFile output;
  ASSERT_TRUE(output.open("/dev/full"));
  output.write_line("x");
  EXPECT_FALSE(output.close());
  EXPECT_EQ(output.error(), "cannot write /dev/full: No space left on device");
  OutputFile missing;
  EXPECT_FALSE(missing.open("/nonexistent/x"));
  EXPECT_EQ(missing.error(), "cannot write /nonexistent/x: No such file or directory");
}

TEST(OutputFile, PiecesAreWrittenAsTheyAre) {
  EXPECT_EQ(output_of([](OutputFile& output) {
              output.write(std::string("a\0b", 3));
              output.write("");
              output.write_line("c");
              output.write("d");
            }),
            std::string("a\0bc\nd", 6));
}

TEST(RowWriter, NamesTheFlagsInTheOrderOfTheirBits) {
  EXPECT_TRUE(words_of_flags(0).empty());
  const std::vector<std::string_view> all = words_of_flags(UINT32_MAX);
  EXPECT_EQ(all,
            (std::vector<std::string_view>{"recrawl", "changed", "regrouped", "truncated", "limit", "short",
                                           "contains", "contained", "unverified", "uncertain"}));
  EXPECT_EQ(words_of_flags(ND_FLAG_CONTAINED | ND_FLAG_CHANGED),
            (std::vector<std::string_view>{"changed", "contained"}));
}

TEST(TerminalText, EscapesWhatCouldSteerATerminal) {
  EXPECT_EQ(printable("a\x1b[0m\x7f\n"), "a\\x1b[0m\\x7f\\x0a");
  EXPECT_EQ(
      printable("\xE2\x80\xAEgpj.exe\xE2\x81\xA9 \xD8\x9C\xE2\x80\x8F \xE2\x80\x8B\xE2\x80\xAF \xD8\xA7"),
      "\\u202egpj.exe\\u2069 \\u061c\\u200f \xE2\x80\x8B\xE2\x80\xAF \xD8\xA7");
  EXPECT_EQ(printable("\xE2\x80"), "\xE2\x80");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J \xc2\xa0 \xe4\xb8\xad"),
            "\\xc2\\x9b"
            "2J \xc2\xa0 \xe4\xb8\xad");
}

TEST(TerminalText, FormatsNumbers) {
  EXPECT_EQ(with_separators(0), "0");
  EXPECT_EQ(with_separators(999), "999");
  EXPECT_EQ(with_separators(1000), "1,000");
  EXPECT_EQ(with_separators(18446744073709551615u), "18,446,744,073,709,551,615");
  EXPECT_EQ(fixed(0.28, 4), "0.2800");
  EXPECT_EQ(padded_left("ab", 4) + padded_right("c", 3) + padded_left("long", 2), "  abc  long");
}

}  // namespace
}  // namespace ndc::test
