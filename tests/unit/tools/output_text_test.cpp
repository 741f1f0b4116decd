// Text in outputs: every character, no surrogate, one spelling.
#include "output_text.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ndc::test {
namespace {

// As RFC 3629 counts: by the number, not by a table of bytes.
std::string encoded(uint32_t point) {
  const auto tail = [&](int shift) { return static_cast<char>(0x80 | ((point >> shift) & 0x3F)); };
  if (point < 0x80) return {static_cast<char>(point)};
  if (point < 0x800) return {static_cast<char>(0xC0 | point >> 6), tail(0)};
  if (point < 0x10000) return {static_cast<char>(0xE0 | point >> 12), tail(6), tail(0)};
  return {static_cast<char>(0xF0 | point >> 18), tail(12), tail(6), tail(0)};
}

TEST(Utf8Sequence, HasEveryCharacterAndNoSurrogate) {
  for (uint32_t point = 0; point < 0x200000; ++point) {
    const std::string bytes = encoded(point);
    const bool character = point <= 0x10FFFF && (point < 0xD800 || point > 0xDFFF);
    ASSERT_EQ(utf8_sequence(bytes), character ? bytes.size() : 0) << point;
    ASSERT_EQ(utf8_sequence(bytes + "\x80"), character ? bytes.size() : 0) << point;
    for (size_t cut = 1; cut < bytes.size(); ++cut)
      ASSERT_EQ(utf8_sequence(bytes.substr(0, cut)), 0U) << point;
  }
}

TEST(Utf8Sequence, HasOneWayToWriteACharacter) {
  for (const char* bytes :
       {"\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xE0\x9F\xBF", "\xF0\x80\x80\x80", "\xF0\x8F\xBF\xBF",
        "\x80", "\xBF", "\xFE", "\xFF", "\xC3\x28", "\xE2\x28\xA1", "\xF8\x88\x80\x80\x80"})
    EXPECT_EQ(utf8_sequence(bytes), 0U);
  EXPECT_EQ(utf8_sequence(""), 0U);
}

}  // namespace
}  // namespace ndc::test
