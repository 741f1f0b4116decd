// Charsets that statistics tell, and the bytes that ICU's decoders do not know.
#include "reading/byte_statistics.hpp"

#include <gtest/gtest.h>
#include <unicode/unistr.h>

#include <string>

#include "reading/transcode.hpp"

namespace nd::text {
namespace {

using namespace std::string_view_literals;

std::string encode(std::string_view utf8, const char* icu_name) {
  const auto text =
      icu::UnicodeString::fromUTF8(icu::StringPiece(utf8.data(), static_cast<int32_t>(utf8.size())));
  std::string bytes(4 * utf8.size() + 16, '\0');
  bytes.resize(static_cast<size_t>(
      text.extract(0, text.length(), bytes.data(), static_cast<uint32_t>(bytes.size()), icu_name)));
  return bytes;
}

constexpr std::string_view kThai = "ผู้ดูแลประภาคารจดบันทึกสภาพอากาศทุกวัน และทะเลข้างล่างก็ไม่ได้สนใจเขาเลย";
constexpr std::string_view kRussian =
    "Смотритель маяка каждый день записывал погоду, а море под ним не обращало на это внимания.";
constexpr std::string_view kBulgarian =
    "Пазачът на фара всеки ден записваше времето, а морето под него не му обръщаше внимание.";
constexpr std::string_view kGreek =
    "Ο φαροφύλακας σημείωνε κάθε μέρα τον καιρό και η θάλασσα δεν έδινε σημασία.";
constexpr std::string_view kHebrew = "שומר המגדלור רשם בכל יום את מזג האוויר והים שמתחתיו לא שם לב אליו כלל.";
constexpr std::string_view kArabic = "كان حارس المنارة يدون حالة الطقس كل يوم ولم يكن البحر تحته يأبه به.";
constexpr std::string_view kFrench =
    "Le gardien du phare notait chaque été la météo, déjà répétée à l’école.";
constexpr std::string_view kTurkish =
    "Fener bekçisi her gün havayı yazıyordu, aşağıdaki deniz ise aldırmıyordu.";
constexpr std::string_view kVietnamese =
    "Ngươi giư đen biên ghi lai thơi tiêt môi ngay, con biên bên dươi thi không.";

struct Sample {
  std::string_view text;
  const char* charset;
};

constexpr Sample kOthers[] = {
    {kRussian, "windows-1251"},   {kRussian, "KOI8-R"},         {kRussian, "ISO-8859-5"},
    {kRussian, "x-mac-cyrillic"}, {kBulgarian, "windows-1251"}, {kGreek, "windows-1253"},
    {kGreek, "ISO-8859-7"},       {kHebrew, "windows-1255"},    {kArabic, "windows-1256"},
    {kArabic, "ISO-8859-6"},      {kFrench, "windows-1252"},    {kFrench, "macintosh"},
    {kFrench, "ibm-850"},         {kTurkish, "windows-1254"},   {kVietnamese, "windows-1258"}};

TEST(ByteStatistics, TellsThai) {
  EXPECT_TRUE(ByteStatistics(encode(kThai, "windows-874")).is_thai());
  EXPECT_TRUE(ByteStatistics(encode("ยินดีต้อนรับ", "TIS-620")).is_thai());
  EXPECT_FALSE(ByteStatistics(encode(kThai, "windows-874")).is_ibm866());
  for (const Sample& other : kOthers)
    EXPECT_FALSE(ByteStatistics(encode(other.text, other.charset)).is_thai()) << other.charset;
  EXPECT_FALSE(ByteStatistics("").is_thai());
  EXPECT_FALSE(ByteStatistics("plain").is_thai());
}

TEST(ByteStatistics, TellsIbm866) {
  EXPECT_TRUE(ByteStatistics(encode(kRussian, "ibm-866")).is_ibm866());
  EXPECT_TRUE(ByteStatistics(encode(kBulgarian, "ibm-866")).is_ibm866());
  for (const Sample& other : kOthers)
    EXPECT_FALSE(ByteStatistics(encode(other.text, other.charset)).is_ibm866()) << other.charset;
  EXPECT_FALSE(ByteStatistics("").is_ibm866());
  EXPECT_FALSE(ByteStatistics(std::string(100, '\xa0')).is_ibm866()) << "blanks that do not break";
}

TEST(ByteStatistics, NoGuessHasBytesThatAreNoCharacters) {
  for (const Sample& other : kOthers) {
    for (const Charset charset :
         {Charset::kIso8859_2, Charset::kIso8859_5, Charset::kIso8859_6, Charset::kIso8859_7,
          Charset::kIso8859_8, Charset::kIso8859_8_I, Charset::kWindows1251, Charset::kWindows1252,
          Charset::kWindows1253, Charset::kWindows1255, Charset::kWindows1256}) {
      if (find_charset(other.charset) == charset) {
        EXPECT_TRUE(ByteStatistics(encode(other.text, other.charset)).may_be(charset)) << other.charset;
      }
    }
  }
  EXPECT_FALSE(ByteStatistics(encode(kArabic, "windows-1256")).may_be(Charset::kIso8859_6));
  EXPECT_FALSE(ByteStatistics(encode("Смотритель МАЯКА", "windows-1251")).may_be(Charset::kIso8859_8_I));
  EXPECT_FALSE(ByteStatistics(encode(kThai, "windows-874")).may_be(Charset::kIso8859_8));
}

// The table of unused bytes is what the decoders make of each byte alone.
TEST(ByteStatistics, KnowsTheBytesThatAreNoCharacters) {
  Transcoder transcoder;
  for (const Charset charset :
       {Charset::kIso8859_2, Charset::kIso8859_5, Charset::kIso8859_6, Charset::kIso8859_7,
        Charset::kIso8859_8, Charset::kIso8859_8_I, Charset::kWindows1253, Charset::kWindows1255}) {
    for (int byte = 0x80; byte < 0x100; ++byte) {
      const auto encoded = static_cast<uint8_t>(byte);
      Utf8Output out;
      ASSERT_TRUE(transcoder.append(charset, {&encoded, 1}, out));
      const std::string_view decoded = out.text();
      const bool is_control = decoded.size() == 2 && decoded[0] == '\xc2' && (decoded[1] & 0x60) == 0;
      const std::string text(1, static_cast<char>(byte));
      EXPECT_EQ(ByteStatistics(text).may_be(charset), decoded != "\ufffd" && !is_control)
          << charset_name(charset) << " " << std::hex << byte;
    }
  }
}

bool is_iso_2022_jp(std::string_view text) {
  return text::is_iso_2022_jp({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

TEST(Iso2022Jp, IsToldByItsEscapes) {
  const std::string japanese = encode("灯台守は毎日の天気を書き留めた。", "ISO-2022-JP");
  EXPECT_TRUE(is_iso_2022_jp("<p>" + japanese + "</p><p>" + japanese));
  EXPECT_TRUE(is_iso_2022_jp("<p>" + japanese.substr(0, japanese.size() - 4))) << "cut";
  EXPECT_TRUE(is_iso_2022_jp("\x1b$@0!0!0!0!\x1b(Jyen\x1b(B")) << "JIS of 1978";
  EXPECT_TRUE(is_iso_2022_jp("\x1b$B0!0!0!0!\nnext line"));
}

TEST(Iso2022Jp, OtherEscapesAreNot) {
  for (const std::string_view text : {""sv, "plain"sv, "\x1b[31mred\x1b[0m and \x1b[1mbold"sv,
                                      "\x1b$B0!0!0!\x1b(B"sv, "\x1b$B0!0!0!0!0\x01"sv, "\x1b$B0!0!0!0! <p>"sv,
                                      "\x1b$B0!0!0!0!\x1b[0m"sv, "\x1b"sv, "\x1b(B\x1b(B"sv}) {
    EXPECT_FALSE(is_iso_2022_jp(text)) << text;
  }
}

}  // namespace
}  // namespace nd::text
