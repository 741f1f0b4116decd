// Every byte and pair of bytes against ICU's decoders.
#include "reading/transcode.hpp"

#include <gtest/gtest.h>
#include <unicode/ucnv.h>
#include <unicode/unistr.h>

#include <random>
#include <string>
#include <vector>

#include "reading/byte_structure.hpp"

namespace nd::text {
namespace {

std::string transcode(Transcoder& transcoder, Charset charset, std::string_view bytes,
                      size_t* malformed = nullptr) {
  static Utf8Output out;
  out.clear();
  const auto result =
      transcoder.append(charset, {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, out);
  EXPECT_TRUE(result) << charset_name(charset);
  if (malformed != nullptr) *malformed = *result;
  return std::string(out.text());
}

// ICU's converter of a charset, straight.
class Icu {
 public:
  explicit Icu(Charset charset) : converter_(ucnv_open(icu_converter_name(charset), &status_)) {}
  ~Icu() { ucnv_close(converter_); }
  Icu(const Icu&) = delete;
  Icu& operator=(const Icu&) = delete;

  std::string operator()(std::string_view bytes) {
    std::string utf8;
    icu::UnicodeString(bytes.data(), static_cast<int32_t>(bytes.size()), converter_, status_)
        .toUTF8String(utf8);
    return utf8;
  }

 private:
  UErrorCode status_ = U_ZERO_ERROR;
  UConverter* converter_;
};

constexpr Charset kDoubleByte[] = {Charset::kGb18030, Charset::kBig5, Charset::kShiftJis, Charset::kEucJp,
                                   Charset::kEucKr};

// Every pair that ICU maps must come out as ICU has it, whether by table or not.
TEST(Transcode, EqualsIcuOnEveryPair) {
  Transcoder transcoder;
  for (const Charset charset : kDoubleByte) {
    Icu icu(charset);
    size_t equal = 0;
    for (unsigned lead = 0x81; lead < 0xff; ++lead) {
      for (unsigned trail = 0x40; trail < 0xff; ++trail) {
        const std::string pair{static_cast<char>(lead), static_cast<char>(trail)};
        const auto* bytes = reinterpret_cast<const uint8_t*>(pair.data());
        if (read_double_byte(charset, bytes, bytes + 2).length != 2) continue;
        size_t malformed = 0;
        const std::string text = transcode(transcoder, charset, pair, &malformed);
        if (malformed > 0 || (lead == 0xa3 && trail == 0xa0)) continue;
        if (text != icu(pair)) ADD_FAILURE() << charset_name(charset) << lead << trail;
        ++equal;
      }
    }
    EXPECT_GT(equal, charset == Charset::kEucJp || charset == Charset::kShiftJis ? 6000U : 8000U)
        << charset_name(charset);
  }
}

TEST(Transcode, EqualsIcuOnEverySingleByte) {
  Transcoder transcoder;
  for (size_t i = 0; i < kCharsetCount; ++i) {
    const auto charset = static_cast<Charset>(i);
    if (charset_form(charset) != CharsetForm::kSingleByte || icu_converter_name(charset) == nullptr) continue;
    Icu icu(charset);
    for (unsigned byte = 0x80; byte < 256; ++byte) {
      if (charset == Charset::kKoi8U && (byte == 0xae || byte == 0xbe)) continue;
      const std::string one(1, static_cast<char>(byte));
      size_t malformed = 0;
      const std::string text = transcode(transcoder, charset, one, &malformed);
      if (malformed > 0) {
        EXPECT_EQ(text, "\uFFFD");
      } else {
        EXPECT_EQ(text, icu(one)) << charset_name(charset) << " " << byte;
      }
    }
  }
}

TEST(Transcode, KnowsWhatIcuDoesNot) {
  Transcoder transcoder;
  EXPECT_EQ(transcode(transcoder, Charset::kIso8859_16, "\xA4\xAA\xBA\xDE\xFE\xFF\x41"), "€ȘșȚțÿA");
  EXPECT_EQ(transcode(transcoder, Charset::kKoi8U, "\xAE\xBE\xC1"), "ўЎа");
  EXPECT_EQ(transcode(transcoder, Charset::kUserDefined, "caf\xE9"), "café");
  EXPECT_EQ(transcode(transcoder, Charset::kReplacement, "caf\xE9"), "café");
  EXPECT_EQ(transcode(transcoder, Charset::kGb18030, "\x80\xA3\xA0"), "€\u3000");
}

TEST(Transcode, WorkedExamples) {
  Transcoder transcoder;
  EXPECT_EQ(transcode(transcoder, Charset::kGb18030, "\xD6\xD0\xCE\xC4 ok"), "中文 ok");
  EXPECT_EQ(transcode(transcoder, Charset::kGb18030, "\x95\x32\x82\x36\x81\x30\x81\x30"), "𠀀\u0080");
  EXPECT_EQ(transcode(transcoder, Charset::kBig5, "\xA4\xA4\xA4\xE5"), "中文");
  EXPECT_EQ(transcode(transcoder, Charset::kShiftJis, "\x93\xFA\x96\x7B\xB6\xC5"), "日本ｶﾅ");
  EXPECT_EQ(transcode(transcoder, Charset::kEucJp, "\xC6\xFC\x8E\xB6\x8F\xB0\xA1"), "日ｶ丂");
  EXPECT_EQ(transcode(transcoder, Charset::kEucKr, "\xC7\xD1\xB1\xB9\x81\x41"), "한국갂");
  EXPECT_EQ(transcode(transcoder, Charset::kWindows1252, "\x93na\xEFve\x94 \x80"), "“naïve” €");
  EXPECT_EQ(transcode(transcoder, Charset::kIso2022Jp, "\x1b$BF|K\\\x1b(B ok"), "日本 ok");
  EXPECT_EQ(transcode(transcoder, Charset::kUtf16Le, std::string_view("\x2d\x4e\x3d\xd8\x00\xde\x41\x00", 8)),
            "中😀A");
  EXPECT_EQ(transcode(transcoder, Charset::kUtf16Be, std::string_view("\x4e\x2d\xd8\x3d\xde\x00\x00\x41", 8)),
            "中😀A");
}

TEST(Transcode, CountsMalformedSequencesAndKeepsTheTagBehindThem) {
  Transcoder transcoder;
  size_t malformed = 0;
  EXPECT_EQ(transcode(transcoder, Charset::kGb18030, "\xD6<p>\xFF\xD6\xD0", &malformed), "\uFFFD<p>\uFFFD中");
  EXPECT_EQ(malformed, 2U);
  EXPECT_EQ(transcode(transcoder, Charset::kBig5, "\xA4\"a", &malformed), "\uFFFD\"a");
  EXPECT_EQ(malformed, 1U);
  const std::string_view lone("\x41\x00\x00\xdc\x00\xd8\x42\x00", 8);
  EXPECT_EQ(transcode(transcoder, Charset::kUtf16Le, lone, &malformed), "A\uFFFD\uFFFDB");
  EXPECT_EQ(malformed, 2U);
  EXPECT_EQ(transcode(transcoder, Charset::kWindows1253, "\xC1\xD2", &malformed), "Α\uFFFD");
  EXPECT_EQ(malformed, 1U);
}

// What is passed over in blocks is copied in blocks, of every length, from every place, with a NUL at every
// one.
TEST(Transcode, KeepsLongRunsOfAsciiButForTheirNuls) {
  Transcoder transcoder;
  for (size_t size = 1; size < 200; size += size < 40 ? 1 : 7) {
    std::string run;
    for (size_t i = 0; i < size; ++i)
      run += static_cast<char>(1 + i % 127);
    for (size_t at = 0; at < size; at += size < 100 ? 1 : 5) {
      std::string with_nul = run;
      with_nul[at] = '\0';
      std::string without = run;
      without.erase(at, 1);
      ASSERT_EQ(transcode(transcoder, Charset::kGb18030, run + "\xd6\xd0" + with_nul), run + "中" + without)
          << size << " " << at;
      ASSERT_EQ(transcode(transcoder, Charset::kWindows1252, with_nul + "\xe9" + run), without + "é" + run)
          << size << " " << at;
    }
  }
}

TEST(Transcode, DropsNulsAndTheCutEnd) {
  using namespace std::string_view_literals;
  Transcoder transcoder;
  size_t malformed = 1;
  EXPECT_EQ(transcode(transcoder, Charset::kGb18030, "\0a\0\xD6\xD0\0b\xD6"sv, &malformed), "a中b");
  EXPECT_EQ(malformed, 0U);
  EXPECT_EQ(transcode(transcoder, Charset::kGb18030, "a\x95\x32\x82", &malformed), "a");
  EXPECT_EQ(transcode(transcoder, Charset::kWindows1251, "\0\xE0\0"sv), "а");
  EXPECT_EQ(transcode(transcoder, Charset::kUtf16Le, "A\0\0\0B\0C"sv, &malformed), "AB");
  EXPECT_EQ(transcode(transcoder, Charset::kUtf16Le, "A\0\x3d\xd8"sv, &malformed), "A");
  EXPECT_EQ(malformed, 0U);
  EXPECT_EQ(transcode(transcoder, Charset::kIso2022Jp, "\x1b$BF|K\0\x1b(B\0k"sv, nullptr).find('\0'),
            std::string::npos);
}

// Characters across the borders of the segments in which the input is taken.
TEST(Transcode, LongInputEqualsItsPieces) {
  Transcoder transcoder;
  std::string bytes = "x";
  std::string expected = "x";
  for (int i = 0; i < 5000; ++i) {
    bytes += "\xD6\xD0\x95\x32\x82\x36";
    expected += "中𠀀";
  }
  EXPECT_EQ(transcode(transcoder, Charset::kGb18030, bytes), expected);
  std::string wide(1, '\x2d');
  for (int i = 0; i < 9000; ++i)
    wide += "\x4e\x3d\xd8\x00\xde\x2d"[i % 6 == 3 ? 3 : i % 6];
  size_t malformed = 1;
  transcode(transcoder, Charset::kUtf16Le, wide, &malformed);
  EXPECT_EQ(malformed, 0U);
}

TEST(Transcode, RandomBytesInEveryCharsetGiveUtf8WithoutNul) {
  Transcoder transcoder;
  std::mt19937 random(4);
  for (size_t i = 1; i < kCharsetCount; ++i) {
    for (int round = 0; round < 60; ++round) {
      std::vector<char> bytes(random() % 300);
      for (char& c : bytes)
        c = static_cast<char>(round % 2 == 0 ? random() : 0x80 | random());
      const std::string text = transcode(transcoder, static_cast<Charset>(i), {bytes.data(), bytes.size()});
      EXPECT_EQ(text.find('\0'), std::string::npos);
      std::string round_trip;
      icu::UnicodeString::fromUTF8(text).toUTF8String(round_trip);
      EXPECT_EQ(text, round_trip) << charset_name(static_cast<Charset>(i));
    }
  }
}

}  // namespace
}  // namespace nd::text
