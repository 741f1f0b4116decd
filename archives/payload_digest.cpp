// Brings digests to one spelling, whether in base 32 or hexadecimal, and drops those of empty payloads.
#include "archives/payload_digest.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>

#include "archives/header_fields.hpp"

namespace ndc {
namespace {

// The sizes of MD5, SHA-1, and SHA-2 of 224 to 512 bits.
constexpr size_t kDigestBytes[] = {16, 20, 28, 32, 48, 64};
constexpr std::string_view kDigestsOfNothing[] = {
    "d41d8cd98f00b204e9800998ecf8427e",
    "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "d14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da"
    "274edebfe76f65fbd51ad2f14898b95b",
    "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
    "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e",
};

bool is_digest_size(size_t bytes) {
  return std::find(std::begin(kDigestBytes), std::end(kDigestBytes), bytes) != std::end(kDigestBytes);
}

std::optional<unsigned> hex_value(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  return std::nullopt;
}

// RFC 4648, section 6.
std::optional<unsigned> base32_value(char c) {
  if (c >= 'a' && c <= 'z') return static_cast<unsigned>(c - 'a');
  if (c >= '2' && c <= '7') return static_cast<unsigned>(c - '2') + 26;
  return std::nullopt;
}

// In hexadecimal digits; empty if it is not in base32, or of no digest's size.
std::string hex_of_base32(std::string_view text) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  uint32_t bits = 0;
  unsigned count = 0;
  for (const char c : text) {
    const std::optional<unsigned> value = base32_value(c);
    if (!value) return {};
    bits = (bits << 5 | *value) & 0xfff;
    for (count += 5; count >= 4; count -= 4)
      hex += kDigits[bits >> (count - 4) & 15];
  }
  // What is left of the last letter fills up to whole bytes.
  hex.resize(hex.size() - hex.size() % 2);
  return is_digest_size(hex.size() / 2) ? hex : std::string();
}

}  // namespace

std::string canonical_digest(std::string_view digest) {
  digest = trimmed(digest.substr(digest.rfind(':') + 1));
  while (digest.ends_with('='))
    digest.remove_suffix(1);
  std::string lower(digest);
  for (char& c : lower)
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  const bool is_hex =
      lower.size() % 2 == 0 && is_digest_size(lower.size() / 2) &&
      std::all_of(lower.begin(), lower.end(), [](char c) { return hex_value(c).has_value(); });
  if (is_hex) return lower;
  std::string hex = hex_of_base32(lower);
  return hex.empty() ? std::string(digest) : hex;
}

bool is_digest_of_nothing(std::string_view canonical) {
  return std::find(std::begin(kDigestsOfNothing), std::end(kDigestsOfNothing), canonical) !=
         std::end(kDigestsOfNothing);
}

}  // namespace ndc
