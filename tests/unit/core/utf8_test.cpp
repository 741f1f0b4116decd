// UTF-8: widths, cuts between characters, malformed bytes, and the table of well-formed sequences.
#include "core/utf8.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace nd {
namespace {

// Character by character, of well-formed text and of any bytes.
TEST(Utf8, TheWidthOfATextIsTheSumOfItsCharacters) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (uint64_t i = random() % 40; i > 0; --i) {
      const uint64_t kind = random() % 8;
      if (kind < 4) text.append(random() % 12, 'a');
      if (kind == 4) append_utf8(text, static_cast<char32_t>(0x2f00 + random() % 0x7200));
      if (kind == 5) append_utf8(text, static_cast<char32_t>(0x80 + random() % 0xd700));
      if (kind == 6) append_utf8(text, static_cast<char32_t>(0x10000 + random() % 0x40000));
      if (kind == 7 && round % 2 == 0) text.push_back(static_cast<char>(random()));
    }
    uint32_t sum = 0;
    for (size_t position = 0; position < text.size();)
      sum += width(next_code_point(text, position));
    ASSERT_EQ(width(text), sum) << round;
  }
}

TEST(Utf8, ATextIsCutBetweenCharacters) {
  EXPECT_EQ(whole_characters("a\u4e2d\u00e9", 7), "a\u4e2d\u00e9");
  EXPECT_EQ(whole_characters("a\u4e2d\u00e9", 6), "a\u4e2d\u00e9");
  EXPECT_EQ(whole_characters("a\u4e2d\u00e9", 5), "a\u4e2d");
  EXPECT_EQ(whole_characters("a\u4e2d\u00e9", 4), "a\u4e2d");
  EXPECT_EQ(whole_characters("a\u4e2d\u00e9", 3), "a");
  EXPECT_EQ(whole_characters("a\u4e2d\u00e9", 1), "a");
  EXPECT_EQ(whole_characters("\u4e2d", 2), "");
}

std::vector<char32_t> decoded(std::string_view text) {
  std::vector<char32_t> code_points;
  for (size_t position = 0; position < text.size();)
    code_points.push_back(next_code_point(text, position));
  return code_points;
}

// The bit patterns of UTF-8 written out; a pattern that does not match costs one byte. Like the fast code it
// takes the overlong three- and four-byte forms and the surrogates, which the decoder never lets through.
std::vector<char32_t> decoded_by_pattern(std::string_view text) {
  std::vector<char32_t> code_points;
  const auto byte = [&](size_t at) -> uint32_t {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
  };
  for (size_t i = 0; i < text.size();) {
    const uint32_t a = byte(i), b = byte(i + 1), c = byte(i + 2), d = byte(i + 3);
    const bool b_follows = b >= 0x80 && b <= 0xbf, c_follows = c >= 0x80 && c <= 0xbf;
    const bool d_follows = d >= 0x80 && d <= 0xbf;
    size_t length = 1;
    char32_t code_point = 0xfffd;
    if (a <= 0x7f) {
      code_point = a;
    } else if (a >= 0xc2 && a <= 0xdf && b_follows) {
      length = 2;
      code_point = (a - 0xc0) * 0x40 + (b - 0x80);
    } else if (a >= 0xe0 && a <= 0xef && b_follows && c_follows) {
      length = 3;
      code_point = ((a - 0xe0) * 0x40 + (b - 0x80)) * 0x40 + (c - 0x80);
    } else if (a >= 0xf0 && a <= 0xf4 && b_follows && c_follows && d_follows) {
      length = 4;
      code_point = (((a - 0xf0) * 0x40 + (b - 0x80)) * 0x40 + (c - 0x80)) * 0x40 + (d - 0x80);
    }
    code_points.push_back(code_point);
    i += length;
  }
  return code_points;
}

