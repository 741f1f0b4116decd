// The whole text layer: one article in every charset is one document.
#include "text/page_reader.hpp"

#include <gtest/gtest.h>
#include <unicode/ucnv.h>
#include <unicode/ustring.h>

#include <string>
#include <vector>

namespace nd::text {
namespace {

const std::string kArticle =
    "昨天晚上镇上的居民在河边举行了会议。大家决定在修好之前不再让车辆通过!有人问:什么时候能修好呢?镇长说,"
    "大约需要三个月的时间;"
    "费用由县里承担……会议在十点钟结束。";

std::string encode(const std::string& utf8, const char* charset) {
  UErrorCode status = U_ZERO_ERROR;
  std::vector<UChar> wide(utf8.size() + 1);
  int32_t wide_size = 0;
  u_strFromUTF8(wide.data(), static_cast<int32_t>(wide.size()), &wide_size, utf8.data(),
                static_cast<int32_t>(utf8.size()), &status);
  UConverter* converter = ucnv_open(charset, &status);
  std::string out(utf8.size() * 4 + 8, '\0');
  const int32_t size = ucnv_fromUChars(converter, out.data(), static_cast<int32_t>(out.size()), wide.data(),
                                       wide_size, &status);
  ucnv_close(converter);
  EXPECT_TRUE(U_SUCCESS(status));
  out.resize(static_cast<size_t>(size));
  return out;
}

std::string with_entities(const std::string& utf8) {
  std::vector<UChar32> wide(utf8.size() + 1);
  UErrorCode status = U_ZERO_ERROR;
  int32_t size = 0;
  u_strToUTF32(wide.data(), static_cast<int32_t>(wide.size()), &size,
               std::u16string([&] {
                 std::u16string text(utf8.size() + 1, u'\0');
                 int32_t text_size = 0;
                 u_strFromUTF8(text.data(), static_cast<int32_t>(text.size()), &text_size, utf8.data(),
                               static_cast<int32_t>(utf8.size()), &status);
                 text.resize(static_cast<size_t>(text_size));
                 return text;
               }())
                   .c_str(),
               -1, &status);
  std::string out;
  for (int32_t i = 0; i < size; ++i)
    out += "&#" + std::to_string(wide[static_cast<size_t>(i)]) + ";";
  return out;
}

class PageReaderTest : public testing::Test {
 protected:
  PageReaderTest() : reader_(*PageReader::create()) {}

  const Document& read(const std::string& body, std::string_view content_type = "text/html",
                       const PageLimits& limits = {}) {
    EXPECT_TRUE(reader_.read("https://news.example.co.uk/a?b",
                             {reinterpret_cast<const uint8_t*>(body.data()), body.size()}, content_type,
                             limits, document_));
    return document_;
  }

