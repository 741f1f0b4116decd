// The normal form: what is folded, what stays, and that it is what ICU makes.
#include "words/normalize.hpp"

#include <gtest/gtest.h>
#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>

#include <chrono>
#include <string>

#include "random_text.hpp"
#include "words/persian_affixes.hpp"
#include "words/spelling.hpp"

namespace nd::text {
namespace {

class NormalizeTest : public ::testing::Test {
 protected:
  std::string normalized(std::string_view text) {
    String out;
    normalizer_.append(text, out);
    return std::string(out);
  }

  Normalizer normalizer_ = *Normalizer::create();
};

bool is_folded_to_space(char32_t c) {
  return c <= 0x20 || (c >= 0x7f && c <= 0xa0) || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) ||
         c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

// With a space in place of each zero-width non-joiner that parts two Arabic letters.
std::string with_parted_words(const std::string& text) {
  std::string parted;
  char32_t before = 0;  // the last character that is not left out
  for (size_t position = 0; position < text.size();) {
    const char32_t c = next_code_point(text, position);
    size_t behind = position;
    while (text.compare(behind, 3, "\u200c") == 0)
      behind += 3;
    size_t at = behind;
    if (c == 0x200c && is_arabic(before) && at < text.size() && is_arabic_letter(next_code_point(text, at))) {
      parted += ' ';
      before = ' ';
      position = behind;
      continue;
    }
    if (spelling(c) != kLeftOut) before = c;
    append_utf8(parted, c);
  }
  return parted;
}

// ICU over the whole text, then spelling, white space and affixes.
std::string oracle(const std::string& text) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* icu_normalizer = icu::Normalizer2::getNFKCCasefoldInstance(status);
  std::string form;
  icu::StringByteSink<std::string> sink(&form);
  icu_normalizer->normalizeUTF8(0, with_parted_words(text), sink, nullptr, status);
  EXPECT_TRUE(U_SUCCESS(status));
  std::string folded;
  bool left_out = false;
  for (size_t position = 0; position < form.size();) {
    const char32_t c = next_code_point(form, position);
    left_out = spelling(c) == kLeftOut ||
               (left_out && icu_normalizer->hasBoundaryBefore(static_cast<UChar32>(c)) == 0);
    if (left_out) continue;
    if (!is_folded_to_space(c)) {
      append_utf8(folded, spelling(c));
    } else if (!folded.empty() && folded.back() != ' ') {
      folded += ' ';
    }
  }
  if (!folded.empty() && folded.back() == ' ') folded.pop_back();
  folded.resize(static_cast<size_t>(join_persian_affixes(folded.data(), folded.data() + folded.size()) -
                                    folded.data()));
  return folded;
}

TEST_F(NormalizeTest, FoldsCase) {
  EXPECT_EQ(normalized("Hello WORLD @[`{"), "hello world @[`{");
  EXPECT_EQ(normalized("ÄÖÜ ẞß Ж Σς ǅ"), "äöü ssss ж σσ dž");
  EXPECT_EQ(normalized("İI"), "i\u0307i");
}

TEST_F(NormalizeTest, FoldsWhiteSpaceAndControls) {
  EXPECT_EQ(normalized(" \t a\r\n\n  b\u00a0\u3000c\u2028d\u0085e\x01 \x7f"
                       "f "),
            "a b c d e f");
  EXPECT_EQ(normalized("  \n\u3000 "), "");
  EXPECT_EQ(normalized(""), "");
  EXPECT_EQ(normalized(std::string_view("a\0b", 3)), "a b");
}

TEST_F(NormalizeTest, FoldsCompatibilityForms) {
  EXPECT_EQ(normalized("ＡＢＣ，１２３！"), "abc,123!");
  EXPECT_EQ(normalized("ﬁn… ½ ㎡ ㍿"), "fin... 1⁄2 m2 株式会社");
  EXPECT_EQ(normalized("ｶﾞｷﾞ ﾊﾟ ｡"), "ガギ パ 。");
}

TEST_F(NormalizeTest, RemovesDefaultIgnorables) {
  EXPECT_EQ(normalized("so\u00adft\u200b hy\u200dphen\ufeff"), "soft hyphen");
}

TEST_F(NormalizeTest, FoldsSpellingsThatReadersTakeForOne) {
  EXPECT_EQ(normalized("الـعـربيـة"), normalized("العربية"));
  EXPECT_EQ(normalized("كَتَبَ الوَلَدُ رِسالَةً"), normalized("كتب الولد رسالة"));
  EXPECT_EQ(normalized("هٰذا ٱلكتاب"), normalized("هذا الكتاب"));
  EXPECT_EQ(normalized("كتابهاي ملي"), "کتابهای ملی");
  EXPECT_EQ(normalized("خانهٔ خانۀ"), "خانه خانه");
  EXPECT_EQ(normalized("یہ ہے"), "یه هے");
  EXPECT_EQ(normalized("שָׁלוֹם עֹ֥שֶׂה"), "שלום עשה");
  EXPECT_EQ(normalized("\ufe8d\ufedf\ufecc\ufeae\ufe91\ufef2"), normalized("العربي"));
  EXPECT_EQ(normalized("\ufb2a\ufb4b"), "שו");
}

// Other words: they differ by a letter that is read.
TEST_F(NormalizeTest, KeepsLettersThatAreRead) {
  for (const auto& [one, other] : {std::pair{"على", "علي"},
                                   {"أن", "ان"},
                                   {"إن", "أن"},
                                   {"آن", "ان"},
                                   {"مدرسة", "مدرسه"},
                                   {"لڑکے", "لڑکی"},
                                   {"بھائی", "بہائی"},
                                   {"ڪ", "ک"},
                                   {"ەوە", "ەوه"},
                                   {"سؤال", "سوال"}}) {
    EXPECT_NE(normalized(one), normalized(other)) << one;
  }
  EXPECT_EQ(normalized("ا\u0653ن ا\u0654ن و\u0654 ي\u0654"), "آن أن ؤ ئ");
  EXPECT_EQ(normalized("أَ ا\u064e\u0654"), "أ أ") << "composed across a sign that is left out";
}

TEST_F(NormalizeTest, PartsPersianWordsAtTheNonJoiner) {
  EXPECT_EQ(normalized("پیش\u200cگفتار"), "پیش گفتار");
  EXPECT_EQ(normalized("پیش\u200c\u200cگفتار پیش\u200c گفتار"), "پیش گفتار پیش گفتار");
  EXPECT_EQ(normalized("پیشِ\u200cگفتار پیش\u200cِگفتار"), "پیش گفتار پیشگفتار");
  EXPECT_EQ(normalized("کتاب\u200c، a\u200cb का\u094d\u200cष کتاب\u200ca"), "کتاب، ab का\u094dष کتابa");
  EXPECT_EQ(normalized("\u200cکتاب\u200c"), "کتاب");
}

TEST_F(NormalizeTest, PersianAffixesAreSpeltInOneWay) {
  for (const char* text : {"می\u200cشود", "می شود", "میشود", "مي\u00a0شود", "می  شود", "مـی\n شود"})
    EXPECT_EQ(normalized(text), "میشود") << text;
  for (const char* text : {"«کتاب\u200cهای»", "«کتاب های»", "«کتابهای»", "«كتاب\u00a0هاي»"})
    EXPECT_EQ(normalized(text), "«کتابهای»") << text;
}

TEST_F(NormalizeTest, LeavesOutWhatAttachesToWhatIsLeftOut) {
  for (const char* text : {"e\u0640\u0301", "e\u0610\u0301", "\u1100\u0640\u1161", "\u0627\u0640\u0653",
                           "e\u064b\u200c\u0301", "\u0627\u0301\u200c\u0323", "\u0640", "\u064b \u0653"}) {
    const std::string form = normalized(text);
    EXPECT_EQ(form, oracle(text)) << text;
    EXPECT_EQ(normalized(form), form) << text;
  }
}

TEST_F(NormalizeTest, ComposesAcrossTheFastPath) {
  EXPECT_EQ(normalized("cafe\u0301 E\u0301 \u0301"), "café é \u0301");
  EXPECT_EQ(normalized("か\u3099"), "が");
  EXPECT_EQ(normalized("가\u11a8"), "각");
  EXPECT_EQ(normalized("e\u00ad\u0301"), "é");
  EXPECT_EQ(normalized("Ｅ\u0301"), "é");
}

TEST_F(NormalizeTest, KeepsTheReplacementCharacter) {
  EXPECT_EQ(normalized("a\ufffdb"), "a\ufffdb");
}

TEST_F(NormalizeTest, AppendsToWhatIsThere) {
  String out = "begin ";
  normalizer_.append(" A ", out);
  EXPECT_EQ(out, "begin a");
  normalizer_.append("\u0301", out);
  EXPECT_EQ(out, "begin a\u0301");
}

TEST_F(NormalizeTest, EqualsIcuOnEveryCharacter) {
  std::string text;
  for (char32_t c = 1; c < 0x110000; ++c) {
    if (c == 0xd800) c = 0xe000;
    for (const char* context : {"", "e", "\u304b", "\uac00"}) {
      if (context[0] != '\0' && c >= 0x3400 && (c >> 8) != 0xff) continue;
      text += context;
      append_utf8(text, c);
      text += " ";
    }
    if (text.size() < 4000 && c != 0x10ffff) continue;
    ASSERT_EQ(normalized(text), oracle(text)) << "before U+" << std::hex << static_cast<uint32_t>(c);
    text.clear();
  }
}

TEST_F(NormalizeTest, EqualsIcuOnRandomText) {
  RandomText random(1, mixed_alphabets());
  for (int round = 0; round < 10000; ++round) {
    const std::string text = random(round % 100 == 0 ? 2000 : 40);
    const std::string form = normalized(text);
    ASSERT_EQ(form, oracle(text)) << text;
    ASSERT_EQ(normalized(form), form) << text;
  }
}

TEST_F(NormalizeTest, EqualsIcuAtEveryOffsetOfTheWord) {
  for (const std::string odd : {"\u0301", "  ", "\n", "Q", "ü", "的", "…", "\x7f"}) {
    for (size_t before = 0; before < 20; ++before) {
      for (size_t after = 0; after < 12; ++after) {
        const std::string text = std::string(before, 'A') + odd + std::string(after, 'z');
        ASSERT_EQ(normalized(text), oracle(text));
      }
    }
  }
}

TEST_F(NormalizeTest, EqualsIcuOnLongRunsWithoutSimpleCharacters) {
  for (const char* unit : {"\U0001f600", "\ufdfa", "\ufb01", "\U0001d400\u0301", "\u1100\u1161\u11a8"}) {
    std::string text;
    for (int i = 0; i < 3000; ++i)
      text += unit;
    ASSERT_EQ(normalized(text), oracle(text));
  }
}

TEST_F(NormalizeTest, CutsEndlessSequencesOfMarks) {
  std::string text = "a";
  for (int i = 0; i < 100000; ++i)
    text += i % 2 == 0 ? "\u0344" : "\u0323";
  text += "\u00adb";
  const std::string form = normalized(text);
  EXPECT_LE(form.size(), 2 + 65 * 2);
  EXPECT_EQ(form.back(), 'b');
  EXPECT_EQ(normalized(form), form);
}

TEST_F(NormalizeTest, IsIdempotentOnEndlessSequences) {
  RandomText random(5,
                    {U"\u0344\u0323\u0301\u0345\u05b0\u3099", U"\u1161\u11a8\u00ad\u200d\u1175", U"\u0344"});
  for (int round = 0; round < 300; ++round) {
    const std::string form = normalized("e" + random(300) + "\u1ebf\u0323" + random(300));
    ASSERT_EQ(normalized(form), form);
  }
}

TEST_F(NormalizeTest, TakesLinearTimeOnHostileText) {
  const auto began = std::chrono::steady_clock::now();
  for (const char* unit : {"\u0344", "a\u0323\u0301", "\u00ad", "\u11a8", "\u3099", "\U000e0100", "\ufdfa",
                           " \n", "\u0640", "\u0627\u064e", "\u0627\u200c", "\u064e\u200c"}) {
    std::string text;
    while (text.size() < 300000)
      text += unit;
    const std::string form = normalized(text);
    EXPECT_EQ(normalized(form), form);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(20));
}

TEST_F(NormalizeTest, SurvivesMalformedText) {
  std::mt19937 random(2);
  for (int round = 0; round < 20000; ++round) {
    std::string text(random() % 24, '\0');
    for (char& c : text)
      c = static_cast<char>(random() % 3 == 0 ? 'a' : 0x80 + random() % 0x80);
    const std::string form = normalized(text);
    ASSERT_LE(form.size(), text.size() * 11);
  }
}

}  // namespace
}  // namespace nd::text
