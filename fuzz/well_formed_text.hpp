// Whether bytes are UTF-8, by the Unicode Standard's table 3-7 and by no code of the library's: what it
// writes is checked with this.
#pragma once

#include <cstddef>
#include <string_view>

namespace nd::fuzz {

// The length of the well-formed sequence at the front; 0: there is none.
inline size_t leading_sequence(std::string_view text) noexcept {
  const auto byte = [&](size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U; };
  const auto follows = [&](size_t at, unsigned least, unsigned most) {
    return byte(at) >= least && byte(at) <= most;
  };
  const unsigned lead = byte(0);
  if (text.empty()) return 0;
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return follows(1, 0x80, 0xbf) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) {
    const bool second = follows(1, lead == 0xe0 ? 0xa0 : 0x80, lead == 0xed ? 0x9f : 0xbf);
    return second && follows(2, 0x80, 0xbf) ? 3 : 0;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    const bool second = follows(1, lead == 0xf0 ? 0x90 : 0x80, lead == 0xf4 ? 0x8f : 0xbf);
    return second && follows(2, 0x80, 0xbf) && follows(3, 0x80, 0xbf) ? 4 : 0;
  }
  return 0;
}

inline bool is_well_formed_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const size_t length = leading_sequence(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

// The same without NUL bytes: what the decoder promises.
inline bool is_clean_text(std::string_view text) noexcept {
  return text.find('\0') == std::string_view::npos && is_well_formed_utf8(text);
}

}  // namespace nd::fuzz
