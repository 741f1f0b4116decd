// Charsets declared rightly, wrongly or not at all, and what the page then says.
#include "reading/decode.hpp"

#include <gtest/gtest.h>
#include <unicode/unistr.h>

#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "core/utf8.hpp"
#include "reading/charset_labels.hpp"

namespace nd::text {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kSimplified =
    "人工智能正在改变世界。许多公司已经开始使用新的技术来提高生产效率，但是人们也担心工作岗位会减少。"
    "专家认为，政府应当加强教育和培训，让更多的人能够适应这种变化。与此同时，数据安全问题也需要得到重视。"
    "昨天下午，记者在北京采访了几位研究人员，他们表示未来十年将是关键时期。";
constexpr std::string_view kTraditional =
    "人工智慧正在改變世界。許多公司已經開始使用新的技術來提高生產效率，但是人們也擔心工作機會減少。"
    "專家認為，政府應當加強教育和訓練，讓更多的人能夠適應這種變化。與此同時，資料安全問題也需要得到重視。"
    "昨天下午，記者在臺北採訪了幾位研究人員，他們表示未來十年將是關鍵時期。";
constexpr std::string_view kJapanese =
    "人工知能は世界を変えつつあります。多くの企業が生産性を高めるために新しい技術を使い始めましたが、"
    "仕事が減るのではないかと心配する人もいます。専門家は、教育と訓練を強化すべきだと考えています。"
    "データの安全性についても、これからさらに注意を払う必要があるでしょう。";
constexpr std::string_view kKorean =
    "인공지능이 세상을 바꾸고 있습니다. 많은 기업들이 생산성을 높이기 위해 새로운 기술을 사용하기 시작했지만 "
    "일자리가 줄어들 것이라고 걱정하는 사람들도 있습니다. 전문가들은 정부가 교육과 훈련을 강화해야 한다고 "
    "말합니다.";
constexpr std::string_view kRussian =
    "Искусственный интеллект меняет мир. Многие компании уже начали использовать новые технологии, чтобы "
    "повысить производительность, но люди боятся потерять работу. Эксперты считают, что государство должно "
    "усилить образование и подготовку кадров.";
constexpr std::string_view kFrench =
    "L’intelligence artificielle transforme déjà le monde. De nombreuses sociétés ont commencé à utiliser "
    "ces "
    "nouvelles techniques pour améliorer leur productivité, mais les salariés craignent d’être remplacés. "
    "Après l’été, le ministère présentera ses idées à l’Assemblée.";

struct Sample {
  std::string_view text;
  const char* icu_name;
  std::string_view label;
  std::string_view charset;
};

const Sample kSamples[] = {
    {kSimplified, "UTF-8", "utf-8", "utf-8"},
    {kSimplified, "windows-936-2000", "gb2312", "gb18030"},
    {kSimplified, "gb18030", "gb18030", "gb18030"},
    {kTraditional, "windows-936-2000", "gbk", "gb18030"},
    {kTraditional, "windows-950-2000", "big5", "big5"},
    {kTraditional, "UTF-8", "utf-8", "utf-8"},
    {kJapanese, "ibm-943_P15A-2003", "shift_jis", "shift_jis"},
    {kJapanese, "euc-jp-2007", "euc-jp", "euc-jp"},
    {kKorean, "windows-949-2000", "euc-kr", "euc-kr"},
    {kRussian, "windows-1251", "windows-1251", "windows-1251"},
    {kRussian, "KOI8-R", "koi8-r", "koi8-r"},
    {kFrench, "windows-1252", "iso-8859-1", "windows-1252"},
    {kFrench, "UTF-8", "utf-8", "utf-8"},
};

std::string encode(std::string_view utf8, const char* icu_name) {
  const auto text =
      icu::UnicodeString::fromUTF8(icu::StringPiece(utf8.data(), static_cast<int32_t>(utf8.size())));
  std::string bytes(4 * utf8.size() + 16, '\0');
  bytes.resize(static_cast<size_t>(
      text.extract(0, text.length(), bytes.data(), static_cast<uint32_t>(bytes.size()), icu_name)));
  return bytes;
}

std::string page(std::string_view meta_label, std::string_view text) {
  std::string html = "<!DOCTYPE html><html><head>";
  if (!meta_label.empty()) html += "<meta charset=\"" + std::string(meta_label) + "\">";
  return html + "<title>News</title></head><body><div class=\"nav\">Home | About</div><p>" +
         std::string(text) + "</p></body></html>";
}

std::string header(std::string_view label) {
  return label.empty() ? "text/html" : "text/html; charset=" + std::string(label);
}

class DecodeTest : public testing::Test {
 protected:
  // Keeps the body for the result to borrow from.
  Decoded decode(std::string body, std::string_view content_type = "", bool is_html = true) {
    body_ = std::move(body);
    return decode_borrowed(body_, content_type, is_html);
  }

