#include "text/english_text.hpp"

#include <cstddef>
#include <cstdint>

namespace nd::text {
namespace {

constexpr size_t kLeastWords = 20;

constexpr bool is_letter(unsigned char c) noexcept {
  return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

// Quotes, dashes, dots, blanks and signs that the windows code pages of alphabets share, but for 0x80 in
// 1251.
constexpr bool is_shared_mark(unsigned char c) noexcept {
  return c == 0x80 || c == 0x85 || (c >= 0x91 && c <= 0x97) || c == 0x99 || c == 0xa0 || c == 0xa9 ||
         c == 0xab || c == 0xae || c == 0xb0 || c == 0xb7 || c == 0xbb;
}

// The letters of a word of up to four, folded to small ones.
constexpr uint32_t packed(std::string_view word) noexcept {
  uint32_t letters = 0;
  for (const char c : word)
    letters = letters << 8 | (static_cast<unsigned char>(c) | 0x20U);
  return letters;
}

constexpr bool is_telling(uint32_t word) noexcept {
  return word == packed("the") || word == packed("and") || word == packed("of");
}

}  // namespace

bool is_english_windows_1252(std::string_view text) noexcept {
  size_t words = 0;
  size_t telling = 0;
  size_t foreign = 0;
  for (size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    if (!is_letter(first)) {
      foreign += first >= 0x80 && !is_shared_mark(first);
      ++i;
      continue;
    }
    // Letters further back fall out of the word: "bathe" is told from "the" by its length.
    const size_t begin = i;
    uint32_t word = 0;
    for (; i < text.size() && is_letter(static_cast<unsigned char>(text[i])); ++i)
      word = word << 8 | (static_cast<unsigned char>(text[i]) | 0x20U);
    ++words;
    telling += i - begin <= 3 && is_telling(word);
  }
  return words >= kLeastWords && telling * 20 >= words && foreign * 16 <= words;
}

}  // namespace nd::text