TEST(Utf8, ReadsOneToFourBytes) {
  EXPECT_EQ(decoded("aé中😀"), (std::vector<char32_t>{'a', 0xe9, 0x4e2d, 0x1f600}));
  EXPECT_EQ(decoded(std::string_view("\0b", 2)), (std::vector<char32_t>{0, 'b'}));
  EXPECT_TRUE(decoded("").empty());
}

TEST(Utf8, SkipsMalformedBytesOneByOne) {
  EXPECT_EQ(decoded("\x80z"), (std::vector<char32_t>{0xfffd, 'z'}));
  EXPECT_EQ(decoded("\xc0\xaf"), (std::vector<char32_t>{0xfffd, 0xfffd}));
  EXPECT_EQ(decoded("\xe4\xb8"), (std::vector<char32_t>{0xfffd, 0xfffd}));
  EXPECT_EQ(decoded("\xe4z\xb8"), (std::vector<char32_t>{0xfffd, 'z', 0xfffd}));
  EXPECT_EQ(decoded("\xf0\x9f\x98"), (std::vector<char32_t>{0xfffd, 0xfffd, 0xfffd}));
  EXPECT_EQ(decoded("\xf5\xff"), (std::vector<char32_t>{0xfffd, 0xfffd}));
}

TEST(Utf8, EqualsThePatternsOnAllPairsOfBytes) {
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      const std::string text = {static_cast<char>(a), static_cast<char>(b)};
      ASSERT_EQ(decoded(text), decoded_by_pattern(text)) << a << " " << b;
    }
  }
}

TEST(Utf8, EqualsThePatternsOnRandomBytes) {
  std::mt19937 random(1);
  for (int round = 0; round < 200000; ++round) {
    std::string text(random() % 7, '\0');
    for (char& c : text)
      c = static_cast<char>(random() % 2 == 0 ? random() % 256 : 0x80 + random() % 0x40);
    if (!text.empty() && random() % 2 == 0) text[0] = static_cast<char>(0xc0 + random() % 0x38);
    ASSERT_EQ(decoded(text), decoded_by_pattern(text));
  }
}

TEST(Utf8, ReadsBackWhatItWrites) {
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (c == 0xd800) c = 0xe000;
    std::string text;
    append_utf8(text, c);
    size_t position = 0;
    ASSERT_EQ(next_code_point(text, position), c);
    ASSERT_EQ(position, text.size());
    ASSERT_EQ(text.size(), c < 0x80 ? 1U : c < 0x800 ? 2U : c < 0x10000 ? 3U : 4U);
  }
}

TEST(Utf8, CountsEastAsianCharactersTwice) {
  EXPECT_EQ(width(""), 0U);
  EXPECT_EQ(width("abc déf"), 7U);
  EXPECT_EQ(width("中文,abc。"), 2U + 2 + 1 + 3 + 2);
  EXPECT_EQ(width("カナ한국Ａ￥"), 12U);
  EXPECT_EQ(width("\U00020000\U0001f600"), 3U);
  EXPECT_EQ(width("ｶ…“”"), 4U);
}

TEST(Utf8, DrawsTheEdgesOfTheWideBlocks) {
  for (const uint32_t wide : {0x1100U, 0x115fU, 0x2e80U, 0x3000U, 0xa4cfU, 0xac00U, 0xd7a3U, 0xf900U, 0xfaffU,
                              0xff01U, 0xff60U, 0xffe0U, 0xffe6U, 0x20000U, 0x3fffdU}) {
    EXPECT_TRUE(is_wide(wide)) << std::hex << wide;
  }
  for (const uint32_t narrow :
       {0x0U, 0x10ffU, 0x1160U, 0x2e7fU, 0xa4d0U, 0xabffU, 0xd7a4U, 0xf8ffU, 0xfb00U, 0xff00U, 0xff61U,
        0xffdfU, 0xffe7U, 0x1f600U, 0x1ffffU, 0x3fffeU, 0x10ffffU}) {
    EXPECT_FALSE(is_wide(narrow)) << std::hex << narrow;
  }
}

}  // namespace
}  // namespace nd