  Decoded decode_borrowed(std::string_view body, std::string_view content_type, bool is_html) {
    const auto decoded =
        decoder_.decode({reinterpret_cast<const uint8_t*>(body.data()), body.size()}, content_type, is_html);
    EXPECT_TRUE(decoded);
    return decoded ? *decoded : Decoded{};
  }

  Decoder decoder_;
  std::string body_;
};

TEST_F(DecodeTest, DeclaredRightlyByHeaderOrMeta) {
  for (const Sample& sample : kSamples) {
    const std::string expected = page(sample.label, sample.text);
    const std::string body = encode(expected, sample.icu_name);
    for (const bool in_header : {true, false}) {
      const Decoded decoded = decode(body, in_header ? header(sample.label) : "");
      EXPECT_EQ(decoded.text, expected) << sample.icu_name;
      EXPECT_EQ(decoded.charset, sample.charset);
      EXPECT_EQ(decoded.source, in_header ? CharsetSource::kHttpHeader : CharsetSource::kMeta);
      EXPECT_EQ(decoded.replaced_count, 0U);
    }
  }
}

TEST_F(DecodeTest, NotDeclared) {
  for (const Sample& sample : kSamples) {
    const std::string expected = page("", sample.text);
    const Decoded decoded = decode(encode(expected, sample.icu_name), "text/html");
    EXPECT_EQ(decoded.text, expected) << sample.icu_name;
    EXPECT_EQ(decoded.charset, sample.charset);
    const bool is_single_byte = charset_form(*find_charset(sample.charset)) == CharsetForm::kSingleByte;
    EXPECT_EQ(decoded.source, is_single_byte ? CharsetSource::kDetector : CharsetSource::kValidity);
  }
}

// A wrong header against a right meta element and the reverse, and a wrong one alone. Single-byte charsets
// decode anything, so that between two of them only the order can decide.
// Charsets that ICU does not know.
TEST_F(DecodeTest, ThaiIbm866AndIso2022JpNotDeclared) {
  constexpr std::string_view kThai =
      "ผู้ดูแลประภาคารจดบันทึกสภาพอากาศทุกวัน และทะเลข้างล่างก็ไม่ได้สนใจเขาเลย พี่สาวของเขาอ่านบันทึกนั้น";
  for (const auto& [text, icu_name, charset] : {std::tuple{kThai, "windows-874-2000", "windows-874"},
                                                {kRussian, "ibm-866", "ibm866"},
                                                {kJapanese, "ISO-2022-JP", "iso-2022-jp"}}) {
    for (const bool is_html : {true, false}) {
      const std::string body = encode(is_html ? page("", text) : std::string(text), icu_name);
      const Decoded decoded = decode(body, is_html ? "text/html" : "text/plain", is_html);
      EXPECT_EQ(decoded.charset, charset);
      EXPECT_NE(decoded.text.find(text), std::string_view::npos) << charset;
    }
  }
}

// Without blanks between words the bytes are pairs of GB 18030.
TEST_F(DecodeTest, DeclaredThaiIsNotTakenForChinese) {
  constexpr std::string_view kThai = "นี่คือหน้าเว็บภาษาไทยที่มีคำมากมายเพื่อให้ข้อความยาวพอสำหรับการเปรียบเทียบ";
  const std::string body = encode(page("", kThai), "windows-874-2000");
  for (const char* label : {"tis-620", "windows-874", "iso-8859-11"}) {
    const Decoded decoded = decode(body, "text/html; charset=" + std::string(label), true);
    EXPECT_EQ(decoded.charset, "windows-874");
    EXPECT_EQ(decoded.source, CharsetSource::kHttpHeader);
  }
  for (const auto& [text, icu_name, charset] : {std::tuple{kSimplified, "gb18030", "gb18030"},
                                                {kTraditional, "windows-936-2000", "gb18030"},
                                                {kTraditional, "Big5", "big5"},
                                                {kKorean, "euc-kr", "euc-kr"},
                                                {kJapanese, "euc-jp", "euc-jp"},
                                                {kJapanese, "Shift_JIS", "shift_jis"}})
    EXPECT_EQ(decode(encode(page("", text), icu_name), "text/html; charset=tis-620", true).charset, charset);
}

TEST_F(DecodeTest, Utf8EncodedTwiceIsDecodedTwice) {
  std::string twice;
  for (const char c : page("", kRussian))
    append_utf8(twice, static_cast<unsigned char>(c));
  const Decoded decoded = decode(twice, "text/html; charset=utf-8", true);
  EXPECT_EQ(decoded.charset, "utf-8");
  EXPECT_EQ(decoded.text, page("", kRussian));
  const std::string partly = twice + " é";
  EXPECT_EQ(decode(partly, "text/html; charset=utf-8", true).text, partly);
}

TEST_F(DecodeTest, DeclaredWrongly) {
  const std::string_view wrong_labels[] = {"utf-8",  "gb2312",      "big5",       "shift_jis",
                                           "euc-kr", "euc-jp",      "iso-8859-1", "windows-1251",
                                           "utf-16", "iso-2022-jp", "hz-gb-2312"};
  for (const Sample& sample : kSamples) {
    const bool is_single_byte = charset_form(*find_charset(sample.charset)) == CharsetForm::kSingleByte;
    for (const std::string_view wrong : wrong_labels) {
      const CharsetForm wrong_form = charset_form(*find_charset(wrong));
      if (is_single_byte && wrong_form == CharsetForm::kSingleByte) continue;
      const std::string right_meta = page(sample.label, sample.text);
      EXPECT_EQ(decode(encode(right_meta, sample.icu_name), header(wrong)).text, right_meta)
          << sample.icu_name << ", header " << wrong;
      const std::string wrong_meta = page(wrong, sample.text);
      EXPECT_EQ(decode(encode(wrong_meta, sample.icu_name), header(sample.label)).text, wrong_meta)
          << sample.icu_name << ", meta " << wrong;
      EXPECT_EQ(decode(encode(wrong_meta, sample.icu_name), "").text, wrong_meta)
          << sample.icu_name << ", only meta " << wrong;
    }
  }
}

TEST_F(DecodeTest, ShortTextBelievesTheDeclaration) {
  for (const Sample& sample : kSamples) {
    const std::string expected = page(sample.label, sample.text.substr(0, sample.text.find("。") + 3));
    if (sample.text.find("。") == std::string_view::npos) continue;
    EXPECT_EQ(decode(encode(expected, sample.icu_name)).text, expected) << sample.icu_name;
    const std::string tiny = page(sample.label, sample.text.substr(0, 6));
    EXPECT_EQ(decode(encode(tiny, sample.icu_name)).text, tiny) << sample.icu_name;
  }
}

TEST_F(DecodeTest, ByteOrderMarksWin) {
  const std::string expected = page("gbk", kSimplified);
  const std::pair<std::string_view, const char*> marks[] = {
      {"\xEF\xBB\xBF", "UTF-8"}, {"\xFF\xFE", "UTF-16LE"}, {"\xFE\xFF", "UTF-16BE"}};
  for (const auto& [mark, name] : marks) {
    const Decoded decoded = decode(std::string(mark) + encode(expected, name), "text/html; charset=big5");
    EXPECT_EQ(decoded.text, expected) << name;
    EXPECT_EQ(decoded.source, CharsetSource::kByteOrderMark);
  }
  EXPECT_EQ(decode("\xEF\xBB\xBF\xEF\xBB\xBFx").text, "x");
  EXPECT_EQ(decode("\x84\x31\x95\x33 \xD6\xD0", header("gbk")).text, " 中");
  for (const auto& mark : marks)
    EXPECT_EQ(decode(std::string(mark.first)).text, "");
}

TEST_F(DecodeTest, Utf16WithoutAMark) {
  for (const std::string_view text : {kSimplified, kJapanese, kKorean, kRussian, kFrench}) {
    for (const auto& [name, charset] : {std::pair{"UTF-16LE", "utf-16le"}, {"UTF-16BE", "utf-16be"}}) {
      const std::string expected = page("utf-16", text);
      const std::string body = encode(expected, name);
      for (const std::string_view label : {"", "utf-16", "utf-16be", "utf-8", "gb2312"}) {
        const Decoded decoded = decode(body, header(label));
        EXPECT_EQ(decoded.text, expected) << name << " as " << label;
        EXPECT_EQ(decoded.charset, charset);
      }
      // No ASCII at all.
    }
  }
}

// ASCII is only the line ends.
TEST_F(DecodeTest, Utf16PlainText) {
  const std::string text = std::string(kSimplified) + "\n" + std::string(kJapanese) + "\n";
  for (const auto name : {"UTF-16LE", "UTF-16BE"}) {
    EXPECT_EQ(decode(encode(text, name), header("utf-16"), false).text, text) << name;
  }
}

// Two tags of ASCII in 8 KB; a declaration within the page would not do.
TEST_F(DecodeTest, Utf16OfTheHeaderWithHardlyAnyAscii) {
  std::string text = "<p>";
  while (text.size() < 20'000)
    text += std::string(kSimplified);
  for (const auto& [name, label] :
       {std::pair{"UTF-16LE", "utf-16le"}, {"UTF-16BE", "utf-16be"}, {"UTF-16LE", "utf-16"}}) {
    const Decoded decoded = decode(encode(text, name), header(label));
    EXPECT_EQ(decoded.text, text) << name;
    EXPECT_EQ(decoded.source, CharsetSource::kHttpHeader);
  }
  const std::string gbk = encode(text, "GBK") + std::string(3, '\0');
  EXPECT_EQ(decode(gbk, header("utf-16")).charset, "gb18030") << "half of it would be malformed";
}

TEST_F(DecodeTest, WhatIsNotUtf16StaysWhatItIs) {
  EXPECT_EQ(decode(std::string("abc\0"sv)).text, "abc");
  EXPECT_EQ(decode(std::string("a\0b\0c d e f g h i j k"sv)).text, "abc d e f g h i j k");
  const std::string html = page("utf-16", "plain words");
  EXPECT_EQ(decode(html, header("utf-16")).text, html);
  const std::string with_nul = html.substr(0, 40) + '\0' + html.substr(40);
  EXPECT_EQ(decode(with_nul, header("utf-16")).text, html);
}

TEST_F(DecodeTest, ValidUtf8IsNotCopied) {
  for (const std::string& body :
       {page("", "only ascii"), page("gb2312", kSimplified), page("utf-8", kFrench)}) {
    const Decoded decoded = decode_borrowed(body, "text/html; charset=iso-8859-1", true);
    EXPECT_EQ(decoded.text.data(), body.data());
    EXPECT_EQ(decoded.text.size(), body.size());
  }
  const std::string cut = page("", kSimplified).substr(0, 121 + 1);
  const Decoded decoded = decode_borrowed(cut, "", true);
  EXPECT_EQ(decoded.text.data(), cut.data());
  EXPECT_LT(decoded.text.size(), cut.size());
}

TEST_F(DecodeTest, PureAsciiTakesTheDeclaredName) {
  EXPECT_EQ(decode("abc").charset, "utf-8");
  EXPECT_EQ(decode("abc").source, CharsetSource::kValidity);
  EXPECT_EQ(decode("abc", "text/html; charset=gbk").charset, "gb18030");
  EXPECT_EQ(decode("<meta charset=gbk>").source, CharsetSource::kMeta);
  EXPECT_EQ(decode("<meta charset=gbk>", "", false).source, CharsetSource::kValidity);
  EXPECT_EQ(decode("\x1b$BF|K\\\x1b(B", header("iso-2022-jp")).text, "日本");
  EXPECT_EQ(decode("abc", header("hz-gb-2312")).charset, "utf-8");
  EXPECT_EQ(decode("").text, "");
  EXPECT_EQ(decode("").charset, "utf-8");
}

TEST_F(DecodeTest, NulsGo) {
  for (const Sample& sample : kSamples) {
    const std::string expected = page(sample.label, sample.text);
    std::string body;
    for (const char c : encode(expected, sample.icu_name)) {
      body += c;
      if (c == '<' || c == '>') body += '\0';
    }
    EXPECT_EQ(decode(body, header(sample.label)).text, expected) << sample.icu_name;
  }
}

TEST_F(DecodeTest, ACutLastCharacterChangesNothing) {
  for (const Sample& sample : kSamples) {
    const std::string whole = "<p>" + std::string(sample.text) + "龘";
    std::string_view last = "龘";
    if (sample.text == kKorean) last = "힝";
    if (charset_form(*find_charset(sample.charset)) == CharsetForm::kSingleByte || sample.text == kFrench)
      continue;
    const std::string body = encode("<p>" + std::string(sample.text), sample.icu_name);
    const std::string character = encode(last, sample.icu_name);
    for (size_t kept = 0; kept < character.size(); ++kept) {
      const Decoded decoded = decode(body + character.substr(0, kept), "");
      EXPECT_EQ(decoded.text, "<p>" + std::string(sample.text)) << sample.icu_name << " " << kept;
      EXPECT_EQ(decoded.replaced_count, 0U);
    }
  }
}

// `bad` stray bytes among `good` two-byte characters.
std::string damaged_utf8(size_t good, size_t bad) {
  std::string text;
  for (size_t i = 0; i < good; ++i)
    text += i % 10 == 9 ? "é " : "é";
  for (size_t i = 0; i < bad; ++i)
    text.insert(text.find(' ', i * 20 + 1) + 1, "\xA0 ");
  return text;
}

TEST_F(DecodeTest, OneBadSequenceInAThousandIsTolerated) {
  // 999 good and 1 bad: UTF-8, against a declaration in which the bytes decode too.
  const Decoded within = decode(damaged_utf8(999, 1), header("windows-1251"));
  EXPECT_EQ(within.charset, "utf-8");
  EXPECT_EQ(within.replaced_count, 1U);
  EXPECT_NE(within.text.find("é \uFFFD é"), std::string_view::npos);
  EXPECT_EQ(decode(damaged_utf8(998, 1), header("windows-1251")).charset, "windows-1251");
  EXPECT_EQ(decode(damaged_utf8(1998, 2), header("windows-1251")).charset, "utf-8");
  EXPECT_EQ(decode(damaged_utf8(1997, 2), header("windows-1251")).charset, "windows-1251");
  // The cut character at the end is not counted.
  EXPECT_EQ(decode(damaged_utf8(999, 1) + "\xE4\xB8", header("windows-1251")).charset, "utf-8");
  EXPECT_EQ(decode(damaged_utf8(999, 1) + "\xE4\xB8", header("windows-1251")).replaced_count, 1U);
}

TEST_F(DecodeTest, DamagedTextStaysWhatItIsIfNothingElseFits) {
  for (const Sample& sample : kSamples) {
    if (charset_form(*find_charset(sample.charset)) == CharsetForm::kSingleByte) continue;
    const std::string clean = encode(page(sample.label, sample.text), sample.icu_name);
    std::string body = clean;
    body.insert(body.find("</p>"), "\xFF.");
    for (const std::string_view label : {sample.label, ""sv}) {
      const Decoded decoded = decode(body, header(label));
      EXPECT_EQ(decoded.charset, sample.charset) << sample.icu_name;
      EXPECT_EQ(decoded.replaced_count, 1U);
      EXPECT_NE(decoded.text.find(sample.text), std::string_view::npos) << sample.icu_name;
    }
  }
}

TEST_F(DecodeTest, UnknownBytesFallBack) {
  EXPECT_EQ(decode("\xFF").charset, "windows-1252");
  EXPECT_EQ(decode("caf\xE9 cr\xE8me").text, "café crème");
  EXPECT_EQ(decode("x\xE9y", header("klingon")).charset, "windows-1252");
}

TEST_F(DecodeTest, RandomBytesUnderEveryLabelGiveUtf8WithoutNul) {
  std::mt19937 random(5);
  for (size_t i = 0; i < kCharsetCount; ++i) {
    for (int round = 0; round < 24; ++round) {
      std::vector<char> body(random() % 600);
      for (char& c : body) {
        const auto value = static_cast<uint32_t>(random());
        c = static_cast<char>(round % 3 == 0   ? value
                              : round % 3 == 1 ? value | 0x80
                              : value & 0x30   ? value & 0x7f
                                               : value);
      }
      const Decoded decoded = decode_borrowed({body.data(), body.size()},
                                              header(charset_name(static_cast<Charset>(i))), round % 2 == 0);
      EXPECT_EQ(decoded.text.find('\0'), std::string_view::npos);
      std::string round_trip;
      icu::UnicodeString::fromUTF8(
          icu::StringPiece(decoded.text.data(), static_cast<int32_t>(decoded.text.size())))
          .toUTF8String(round_trip);
      EXPECT_EQ(decoded.text, round_trip);
      EXPECT_FALSE(decoded.charset.empty());
    }
  }
}

TEST_F(DecodeTest, ADecoderCanBeMovedAndUsedAgain) {
  const std::string body = encode(page("gbk", kSimplified), "gb18030");
  decode(body);
  Decoder moved = std::move(decoder_);
  decoder_ = std::move(moved);
  EXPECT_EQ(decode(body).text, page("gbk", kSimplified));
  EXPECT_EQ(decode("short").text, "short");
}

}  // namespace
}  // namespace nd::text
