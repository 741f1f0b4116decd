// Escapes what could move the cursor or turn the direction of text, and formats numbers for reading.
#include "terminal_text.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <iterator>

namespace ndc {
namespace {

void append_escaped(unsigned char byte, std::string& out) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += "\\x";
  out += kDigits[byte >> 4];
  out += kDigits[byte & 15];
}

// A character with the property Bidi_Control: with them, text can be shown in another order than it has.
struct DirectionControl {
  std::string_view bytes;
  std::string_view code;
};

constexpr DirectionControl kDirectionControls[] = {
    {"\xD8\x9C", "\\u061c"},     {"\xE2\x80\x8E", "\\u200e"}, {"\xE2\x80\x8F", "\\u200f"},
    {"\xE2\x80\xAA", "\\u202a"}, {"\xE2\x80\xAB", "\\u202b"}, {"\xE2\x80\xAC", "\\u202c"},
    {"\xE2\x80\xAD", "\\u202d"}, {"\xE2\x80\xAE", "\\u202e"}, {"\xE2\x81\xA6", "\\u2066"},
    {"\xE2\x81\xA7", "\\u2067"}, {"\xE2\x81\xA8", "\\u2068"}, {"\xE2\x81\xA9", "\\u2069"}};

// NULL: none of them begins here.
const DirectionControl* direction_control(std::string_view text) {
  const auto found =
      std::find_if(std::begin(kDirectionControls), std::end(kDirectionControls),
                   [text](const DirectionControl& each) { return text.starts_with(each.bytes); });
  return found == std::end(kDirectionControls) ? nullptr : found;
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
    } else if (const DirectionControl* control = byte < 0xD8 ? nullptr : direction_control(text.substr(i))) {
      out += control->code;
      i += control->bytes.size() - 1;
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

void print_message(std::string_view text) {
  if (text == kReaderHasLeft) return;
  std::string line = "ndc: ";
  line += printable(text);
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

bool is_terminal(int descriptor) {
  return ::isatty(descriptor) == 1;
}

}  // namespace ndc
