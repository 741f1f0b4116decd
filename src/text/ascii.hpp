// ASCII characters as HTML's syntax sees them, whatever the locale.
#pragma once

namespace nd::text {

constexpr char ascii_lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

constexpr bool is_ascii_space(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

constexpr bool is_ascii_letter(char c) noexcept {
  return ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z';
}

}  // namespace nd::text
