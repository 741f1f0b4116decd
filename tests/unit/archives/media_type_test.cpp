// The type of a record by its declaration and its first bytes, hostile ones among them.
#include "archives/media_type.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ndc {
namespace {

TEST(MediaType, TakesTheDeclaredTypeOfPages) {
  EXPECT_EQ(media_type("text/html; charset=gbk", "<p>x"), "text/html");
  EXPECT_EQ(media_type("Text/HTML", ""), "text/html");
  EXPECT_EQ(media_type("text/plain", "words [and] {more}"), "text/plain");
  EXPECT_EQ(media_type("text/plain", "[1] The first footnote. [2]"), "text/plain");
  EXPECT_EQ(media_type("image/png", "<html>"), "image/png");
}

TEST(MediaType, LooksAtTheBytesOfWhatClaimsToBeAPage) {
  EXPECT_EQ(media_type("text/html", "{\"a\": [1, 2]}"), "application/json");
  EXPECT_EQ(media_type("text/html", "\xEF\xBB\xBF <?xml version='1.0'?><!-- x --><rss version='2.0'>"),
            "application/rss+xml");
  EXPECT_EQ(media_type("text/xml",
                       "<?xml version='1.0'?><!DOCTYPE html><html xmlns='http://www.w3.org/1999/xhtml'>"),
            "application/xhtml+xml");
  EXPECT_EQ(media_type("application/xml", "<feed xmlns='x'>"), "application/atom+xml");
  EXPECT_EQ(media_type("application/xml", "<other/>"), "application/xml");
  EXPECT_EQ(media_type("text/html", "%PDF-1.4"), "application/pdf");
}

TEST(MediaType, LooksAtTheBytesWhereNothingIsDeclared) {
  for (const char* declared : {"",
                               "no-type",
                               "*/*",
                               "text/*",
                               "html",
                               ";",
                               ",;,",
                               "unknown/unknown",
                               "application/unknown",
                               "text/html charset=utf-8",
                               "text/html\tcharset=utf-8",
                               "\"text/html\"",
                               "'text /html'",
                               "text / html",
                               "text/html:charset=utf-8",
                               "text/html\v;charset=utf-8",
                               "text/html/",
                               "/html",
                               "text/",
                               "<text/html>",
                               "image / png",
                               "image/png charset=utf-8",
                               "\"image/png\"",
                               "text/css:x"}) {
    EXPECT_EQ(media_type(declared, "  <!DOCTYPE HTML><p>"), "text/html") << declared;
    EXPECT_EQ(media_type(declared, "only words"), "text/plain") << declared;
    EXPECT_EQ(media_type(declared, std::string("\x00\x01", 2)), "application/octet-stream") << declared;
  }
  EXPECT_EQ(media_type("application/octet-stream", "<html>"), "text/html");
  EXPECT_EQ(media_type("application/octet-stream", "only words"), "application/octet-stream");
}

TEST(MediaType, OfSeveralTypesTheLastCountsThatMayBeAPage) {
  EXPECT_EQ(declared_type("text/html,text/html"), "text/html");
  EXPECT_EQ(declared_type("text/html, charset=utf-8"), "text/html");
  EXPECT_EQ(declared_type("text/html; a=\"x, image/png\""), "text/html");
  EXPECT_EQ(declared_type("text/plain, text/html"), "text/html");
  EXPECT_EQ(declared_type("text/html, application/pdf"), "text/html");
  EXPECT_EQ(declared_type("application/pdf, text/html; charset=x, */*, nothing"), "text/html");
  EXPECT_EQ(declared_type("text/javascript, image/png"), "image/png");
  EXPECT_EQ(declared_type("nothing, \"text/html\", unknown/unknown"), "");
  EXPECT_EQ(media_type("text/html, application/pdf", "%PDF-1.4"), "application/pdf");
  EXPECT_TRUE(is_settled("image/gif, image/png"));
  EXPECT_FALSE(is_settled("text/html, image/png"));
  EXPECT_FALSE(is_settled("image / png"));
}

TEST(MediaType, XmlThatNothingDeclaresIsNoText) {
  EXPECT_EQ(media_type("", "<?xml version='1.0'?><other/>"), "application/xml");
  EXPECT_EQ(media_type("x", "<?xml version='1.0'?><html/>"), "text/html");
}

TEST(MediaType, HostileStartsEnd) {
  std::string declarations;
  for (int i = 0; i < 1000; ++i)
    declarations += "<!-- -->";
  EXPECT_EQ(media_type("", declarations), "text/plain");
  EXPECT_EQ(media_type("text/html", std::string(100000, '[') + "]"), "text/html");
  EXPECT_EQ(media_type("text/html", std::string(100000, '[') + std::string(100000, ']')), "application/json");
  EXPECT_EQ(media_type("text/html", "<!DOCTYPE x ["), "text/html");
}

TEST(WantedTypes, AreWidenedByPatterns) {
  WantedTypes wanted;
  EXPECT_TRUE(wanted.includes("text/html"));
  EXPECT_FALSE(wanted.includes("text/css"));
  EXPECT_TRUE(wanted.add("Application/JSON"));
  EXPECT_TRUE(wanted.includes("application/json"));
  EXPECT_TRUE(wanted.add("text/*"));
  EXPECT_TRUE(wanted.includes("text/css"));
  EXPECT_FALSE(wanted.includes("textual/css"));
  for (const char* wrong : {"", "text", "/css", "text/", "te*t/css", "text/c*"})
    EXPECT_FALSE(wanted.add(wrong)) << wrong;
  EXPECT_TRUE(wanted.add("*/*"));
  EXPECT_TRUE(wanted.includes("image/png"));
}

TEST(LeftOut, IsCountedByCategory) {
  EXPECT_EQ(category_of("text/css"), LeftOut::kStyleSheet);
  EXPECT_EQ(category_of("application/x-javascript"), LeftOut::kScript);
  EXPECT_EQ(category_of("application/ld+json"), LeftOut::kJson);
  EXPECT_EQ(category_of("application/atom+xml"), LeftOut::kFeed);
  EXPECT_EQ(category_of("image/svg+xml"), LeftOut::kImage);
  EXPECT_EQ(category_of("application/soap+xml"), LeftOut::kXml);
  EXPECT_EQ(category_of("application/zip"), LeftOut::kOther);
  EXPECT_TRUE(is_archive_note("metadata://gnu.org/software/wget/warc/wget.log"));
  EXPECT_TRUE(is_archive_note("urn:pageinfo:https://example.org/"));
  EXPECT_FALSE(is_archive_note("https://example.org/urn:pageinfo:"));
}

}  // namespace
}  // namespace ndc
