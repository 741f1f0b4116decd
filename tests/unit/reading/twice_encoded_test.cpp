// Text that was encoded twice is found, and other text is left alone.
#include "reading/twice_encoded.hpp"

#include <gtest/gtest.h>

#include <string>

#include "core/utf8.hpp"

namespace nd::text {
namespace {

// Each byte taken for a character: of ISO 8859-1, or of windows-1252 where that has one.
std::string encoded_again(std::string_view text, bool is_windows) {
  constexpr std::u32string_view kWindows1252 = U"€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    append_utf8(encoded, is_windows && byte >= 0x80 && byte < 0xa0 ? kWindows1252[byte - 0x80U] : byte);
  }
  return encoded;
}

std::string encoded_once(std::string_view text) {
  Utf8Output out;
  out.append("before ");
  const bool is_twice = append_encoded_once(text, out);
  const std::string all(out.text());
  EXPECT_EQ(all.substr(0, 7), "before ");
  EXPECT_EQ(is_twice, all.size() > 7);
  return all.substr(7);
}

TEST(TwiceEncoded, IsDecoded) {
  for (const std::string text : {"Größe, Maße und übergroße Öfen", "灯塔看守人每天记录天气 abc",
                                 "<p>Он записывал погоду", "“quoted” – it’s “good”", "😀😀😀 é"}) {
    EXPECT_EQ(encoded_once(encoded_again(text, true)), text);
    EXPECT_EQ(encoded_once(encoded_again(text, false)), text);
  }
}

TEST(TwiceEncoded, OtherTextIsLeft) {
  const std::string twice = encoded_again("Größe, Maße und Öfen", true);
  for (const std::string& text :
       {std::string(), std::string("plain"), std::string("Größe, Maße und übergroße Öfen"),
        std::string("灯塔"), encoded_again("äöü", true), twice + " é", "© " + twice, twice + "Ã",
        twice + "Ã(", twice + encoded_again("\xed\xa0\x80", false), twice + "\u4e2d", twice + "\ufffd"}) {
    EXPECT_EQ(encoded_once(text), "") << text;
  }
}

}  // namespace
}  // namespace nd::text