  PageReader reader_;
  Document document_;
};

TEST_F(PageReaderTest, TheSameArticleInEveryCharsetIsTheSameDocument) {
  const auto page = [](const std::string& article) {
    return "<html><body><div><p>" + article + "</p></div></body></html>";
  };
  const Document expected = read(page(kArticle), "text/html; charset=utf-8");
  ASSERT_GT(expected.tokens.size(), 50U);
  ASSERT_EQ(expected.sentences.size(), 6U);
  const std::vector<std::pair<std::string, std::string>> variants = {
      {encode(page(kArticle), "gb18030"), "text/html; charset=gb2312"},
      {encode(page(kArticle), "gb18030"), "text/html; charset=GBK"},
      {encode(page(kArticle), "gb18030"), "text/html; charset=utf-8"},
      {encode(page(kArticle), "gb18030"), "text/html"},
      {encode(page(kArticle), "UTF-16LE"), "text/html; charset=utf-16le"},
      {page(with_entities(kArticle)), "text/html"},
      {page(kArticle), "text/html; charset=gb2312"},
      {page(kArticle), "text/html; charset=iso-8859-1"},
      {page("<b>" + kArticle.substr(0, 30) + "</b><!-- x -->" + kArticle.substr(30)),
       "text/html; charset=utf-8"}};
  for (const auto& [body, content_type] : variants) {
    const Document& document = read(body, content_type);
    EXPECT_EQ(document.text, expected.text) << content_type << " of " << body.size() << " bytes";
    EXPECT_EQ(document.tokens.size(), expected.tokens.size());
  }
}

TEST_F(PageReaderTest, BlocksCoverTokensAndSentencesInOrder) {
  const Document& document = read("<h1>Title</h1><p>One. Two.</p><ul><li>a b<li></ul>text");
  EXPECT_EQ(document.text, "title\none. two.\na b\ntext\n");
  uint32_t tokens = 0;
  uint32_t sentences = 0;
  for (const DocumentBlock& block : document.blocks) {
    EXPECT_EQ(block.tokens.begin, tokens);
    EXPECT_EQ(block.sentences.begin, sentences);
    tokens = block.tokens.end;
    sentences = block.sentences.end;
    uint32_t width = 0;
    for (uint32_t i = block.tokens.begin; i < block.tokens.end; ++i)
      width += document.tokens[i].width;
    EXPECT_EQ(block.width, width);
  }
  EXPECT_EQ(tokens, document.tokens.size());
  EXPECT_EQ(sentences, document.sentences.size());
}

TEST_F(PageReaderTest, SiteIsTheRegistrableDomain) {
  read("<p>x</p>");
  EXPECT_EQ(document_.host, "news.example.co.uk");
  EXPECT_EQ(document_.site, "example.co.uk");
}

TEST_F(PageReaderTest, LinkAndStopShares) {
  const Document& document = read("<p>the cat and <a href=/x>the dog</a></p>");
  ASSERT_EQ(document.blocks.size(), 1U);
  EXPECT_NEAR(document.blocks[0].link_share, 7.0 / 19.0, 1e-6);
  EXPECT_NEAR(document.blocks[0].stop_share, 3.0 / 5.0, 1e-6);
}

TEST_F(PageReaderTest, PlainTextIsTextAndImagesAreNone) {
  EXPECT_EQ(read("one\n\ntwo", "text/plain").blocks.size(), 2U);
  EXPECT_EQ(document_.kind, ContentKind::kPlainText);
  EXPECT_TRUE(read("\x89PNG\r\n\x1a\n....", "image/png").tokens.empty());
  EXPECT_EQ(document_.kind, ContentKind::kNone);
  EXPECT_TRUE(read("", "text/html").tokens.empty());
}

// The words of the title in normal form, by the tokens of a page that has them as its text.
TEST_F(PageReaderTest, TheTitleIsReadAsTextIs) {
  const auto hashes_of = [](const Vector<Token>& tokens) {
    std::vector<uint64_t> hashes;
    for (const Token& token : tokens)
      hashes.push_back(token.hash);
    return hashes;
  };
  const std::string title = "Ferry &amp;  TIMES: 灯塔 2024";
  const auto words = hashes_of(read("<p>" + title).tokens);
  ASSERT_GE(words.size(), 5U);
  EXPECT_TRUE(document_.title.empty());
  read("<title>" + title + "</title><p>Text");
  EXPECT_EQ(hashes_of(document_.title), words);
  EXPECT_EQ(document_.text, "text\n") << "it is no part of the text";
  EXPECT_EQ(document_.tokens.size(), 1U);
  EXPECT_EQ(document_.width, 4U);
}

TEST_F(PageReaderTest, TitlesAreCutAndPlainTextHasNone) {
  std::string words;
  for (int i = 0; i < 100; ++i)
    words += "word" + std::to_string(i) + " ";
  EXPECT_EQ(read("<title>" + words + "</title><p>x").title.size(), kTitleTokens);
  EXPECT_FALSE(document_.tokens_limited);
  EXPECT_TRUE(read("<title>  \n </title><p>x").title.empty());
  EXPECT_TRUE(read("<title>!?</title><p>x").title.empty());
  EXPECT_TRUE(read("<title>a</title> b", "text/plain").title.empty());
}

TEST_F(PageReaderTest, LimitsCutAndTell) {
  std::string words;
  for (int i = 0; i < 1000; ++i)
    words += "word" + std::to_string(i) + " ";
  PageLimits limits;
  limits.tokens = 100;
  EXPECT_EQ(read("<p>" + words + "</p><p>more</p>", "text/html", limits).tokens.size(), 100U);
  EXPECT_TRUE(document_.tokens_limited);
  EXPECT_FALSE(document_.body_cut);
  limits = {};
  limits.page_bytes = 1024;
  read("<p>" + words, "text/html", limits);
  EXPECT_TRUE(document_.body_cut);
  EXPECT_LT(document_.tokens.size(), 200U);
}

TEST_F(PageReaderTest, NothingOfThePageBeforeIsLeft) {
  read("<title>First</title><p lang=en>one two three</p><a href=/x>four</a>");
  const Document& document = read("<p>five</p>");
  EXPECT_EQ(document.text, "five\n");
  EXPECT_EQ(document.width, 4U);
  EXPECT_TRUE(document.extraction.title.empty());
  EXPECT_TRUE(document.title.empty());
  EXPECT_TRUE(document.extraction.anchors.empty());
}

std::vector<std::string> blocks_of(std::string_view text, const HtmlLimits& limits = {},
                                   bool* limited = nullptr) {
  Extraction extraction;
  extract_plain_text(text, limits, extraction);
  std::vector<std::string> blocks;
  for (const TextBlock& block : extraction.blocks)
    blocks.emplace_back(block.text.of(extraction.text));
  if (limited != nullptr) *limited = extraction.limited;
  return blocks;
}

TEST(PlainText, BlankLinesSeparateParagraphs) {
  EXPECT_EQ(blocks_of("one\ntwo\n\nthree\n \t\r\nfour"),
            (std::vector<std::string>{"one\ntwo", "three", "four"}));
}

TEST(PlainText, NothingGivesNothing) {
  EXPECT_TRUE(blocks_of("").empty());
  EXPECT_TRUE(blocks_of("\n\n  \n").empty());
}

TEST(PlainText, CutsAtWholeCharactersAndSaysSo) {
  HtmlLimits limits;
  limits.text_bytes = 4;
  bool limited = false;
  EXPECT_EQ(blocks_of("ab\xe4\xbd\xa0\xe5\xa5\xbd", limits, &limited), (std::vector<std::string>{"ab"}));
  EXPECT_TRUE(limited);
}

TEST(PlainText, BlocksAreLimited) {
  HtmlLimits limits;
  limits.blocks = 3;
  bool limited = false;
  EXPECT_EQ(blocks_of("a\n\nb\n\nc\n\nd\n\ne", limits, &limited).size(), 3U);
  EXPECT_TRUE(limited);
  EXPECT_EQ(blocks_of("a\n\nb\n\nc", limits, &limited).size(), 3U);
  EXPECT_FALSE(limited);
}

}  // namespace
}  // namespace nd::text
