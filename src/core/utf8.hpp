// Code points of well-formed UTF-8, and the width in which the LCS partition counts text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace nd {

// Reads the code point at `position` and moves behind it. The text must be well formed (the decoder's output
// is); a malformed byte is returned as U+FFFD and skipped alone, never read past the end.
inline char32_t next_code_point(std::string_view text, size_t& position) noexcept {
  const auto byte = [&](size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char lead = byte(position);
  if (lead < 0x80) return text[position++] & 0x7f;
  const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || position + length > text.size()) {
    ++position;
    return U'\uFFFD';
  }
  char32_t code_point = lead & (0xffU >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    const unsigned char follow = byte(position + i);
    if ((follow & 0xc0) != 0x80) {
      ++position;
      return U'\uFFFD';
    }
    code_point = (code_point << 6) | (follow & 0x3fU);
  }
  position += length;
  return code_point;
}

constexpr bool is_scalar_value(char32_t c) noexcept {
  return c <= 0x10ffff && (c < 0xd800 || c > 0xdfff);
}

// Appends the UTF-8 form of a scalar value (at most 4 bytes) to any container of char.
template <typename Container>
void append_utf8(Container& out, char32_t code_point) {
  const auto put = [&](char32_t byte) { out.push_back(static_cast<char>(static_cast<unsigned char>(byte))); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xc0 | (code_point >> 6));
    put(0x80 | (code_point & 0x3f));
  } else if (code_point < 0x10000) {
    put(0xe0 | (code_point >> 12));
    put(0x80 | ((code_point >> 6) & 0x3f));
    put(0x80 | (code_point & 0x3f));
  } else {
    put(0xf0 | (code_point >> 18));
    put(0x80 | ((code_point >> 12) & 0x3f));
    put(0x80 | ((code_point >> 6) & 0x3f));
    put(0x80 | (code_point & 0x3f));
  }
}

// The longest prefix of at most `limit` bytes that splits no character.
inline std::string_view whole_characters(std::string_view text, size_t limit) noexcept {
  if (text.size() <= limit) return text;
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xc0) == 0x80)
    --limit;
  return text.substr(0, limit);
}

// East Asian scripts whose characters are two bytes in GBK, Big5, Shift_JIS and EUC-KR: ideographs, kana,
// Hangul, CJK punctuation, full-width forms.
constexpr bool is_wide(char32_t c) noexcept {
  return c >= 0x1100 &&
         (c <= 0x115f || (c >= 0x2e80 && c <= 0xa4cf) || (c >= 0xa960 && c <= 0xa97c) ||
          (c >= 0xac00 && c <= 0xd7a3) || (c >= 0xf900 && c <= 0xfaff) || (c >= 0xfe30 && c <= 0xfe6f) ||
          (c >= 0xff01 && c <= 0xff60) || (c >= 0xffe0 && c <= 0xffe6) || (c >= 0x20000 && c <= 0x3fffd));
}

// The unit of all lengths of the LCS partition (TR2007012 counts GBK bytes): 2 for a wide character, else 1.
constexpr uint32_t width(char32_t c) noexcept {
  return is_wide(c) ? 2 : 1;
}

inline uint32_t width(std::string_view text) noexcept {
  constexpr uint64_t kHighBits = 0x8080808080808080ULL;
  const auto byte = [&](size_t at) { return static_cast<unsigned char>(text[at]); };
  uint32_t sum = 0;
  for (size_t position = 0; position < text.size();) {
    uint64_t bytes;
    if (text.size() - position >= sizeof bytes) {
      std::memcpy(&bytes, text.data() + position, sizeof bytes);
      if ((bytes & kHighBits) == 0) {
        sum += sizeof bytes;
        position += sizeof bytes;
        continue;
      }
    }
    // U+3000 to U+9FFF, all of them wide.
    while (text.size() - position >= 3 && byte(position) >= 0xe3 && byte(position) <= 0xe9 &&
           (byte(position + 1) & 0xc0) == 0x80 && (byte(position + 2) & 0xc0) == 0x80) {
      sum += 2;
      position += 3;
    }
    if (position < text.size()) sum += width(next_code_point(text, position));
  }
  return sum;
}

}  // namespace nd
