#include "text/utf16_scan.hpp"

#include <algorithm>
#include <cstddef>

namespace nd::text {
namespace {

constexpr size_t kScannedBytes = 8192;

// What the units are, read in one of the two byte orders.
struct Units {
  size_t count = 0;
  size_t ascii = 0;      // U+0001..U+007F
  size_t cjk = 0;        // U+3000..U+9FFF, U+AC00..U+D7A3, full-width forms
  size_t malformed = 0;  // unpaired surrogates, zeros and noncharacters
};

bool is_cjk(uint32_t unit) noexcept {
  return (unit >= 0x3000 && unit <= 0x9fff) || (unit >= 0xac00 && unit <= 0xd7a3) ||
         (unit >= 0xff00 && unit <= 0xffef);
}

Units count_units(std::span<const uint8_t> bytes, bool is_big_endian) noexcept {
  Units units;
  bool awaits_low = false;
  for (size_t i = 0; i + 1 < bytes.size(); i += 2) {
    const uint32_t unit = is_big_endian ? static_cast<uint32_t>(bytes[i] << 8 | bytes[i + 1])
                                        : static_cast<uint32_t>(bytes[i + 1] << 8 | bytes[i]);
    ++units.count;
    const bool is_low = (unit & 0xfc00) == 0xdc00;
    if (awaits_low != is_low || unit == 0 || unit >= 0xfffe) ++units.malformed;
    awaits_low = (unit & 0xfc00) == 0xd800;
    if (unit != 0 && unit < 0x80) ++units.ascii;
    if (is_cjk(unit)) ++units.cjk;
  }
  return units;
}

bool is_well_formed(const Units& units) noexcept {
  return units.malformed * 100 <= units.count;
}

// ASCII tells the byte order best, since its zeros stand at one parity; alphabets (Cyrillic 0430 is the
// ideograph 3004 the other way round) and ideographs (4E00 is the letter N) deceive.
size_t score(const Units& units) noexcept {
  return 8 * units.ascii + units.cjk;
}

}  // namespace

std::optional<Charset> detect_utf16(std::span<const uint8_t> bytes, bool is_declared,
                                    bool is_other_text) noexcept {
  const auto prefix = bytes.first(std::min(bytes.size(), kScannedBytes));
  const Units little = count_units(prefix, false);
  const Units big = count_units(prefix, true);
  const bool is_big = score(big) > score(little);
  const Units& best = is_big ? big : little;
  const Units& other = is_big ? little : big;
  const size_t least_permille = is_declared && !is_other_text ? 5 : 100;
  const size_t least = is_declared ? 1 : 4;
  if (!is_well_formed(best) || best.ascii < least || best.ascii * 1000 < best.count * least_permille) {
    return std::nullopt;
  }
  // Zeros at both parities are stray NULs.
  if (other.ascii * 2 > best.ascii && best.cjk * 100 < best.count * 80) return std::nullopt;
  return is_big ? Charset::kUtf16Be : Charset::kUtf16Le;
}

bool may_be_utf16(std::span<const uint8_t> bytes, Charset charset) noexcept {
  const auto prefix = bytes.first(std::min(bytes.size(), kScannedBytes));
  const Units units = count_units(prefix, charset == Charset::kUtf16Be);
  return units.ascii > 0 && is_well_formed(units);
}

}  // namespace nd::text
