// Fills a page up to its size with a repeated or random piece.
#include "hostile_page_text.hpp"

namespace ndc::bench {

std::string utf8_of(uint32_t character) {
  std::string out;
  if (character < 0x80) {
    out += static_cast<char>(character);
  } else if (character < 0x800) {
    out += static_cast<char>(0xc0 | character >> 6);
    out += static_cast<char>(0x80 | (character & 0x3f));
  } else {
    out += static_cast<char>(0xe0 | character >> 12);
    out += static_cast<char>(0x80 | (character >> 6 & 0x3f));
    out += static_cast<char>(0x80 | (character & 0x3f));
  }
  return out;
}

std::string random_word(Random& random) {
  std::string word;
  for (size_t size = 2 + random() % 9; size != 0; --size)
    word += static_cast<char>('a' + random() % 26);
  return word;
}

std::string halves(size_t bytes, unsigned variant, std::string_view first, std::string_view second) {
  PageText page(bytes, variant);
  page.repeat(first, page.left() / 2);
  page.repeat(second);
  return page.take();
}

std::string flood(size_t bytes, unsigned variant, std::string_view before, std::string_view piece) {
  PageText page(bytes, variant);
  page.add(before);
  page.repeat(piece);
  return page.take();
}

}  // namespace ndc::bench
