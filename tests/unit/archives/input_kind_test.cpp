// The kind of an input by its bytes, whatever is damaged or quoted.
#include "archives/input_kind.hpp"

#include <gtest/gtest.h>

#include <string>

#include "archive_builder.hpp"
#include "input_builder.hpp"

namespace ndc::test {
namespace {

InputKind kind_of(const std::string& bytes) {
  MemorySource source(bytes);
  InputStream stream(source);
  return detect_input(stream).kind;
}

std::string json_line(const std::string& url) {
  return "{\"url\": \"" + url + "\", \"text\": \"words\"}\n";
}

std::string arc_page(const std::string& url) {
  return arc_record(url, "text/html", http_response("<p>x", {"Content-Type: text/html"}));
}

TEST(InputKind, ContentDecidesWhateverIsDamaged) {
  const std::string warc = page_record("http://a/", "x") + page_record("http://b/", "y");
  const std::string arc = arc_start() + arc_page("http://a/") + arc_page("http://b/");
  const std::string lines = json_line("http://a/") + json_line("http://b/") + json_line("http://c/");
  const struct {
    std::string bytes;
    InputKind kind;
  } kinds[] = {{warc, InputKind::kWarc}, {arc, InputKind::kArc}, {lines, InputKind::kJsonLines}};
  const std::string noise("\x00\x01\xfe\x80 not a text \x00\n", 21);
  for (const auto& [bytes, kind] : kinds) {
    for (const std::string& whole : {bytes, gzip(bytes), zstd(bytes)})
      EXPECT_EQ(kind_of(whole), kind);
    for (const std::string& packed : {gzip(bytes), zstd(bytes)}) {
      EXPECT_EQ(kind_of(packed.substr(0, packed.size() - 1)), kind);
      EXPECT_EQ(kind_of(std::string(5000, '\0') + packed), kind);
      EXPECT_EQ(kind_of("An error page.\n" + packed), kind);
      EXPECT_EQ(kind_of(noise + packed), kind);
      EXPECT_EQ(kind_of(packed.substr(0, 20) + packed), kind);
    }
    EXPECT_EQ(kind_of(noise + bytes), kind);
    EXPECT_EQ(kind_of("warc/" + bytes.substr(20)), kind);
  }
  EXPECT_EQ(kind_of("{\"url\": 5}\n" + lines), InputKind::kJsonLines);
  EXPECT_EQ(kind_of(gzip("words").substr(0, 20)), InputKind::kWarc) << "damaged, and of no kind: reported";
}

// What stands between the lines costs itself; an array of pages is no such input.
TEST(InputKind, OneLineShowsJsonLines) {
  const std::string line = json_line("http://a/");
  const std::string empty = "{\"url\": \"http://b/\", \"text\": null}\n";
  EXPECT_EQ(kind_of("{\"format\": 1}\n" + empty + empty + line + empty), InputKind::kJsonLines);
  EXPECT_EQ(kind_of("{\"url\": \"http://\n" + line + "a log\nof two lines\n"), InputKind::kJsonLines);
  EXPECT_EQ(kind_of("a log\nof\nfour\nlines\n" + line + line + "and\none\n"), InputKind::kJsonLines);
  const std::string element = line.substr(0, line.size() - 1) + ",\n";
  EXPECT_EQ(kind_of("{\"pages\": [\n" + element + line + "]}\n"), InputKind::kOther);
  EXPECT_EQ(kind_of("[\n" + element + line + "]\n"), InputKind::kOther);
  std::string elements = "[\n";
  while (elements.size() < size_t{65} << 10)
    elements += element;
  EXPECT_EQ(kind_of(elements + line + "]\n"), InputKind::kOther);
  const std::string long_line = "{\"text\": \"" + std::string(100000, 'x') + "\", \"url\": \"http://a/\"}\n";
  for (const char* before : {"\xEF\xBB\xBF", "{\"format\": 1}\n", "a log\n"})
    EXPECT_EQ(kind_of(before + long_line), InputKind::kJsonLines) << before;
}

TEST(InputKind, TextsAndPagesMayQuoteRecords) {
  const std::string line = "http://a/ 192.0.2.1 20080430204825 text/html 200\n";
  EXPECT_EQ(kind_of("A line of an ARC file:\n" + line + "and more\n"), InputKind::kText);
  EXPECT_EQ(kind_of("An ARC record:\n" + line + "HTTP/1.0 200 OK\n\nwords\n"), InputKind::kText);
  EXPECT_EQ(kind_of("<html>\n<pre>\n" + arc_page("http://a/") + arc_page("http://b/")), InputKind::kHtml);
  EXPECT_EQ(kind_of("Such a line:\n" + json_line("http://a/") + "and\nmore\n"), InputKind::kText);
}

// Its entries stand behind junk too; it is a file of another kind.
TEST(InputKind, AnArchiveOfFilesIsNone) {
  std::string tar(257, 'a');
  tar += "ustar";
  tar.resize(512);
  EXPECT_EQ(kind_of(tar + gzip(page_record("http://a/", "x"))), InputKind::kOther);
  const std::string page = page_record("http://a/", gzip(json_line("http://a/")));
  EXPECT_EQ(kind_of("junk\n" + page), InputKind::kWarc) << "not the member within the page";
  EXPECT_EQ(kind_of(gzip(gzip(page))), InputKind::kPacked);
  EXPECT_EQ(kind_of("BZh91AY"), InputKind::kPacked);
}

}  // namespace
}  // namespace ndc::test
