#include "terminal_text.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>

namespace ndc {
namespace {

void append_escaped(unsigned char byte, std::string& out) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += "\\x";
  out += kDigits[byte >> 4];
  out += kDigits[byte & 15];
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if (byte < 0x20 || byte == 0x7F) {
      append_escaped(byte, out);
    } else if (byte == 0xC2 && next >= 0x80 && next < 0xA0) {
      // The second set of control characters, U+0080 to U+009F.
      append_escaped(byte, out);
      append_escaped(next, out);
      ++i;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string with_separators(uint64_t number) {
  std::string text = std::to_string(number);
  for (size_t at = text.size(); at > 3;) {
    at -= 3;
    text.insert(at, 1, ',');
  }
  return text;
}

std::string counted(uint64_t number, std::string_view noun) {
  return with_separators(number).append(" ").append(noun).append(number == 1 ? "" : "s");
}

std::string fixed(double number, int digits) {
  std::array<char, 400> text{};
  const auto [end, failure] =
      std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed, digits);
  return failure == std::errc() ? std::string(text.data(), end) : std::string("?");
}

std::string padded_right(std::string_view text, size_t width) {
  return std::string(text).append(width - std::min(width, text.size()), ' ');
}

std::string padded_left(std::string_view text, size_t width) {
  return std::string(width - std::min(width, text.size()), ' ').append(text);
}

void report(std::string_view text) {
  std::string line = "ndc: ";
  line += printable(text);
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

bool is_terminal(int descriptor) {
  return ::isatty(descriptor) == 1;
}

}  // namespace ndc
