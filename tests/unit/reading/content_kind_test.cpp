// Mark-up, plain text or neither, by declaration and by bytes.
#include "reading/content_kind.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace nd::text {
namespace {

using namespace std::string_view_literals;

ContentKind kind(std::string_view body, std::string_view content_type = "") {
  return content_kind({reinterpret_cast<const uint8_t*>(body.data()), body.size()}, content_type);
}

std::string utf16(std::string_view ascii, bool big_endian) {
  std::string wide;
  for (const char c : ascii)
    wide += big_endian ? std::string{'\0', c} : std::string{c, '\0'};
  return wide;
}

TEST(ContentKind, EmptyIsNone) {
  EXPECT_EQ(kind("", "text/html"), ContentKind::kNone);
  EXPECT_EQ(kind(""), ContentKind::kNone);
}

TEST(ContentKind, DeclaredTypes) {
  for (const auto type : {"text/html", "Text/HTML; charset=gbk", " application/xhtml+xml ", "text/xml",
                          "application/xml", "application/rss+xml;charset=utf-8"}) {
    EXPECT_EQ(kind("some words", type), ContentKind::kHtml) << type;
  }
  for (const auto type : {"text/plain", "text/markdown", "text/csv; header=present", "application/json",
                          "application/ld+json", "text/javascript", "APPLICATION/JSON"}) {
    EXPECT_EQ(kind("some words <b>here</b>", type), ContentKind::kPlainText) << type;
  }
  for (const auto type :
       {"image/png", "image/svg+xml", "audio/mpeg", "video/mp4", "font/woff2", "application/pdf",
        "application/octet-stream", "application/zip", "application/vnd.ms-excel"}) {
    EXPECT_EQ(kind("some words <b>here</b>", type), ContentKind::kNone) << type;
  }
}

TEST(ContentKind, AnHtmlDocumentIsHtmlWhateverWasDeclared) {
  const std::string_view starts[] = {"<!DOCTYPE html><p>x",
                                     "<html>",
                                     "<HTML lang=en>",
                                     " \n\t<!doctype HTML>",
                                     "\xEF\xBB\xBF<!DOCTYPE html>",
                                     "<!-- saved from --><html>",
                                     "<?xml version='1.0'?>\n<!DOCTYPE html PUBLIC 'x'>"};
  for (const auto start : starts) {
    for (const auto type : {"", "text/plain", "application/octet-stream", "image/gif", "nonsense"}) {
      EXPECT_EQ(kind(start, type), ContentKind::kHtml) << start << " as " << type;
    }
  }
  EXPECT_EQ(kind("<p>no document", "text/plain"), ContentKind::kPlainText);
  EXPECT_EQ(kind("<htmlx>", "text/plain"), ContentKind::kPlainText);
  EXPECT_EQ(kind("read about <html>", "text/plain"), ContentKind::kPlainText);
  EXPECT_EQ(kind("<!-- <html> ", "text/plain"), ContentKind::kPlainText);
}

TEST(ContentKind, WithoutATypeATagDecides) {
  for (const auto type : {"", "nonsense", "/", "text/", "unknown/unknown", ";charset=utf-8"}) {
    EXPECT_EQ(kind("<p>Hello", type), ContentKind::kHtml) << type;
    EXPECT_EQ(kind("Hello </p> world", type), ContentKind::kHtml) << type;
    EXPECT_EQ(kind("1 < 2 and 3 <4 <", type), ContentKind::kPlainText) << type;
    EXPECT_EQ(kind("Hello", type), ContentKind::kPlainText) << type;
  }
  EXPECT_EQ(kind(std::string(511, ' ') + "<p>"), ContentKind::kPlainText);
  EXPECT_EQ(kind(std::string(510, ' ') + "<p>"), ContentKind::kHtml);
}

TEST(ContentKind, AHeaderThatIsNoMediaTypeSaysNothing) {
  for (const auto type :
       {"text/html charset=utf-8", "\"text/html\"", "text / html", "text/html:charset=utf-8", "image/png x",
        "image / png", "\"image/png\"", "image/png\tx", "*/*", "text/*", ",,;"}) {
    EXPECT_EQ(kind("<p>Hello", type), ContentKind::kHtml) << type;
    EXPECT_EQ(kind("Hello", type), ContentKind::kPlainText) << type;
  }
}

TEST(ContentKind, OfSeveralTypesTheLastCountsThatMayHoldText) {
  EXPECT_EQ(kind("<p>Hello", "text/html, text/html"), ContentKind::kHtml);
  EXPECT_EQ(kind("Hello", "text/html, text/html"), ContentKind::kHtml);
  EXPECT_EQ(kind("<p>Hello", "text/html, text/plain"), ContentKind::kPlainText);
  EXPECT_EQ(kind("Hello", "image/png, text/html, nonsense, */*"), ContentKind::kHtml);
  EXPECT_EQ(kind("Hello", "text/html,application/pdf"), ContentKind::kHtml);
  EXPECT_EQ(kind("<p>Hello", "image/gif, image/png"), ContentKind::kNone);
}

TEST(ContentKind, KnownFormatsAreNoneEvenAsHtml) {
  const std::string_view formats[] = {"\x89PNG\r\n\x1a\nxx",
                                      "GIF89a words",
                                      "\xff\xd8\xff\xe0 JFIF",
                                      "%PDF-1.7\n%text",
                                      "PK\3\4 words words",
                                      "\x1f\x8b\x08 x",
                                      "RIFF1234WEBPVP8 ",
                                      "RIFF1234WAVEfmt ",
                                      "\0\0\0\x18"
                                      "ftypmp42xx"sv,
                                      "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 words",
                                      "\0asm\1\0\0\0"sv,
                                      "\x7f"
                                      "ELF words",
                                      "OggS\0 x"sv,
                                      "ID3\3 song",
                                      "wOF2 font",
                                      "BZh91AY&SY12",
                                      "MZ\x90\0 program"sv,
                                      "7z\xbc\xaf\x27\x1c",
                                      "Rar!\x1a\7 x",
                                      "%!PS-Adobe",
                                      "{\\rtf1 words}"};
  for (const auto format : formats) {
    EXPECT_EQ(kind(format, "text/html"), ContentKind::kNone) << testing::PrintToString(format);
    EXPECT_EQ(kind(format), ContentKind::kNone) << testing::PrintToString(format);
  }
}

TEST(ContentKind, WordsThatBeginLikeAFormatAreText) {
  for (const auto words :
       {"BM is a brand", "MZ motorcycles", "RIFF raff at noon", "PK is short", "FORM a line, please",
        "BZh is no word", "GIF images", "ID3 tags", "PDF files", "What ftyp means"}) {
    EXPECT_EQ(kind(words), ContentKind::kPlainText) << words;
  }
}

TEST(ContentKind, BytesWithoutOrderAreNone) {
  std::mt19937 random(3);
  std::string noise(4096, '\0');
  for (char& c : noise)
    c = static_cast<char>(random());
  EXPECT_EQ(kind(noise, "text/html"), ContentKind::kNone);
  EXPECT_EQ(kind(std::string(100, '\0'), "text/html"), ContentKind::kNone);
  EXPECT_EQ(kind(std::string(100, '\1'), "text/plain"), ContentKind::kNone);
}

TEST(ContentKind, AFewStrayNulsAreForgiven) {
  EXPECT_EQ(kind("<p>a\0b\0c\0d</p>"sv), ContentKind::kHtml);
  std::string page = "<html><body>" + std::string(1000, 'x');
  for (size_t at = 20; at < page.size(); at += 20)
    page[at] = '\0';
  EXPECT_EQ(kind(page, "text/html"), ContentKind::kHtml);
  for (size_t at = 20; at < page.size(); at += 7)
    page[at] = '\0';
  EXPECT_EQ(kind(page, "text/html"), ContentKind::kNone);
}

TEST(ContentKind, Utf16IsText) {
  const std::string_view page = "<!DOCTYPE html><html><body><p>Hello, world. Hello, world.</p></body></html>";
  for (const bool big_endian : {false, true}) {
    const std::string wide = utf16(page, big_endian);
    EXPECT_EQ(kind(wide), ContentKind::kHtml);
    EXPECT_EQ(kind((big_endian ? "\xFE\xFF" : "\xFF\xFE") + wide), ContentKind::kHtml);
    EXPECT_EQ(kind(utf16("only words, only words, only words", big_endian)), ContentKind::kPlainText);
  }
  // Cyrillic with a mark: every second byte is 04.
  std::string cyrillic = "\xFF\xFE";
  for (int i = 0; i < 200; ++i)
    cyrillic += {static_cast<char>(0x30 + i % 32), '\x04'};
  EXPECT_EQ(kind(cyrillic), ContentKind::kPlainText);
  // Or with the header's word for it, which is not taken for more than that.
  const std::string_view bare = std::string_view(cyrillic).substr(2);
  EXPECT_EQ(kind(bare), ContentKind::kNone);
  EXPECT_EQ(kind(bare, "text/html; charset=utf-16le"), ContentKind::kHtml);
  EXPECT_EQ(kind(bare, "text/plain;charset=\"UTF-16\""), ContentKind::kPlainText);
  EXPECT_EQ(kind(bare, "text/html; charset=utf-8"), ContentKind::kNone);
  EXPECT_EQ(kind(std::string(200, '\0') + "abc", "text/html; charset=utf-16"), ContentKind::kNone);
}

TEST(ContentKind, SurvivesEveryShortBody) {
  for (unsigned first = 0; first < 256; ++first) {
    for (unsigned second = 0; second < 256; ++second) {
      const char body[] = {static_cast<char>(first), static_cast<char>(second)};
      EXPECT_NE(kind({body, 2}, "text/html"), ContentKind::kPlainText);
      EXPECT_EQ(kind({body, 2}, "image/png"), ContentKind::kNone);
    }
  }
}

}  // namespace
}  // namespace nd::text
