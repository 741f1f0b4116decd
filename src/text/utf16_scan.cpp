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
  size_t swapped = 0;    // ASCII if the bytes were the other way round
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
    if (unit != 0 && (unit & 0xff) == 0 && unit < 0x8000) ++units.swapped;
    if (is_cjk(unit)) ++units.cjk;
  }
  return units;
}

bool is_text(const Units& units, bool is_declared, bool is_other_text) noexcept {
  if (units.count == 0 || units.malformed * 100 > units.count || units.swapped * 8 > units.ascii)
    return false;
  const size_t least_percent = is_other_text ? 50 : is_declared ? 0 : 5;
  const size_t least = is_declared ? 1 : 4;
  if (units.ascii >= least && units.ascii * 100 >= units.count * least_percent) return true;
  return is_declared && !is_other_text && units.cjk * 2 >= units.count;
}

}  // namespace

std::optional<Charset> detect_utf16(std::span<const uint8_t> bytes, bool is_declared,
                                    bool is_other_text) noexcept {
  const auto prefix = bytes.first(std::min(bytes.size(), kScannedBytes));
  const Units little = count_units(prefix, false);
  const Units big = count_units(prefix, true);
  const bool is_little = is_text(little, is_declared, is_other_text);
  const bool is_big = is_text(big, is_declared, is_other_text);
  if (is_little && is_big)
    return little.cjk + little.ascii >= big.cjk + big.ascii ? Charset::kUtf16Le : Charset::kUtf16Be;
  if (is_little) return Charset::kUtf16Le;
  if (is_big) return Charset::kUtf16Be;
  return std::nullopt;
}

}  // namespace nd::text
