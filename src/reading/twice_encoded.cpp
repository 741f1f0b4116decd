// Maps the characters back to bytes and checks that they are UTF-8, before it writes any.
#include "reading/twice_encoded.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/utf8.hpp"
#include "reading/ascii.hpp"

namespace nd::text {
namespace {

constexpr size_t kLeastCharacters = 4;

// The characters of windows-1252 at 0x80 to 0x9F; 0 where it has none, and a control stands for the byte.
constexpr std::array<char16_t, 32> kWindows1252 = {
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};

// The byte that `c`, which is not ASCII, was taken from; 0 if none was.
unsigned char byte_of(char32_t c) noexcept {
  if (c <= 0xff) return static_cast<unsigned char>(c);
  for (size_t i = 0; i < kWindows1252.size(); ++i) {
    if (kWindows1252[i] == c) return static_cast<unsigned char>(0x80 + i);
  }
  return 0;
}

// The bytes that follow a lead byte; 0: it is none.
size_t bytes_that_follow(unsigned char lead) noexcept {
  if (lead < 0xc2 || lead > 0xf4) return 0;
  return lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
}

// Calls take(byte) for each byte of the text that was encoded twice. False at the first character that was
// not.
template <typename Take>
bool for_each_byte(std::string_view text, const Take& take) {
  size_t awaited = 0;
  for (size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      if (awaited != 0) return false;
      take(static_cast<unsigned char>(text[at++]));
      continue;
    }
    const unsigned char byte = byte_of(next_code_point(text, at));
    if (awaited == 0) {
      awaited = bytes_that_follow(byte);
      if (awaited == 0) return false;
    } else {
      if ((byte & 0xc0) != 0x80) return false;
      --awaited;
    }
    take(byte);
  }
  return awaited == 0;
}

}  // namespace

bool append_encoded_once(std::string_view text, Utf8Output& out) {
  const auto* const begin = reinterpret_cast<const uint8_t*>(text.data());
  bool has_nul = false;
  const auto plain = static_cast<size_t>(skip_ascii(begin, begin + text.size(), has_nul) - begin);
  const std::string_view rest = text.substr(plain);
  if (!for_each_byte(rest, [](unsigned char) {})) return false;
  char* const copy = out.reserve(text.size());
  char* end = std::copy(text.begin(), text.begin() + static_cast<ptrdiff_t>(plain), copy);
  for_each_byte(rest, [&end](unsigned char byte) { *end++ = static_cast<char>(byte); });
  const auto* const bytes = reinterpret_cast<const uint8_t*>(copy);
  const Utf8Scan scan = scan_utf8({bytes, static_cast<size_t>(end - copy)});
  if (scan.malformed_count != 0 || scan.cut_bytes != 0 || scan.sequence_count < kLeastCharacters)
    return false;
  out.set_end(end);
  return true;
}

}  // namespace nd::text
