// Whatever a fetcher brings home gets a clear verdict, flag or error.
#include <nlohmann/json.hpp>

#include "unit/capi/capi_sample.hpp"

namespace nd_test {
namespace {

using sample::article_html;
using sample::url;

class BadInputTest : public CapiTest {
 protected:
  // All four ways to read a page, which must agree.
  nd_result read(const std::string& body, const std::string& content_type = "") {
    const std::string at = url(++pages_);
    nd_page page = page_of(at, body);
    page.content_type = content_type.data();
    page.content_type_size = content_type.size();
    nd_result asked = ND_RESULT_INIT, checked = ND_RESULT_INIT;
    EXPECT_EQ(nd_query_page(engine_, &page, &asked), ND_OK) << nd_last_error();
    EXPECT_EQ(nd_check_page(engine_, &page, &checked), ND_OK) << nd_last_error();
    EXPECT_EQ(asked.verdict, checked.verdict);
    EXPECT_EQ(asked.flags, checked.flags);
    Buffer buffer;
    EXPECT_EQ(nd_extract(&page, nullptr, &buffer.raw), ND_OK) << nd_last_error();
    report_ = nlohmann::json::parse(buffer.text(), nullptr, false);
    EXPECT_FALSE(report_.is_discarded());
    EXPECT_EQ(report_["limited"], (checked.flags & ND_FLAG_LIMIT) != 0);
    nd_result unchanged = ND_RESULT_INIT;
    EXPECT_EQ(nd_check_page(engine_, &page, &unchanged), ND_OK);
    EXPECT_EQ(unchanged.verdict, ND_UNCHANGED) << "the same bytes are the same text";
    return checked;
  }
  std::string text_of_blocks() const {
    std::string out;
    for (const auto& block : report_["blocks"])
      out += block["text"].get<std::string>() + "\n";
    return out;
  }
  uint64_t pages_ = 0;
  nlohmann::json report_;
};

TEST_F(BadInputTest, TheReportHasEveryDocumentedField) {
  std::string body = article_html(1);
  body.insert(
      body.find("<title>"),
      "<meta name=\"keywords\" content=\"one, two\"><meta name=\"description\" content=\"what it is\">"
      "<link rel=\"canonical\" href=\"https://www.site1.example/c\"><link rel=\"alternate\" hreflang=\"de\" "
      "href=\"/de\">");
  body.replace(body.find("<html>"), 6, "<html lang=\"en\">");
  read(body, "text/html; charset=utf-8");
  for (const char* field : {"kind", "charset", "charset_source", "title", "language", "keywords",
                            "description", "canonical", "site"})
    EXPECT_TRUE(report_[field].is_string()) << field;
  for (const char* field : {"width", "content_width", "tokens", "sentences", "fingerprints", "keys"})
    EXPECT_GT(report_[field], 0) << field;
  EXPECT_EQ(report_["kind"], "html");
  EXPECT_EQ(report_["charset"], "utf-8");
  EXPECT_EQ(report_["title"], "Sample");
  EXPECT_EQ(report_["language"], "en");
  EXPECT_EQ(report_["keywords"], "one, two");
  EXPECT_EQ(report_["description"], "what it is");
  EXPECT_EQ(report_["canonical"], "https://www.site1.example/c");
  EXPECT_EQ(report_["canonical_url"], report_["canonical"]);
  EXPECT_EQ(report_["site"], "site1.example");
  ASSERT_EQ(report_["alternates"].size(), 1U);
  EXPECT_EQ(report_["alternates"][0]["language"], "de");
  EXPECT_EQ(report_["alternates"][0]["url"], "/de");
  EXPECT_EQ(report_["limited"], false);
  ASSERT_EQ(report_["blocks"].size(), 6U);
  for (const auto& block : report_["blocks"]) {
    EXPECT_FALSE(block["text"].get<std::string>().empty());
    EXPECT_GE(block["weight"], 0);
    EXPECT_LE(block["weight"], 1);
    EXPECT_EQ(block["words"], 48);
    EXPECT_EQ(block["link_share"], 0);
    EXPECT_GT(block["stop_share"], 0.3);
    EXPECT_TRUE(block["context"].is_array());
  }
}

TEST_F(BadInputTest, Nothing) {
  EXPECT_EQ(read("").verdict, ND_NO_TEXT);
  EXPECT_EQ(report_["kind"], "none");
  EXPECT_EQ(report_["tokens"], 0);
}

TEST_F(BadInputTest, OneByte) {
  for (int byte = 0; byte < 256; ++byte) {
    const nd_result result = read(std::string(1, static_cast<char>(byte)), "text/html");
    EXPECT_NE(result.verdict, ND_EXACT) << byte << ": the same letter in another case, but too little";
  }
}

TEST_F(BadInputTest, ImagesPdfAndBinaryHaveNoText) {
  const std::string png("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0\0\0\1\0\x08\x06\0\0\0", 29);
  EXPECT_EQ(read(png + article_html(1)).verdict, ND_NO_TEXT);
  EXPECT_EQ(read(png, "text/html").verdict, ND_NO_TEXT);
  EXPECT_EQ(read("%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\n").verdict, ND_NO_TEXT);
  EXPECT_EQ(read("GIF89a\1\0\1\0\x80", "image/gif").verdict, ND_NO_TEXT);
  sample::Random random(1);
  std::string noise(20000, '\0');
  for (char& byte : noise)
    byte = static_cast<char>(random());
  EXPECT_EQ(read(noise, "application/octet-stream").verdict, ND_NO_TEXT);
  EXPECT_EQ(report_["kind"], "none");
}

TEST_F(BadInputTest, PlainTextIsText) {
  const nd_result result = read(sample::paragraph(1) + "\n\n" + sample::paragraph(2) + "\n", "text/plain");
  EXPECT_EQ(result.verdict, ND_NEW);
  EXPECT_EQ(report_["kind"], "text");
  EXPECT_NE(text_of_blocks().find(sample::paragraph(1).substr(0, 30)), std::string::npos);
}

TEST_F(BadInputTest, ABodyOverTheLimitIsCutAndFlagged) {
  std::string body = "<html><body>";
  body.reserve(51U << 20);
  const std::string paragraph =
      "<p>" + sample::paragraph(1) + "</p><!-- " + std::string(5000, 'x') + " -->\n";
  while (body.size() < (50U << 20))
    body += paragraph;
  const std::string at = url(1);
  const nd_page page = page_of(at, body);
  nd_result result = ND_RESULT_INIT;
  ASSERT_EQ(nd_check_page(engine_, &page, &result), ND_OK) << nd_last_error();
  EXPECT_EQ(result.verdict, ND_NEW);
  EXPECT_EQ(result.flags & (ND_FLAG_TRUNCATED | ND_FLAG_LIMIT), uint32_t{ND_FLAG_TRUNCATED | ND_FLAG_LIMIT});
  EXPECT_EQ(stats().limit_page_bytes, 1U);
}

TEST_F(BadInputTest, ThePageBytesLimitIsExact) {
  reopen({{"page_bytes_limit", "2000"}});
  std::string body = article_html(1);
  ASSERT_GT(body.size(), 2000U);
  body.resize(2000);
  const std::string first = url(1), second = url(2);
  nd_page page = page_of(first, body);
  nd_result result = ND_RESULT_INIT;
  ASSERT_EQ(nd_check_page(engine_, &page, &result), ND_OK);
  EXPECT_EQ(result.flags & ND_FLAG_TRUNCATED, 0U);
  body += "x";
  page = page_of(second, body);
  ASSERT_EQ(nd_check_page(engine_, &page, &result), ND_OK);
  EXPECT_NE(result.flags & ND_FLAG_TRUNCATED, 0U);
  EXPECT_EQ(result.verdict, ND_NEAR) << "what is beyond the limit is not read, and not known to be equal";
}

TEST_F(BadInputTest, DeepNestingIsFlattenedAndFlagged) {
  std::string body = "<html><body>";
  for (int i = 0; i < 100000; ++i)
    body += "<div>";
  body += "<p>" + sample::paragraph(1) + "</p>";
  const nd_result result = read(body);
  EXPECT_EQ(result.verdict, ND_NEW);
  EXPECT_NE(result.flags & ND_FLAG_LIMIT, 0U);
  EXPECT_NE(text_of_blocks().find(sample::paragraph(1).substr(0, 30)), std::string::npos)
      << "the text is not lost";
  EXPECT_GT(stats().limit_markup, 0U);
}

TEST_F(BadInputTest, ManyTokensAreCutAndFlagged) {
  reopen({{"tokens_limit", "100"}});
  EXPECT_EQ(check(url(1), article_html(1)).flags & ND_FLAG_LIMIT, uint32_t{ND_FLAG_LIMIT});
  EXPECT_EQ(stats().limit_tokens, 1U);
}

TEST_F(BadInputTest, UnclosedAndStrayMarkup) {
  for (const char* body : {"<", "<!", "<!--", "<a href=", "</p></p></p>", "<p><b><i>x", "<script>",
                           "<style><p>x", "&", "&#", "&#x110000;", "<![CDATA[", "<?xml", "<p/><p/>",
                           "<table><tr><td><table>", "]]>", "<textarea>", "<title>"}) {
    const nd_result result = read(body, "text/html");
    EXPECT_TRUE(result.verdict == ND_NO_TEXT || result.verdict == ND_NEW) << body;
  }
}

TEST_F(BadInputTest, NulsAndInvalidUtf8GiveText) {
  std::string body = article_html(1);
  body.insert(body.find("<p>") + 10, std::string("\0\0\0", 3));
  EXPECT_EQ(read(body, "text/html; charset=utf-8").verdict, ND_NEW);
  std::string broken = article_html(2);
  broken.insert(broken.find("<p>") + 10, "\xff\xfe\xc0\x80\xed\xa0\x80\xf8");
  EXPECT_EQ(read(broken, "text/html; charset=utf-8").verdict, ND_NEW);
  EXPECT_GT(report_["tokens"], 100);
}

TEST_F(BadInputTest, WithoutACharsetTheBytesDecide) {
  read("<p>Caf\xc3\xa9 \xe6\xbc\xa2\xe5\xad\x97</p>");
  EXPECT_EQ(report_["charset"], "utf-8");
  EXPECT_NE(text_of_blocks().find("\xe6\xbc\xa2"), std::string::npos);
}

TEST_F(BadInputTest, AWrongCharsetLosesAgainstTheBytes) {
  std::string text;
  for (int i = 0; i < 30; ++i)
    text += "\xe6\xbc\xa2\xe5\xad\x97\xe3\x81\x8b\xe3\x81\xaa\xe3\x80\x82";  // UTF-8
  read("<p>" + text + "</p>", "text/html; charset=us-ascii");
  EXPECT_NE(text_of_blocks().find("\xe6\xbc\xa2\xe5\xad\x97"), std::string::npos) << report_["charset"];
  read("<p>" + text + "</p>", "text/html; charset=no-such-charset");
  EXPECT_NE(text_of_blocks().find("\xe6\xbc\xa2\xe5\xad\x97"), std::string::npos) << report_["charset"];
}

TEST_F(BadInputTest, UrlsOfAnyKind) {
  const std::string body = article_html(1);
  std::set<uint64_t> ids;
  for (const std::string& at : {std::string(), std::string("\0", 1), std::string("not a url"),
                                std::string("http://"), std::string("://"), std::string("http://[::1]/"),
                                std::string("\xff\xfe"), std::string(1U << 20, 'u')})
    ids.insert(check(at, body).page_id);
  EXPECT_EQ(ids.size(), 8U);
  const std::string too_long((1U << 20) + 1, 'u');
  const nd_page page = page_of(too_long, body);
  nd_result result = ND_RESULT_INIT;
  EXPECT_EQ(nd_check_page(engine_, &page, &result), ND_ERR_INVALID_ARGUMENT);
  EXPECT_NE(std::string(nd_last_error()).find("1 MiB"), std::string::npos);
}

TEST_F(BadInputTest, ContentTypesOfAnyKind) {
  for (const std::string& type :
       {std::string("text/html; charset=\"utf-8"), std::string(";;;"), std::string("text/html; charset="),
        std::string(100000, 'x'), std::string("\0\0", 2), std::string("text/html; charset=\xff")})
    EXPECT_NE(read(article_html(++pages_), type).verdict, 0) << type.substr(0, 50);
}

TEST_F(BadInputTest, RandomMarkup) {
  sample::Random random(12);
  static constexpr std::string_view kPieces[] = {"<p>",  "</p>",  "<div ", "<a href='", ">",         "\"",
                                                 "'",    "<!--",  "-->",   "<script>",  "</script>", "text",
                                                 " ",    "\n",    "&amp;", "&#0;",      "\xc3\xa9",  "\xff",
                                                 "<td>", "<br/>", "</",    "="};
  for (int round = 0; round < 300; ++round) {
    // Among hundreds of pages of the same few words a search finds more than its limit.
    if (round % 8 == 0) reopen({});
    std::string body = "<html>";
    for (uint64_t i = random() % 200; i > 0; --i)
      body += kPieces[random() % std::size(kPieces)];
    read(body, "text/html");
  }
}

}  // namespace
}  // namespace nd_test
