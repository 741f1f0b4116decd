// Scans the bytes by the structure of each double-byte charset and judges the rows that they use.
#include "reading/byte_structure.hpp"

#include "reading/ascii.hpp"

namespace nd::text {
namespace {

constexpr size_t kScannedCharacters = 4096;

constexpr bool between(uint8_t byte, uint8_t first, uint8_t last) noexcept {
  return byte >= first && byte <= last;
}

ByteUnit read_gb18030(const uint8_t* at, const uint8_t* end) noexcept {
  if (*at == 0x80) return {1};  // the euro sign of Windows code page 936
  if (*at == 0xff) return {0};
  if (end - at < 2) return {0, true};
  if (between(at[1], 0x40, 0xfe) && at[1] != 0x7f) return {2};
  if (!between(at[1], 0x30, 0x39)) return {0};
  if (end - at < 3) return {0, true};
  if (!between(at[2], 0x81, 0xfe)) return {0};
  if (end - at < 4) return {0, true};
  return {static_cast<uint8_t>(between(at[3], 0x30, 0x39) ? 4 : 0)};
}

ByteUnit read_big5(const uint8_t* at, const uint8_t* end) noexcept {
  if (!between(*at, 0x81, 0xfe)) return {0};
  if (end - at < 2) return {0, true};
  return {static_cast<uint8_t>(between(at[1], 0x40, 0x7e) || between(at[1], 0xa1, 0xfe) ? 2 : 0)};
}

ByteUnit read_shift_jis(const uint8_t* at, const uint8_t* end) noexcept {
  if (between(*at, 0xa1, 0xdf) || *at == 0x80) return {1};
  if (!between(*at, 0x81, 0x9f) && !between(*at, 0xe0, 0xfc)) return {0};
  if (end - at < 2) return {0, true};
  return {static_cast<uint8_t>(between(at[1], 0x40, 0xfc) && at[1] != 0x7f ? 2 : 0)};
}

ByteUnit read_euc_jp(const uint8_t* at, const uint8_t* end) noexcept {
  if (!between(*at, 0xa1, 0xfe) && *at != 0x8e && *at != 0x8f) return {0};
  const uint8_t last_of_first = *at == 0x8e ? 0xdf : 0xfe;  // 8E: half-width katakana
  if (end - at < 2) return {0, true};
  if (!between(at[1], 0xa1, last_of_first)) return {0};
  if (*at != 0x8f) return {2};
  if (end - at < 3) return {0, true};
  return {static_cast<uint8_t>(between(at[2], 0xa1, 0xfe) ? 3 : 0)};
}

ByteUnit read_euc_kr(const uint8_t* at, const uint8_t* end) noexcept {
  if (!between(*at, 0x81, 0xfe)) return {0};
  if (end - at < 2) return {0, true};
  const uint8_t trail = at[1];
  return {static_cast<uint8_t>(
      between(trail, 0x41, 0x5a) || between(trail, 0x61, 0x7a) || between(trail, 0x81, 0xfe) ? 2 : 0)};
}

template <ByteUnit (*Read)(const uint8_t*, const uint8_t*) noexcept>
ByteStructure scan(std::span<const uint8_t> bytes) noexcept {
  ByteStructure structure;
  const uint8_t* at = bytes.data();
  const uint8_t* const end = at + bytes.size();
  bool has_nul = false;
  size_t seen = 0;
  while (seen < kScannedCharacters && (at = skip_ascii(at, end, has_nul)) != end) {
    while (at != end && *at >= 0x80 && seen < kScannedCharacters) {
      ++seen;
      const ByteUnit unit = Read(at, end);
      if (unit.is_cut) return structure;
      if (unit.length >= 2) {
        ++structure.character_count;
        if (unit.length == 2) ++(at[1] >= 0xa1 ? structure.high_trail : structure.low_trail)[*at];
      } else {
        ++(unit.length == 1 ? structure.single_count : structure.malformed_count);
      }
      at += unit.length == 0 ? 1 : unit.length;
    }
  }
  return structure;
}

size_t sum(const std::array<uint32_t, 256>& counts, size_t first, size_t last) noexcept {
  size_t total = 0;
  for (size_t i = first; i <= last; ++i)
    total += counts[i];
  return total;
}

bool is_share(size_t part, size_t whole, size_t percent) noexcept {
  return part * 100 >= whole * percent;
}

// Hangul of KS X 1001 fills rows B0..C8 and makes up nearly all of a Korean text.
bool is_hangul(const ByteStructure& structure) noexcept {
  const size_t letters = sum(structure.high_trail, 0xb0, 0xfe);
  return letters > 0 && is_share(sum(structure.high_trail, 0xb0, 0xc8), letters, 95);
}

// Kana of JIS X 0208 fills rows A4 and A5: a third of a Japanese text and more.
bool is_kana(const ByteStructure& structure) noexcept {
  return is_share(sum(structure.high_trail, 0xa4, 0xa5), structure.character_count, 20);
}

// GB 2312 level 1, the 3,755 frequent characters (99 % of running text), is rows B0..D7; A1..A3 hold
// punctuation. Traditional text in GBK uses the low trails too, so the share asked for is modest; Big5 and
// UTF-8 text read as GB18030 stay below a half.
bool is_plausible_gb18030(const ByteStructure& s) noexcept {
  const size_t common = sum(s.high_trail, 0xb0, 0xd7) + sum(s.high_trail, 0xa1, 0xa3);
  return is_share(common, s.character_count, 55) && !is_hangul(s) && !is_kana(s);
}

// Big5 level 1 is A4..C6, punctuation A1..A3; 63 of its 157 trail bytes are below 0x7F, while GB 2312, EUC-KR
// and EUC-JP have none there.
bool is_plausible_big5(const ByteStructure& s) noexcept {
  const size_t low = sum(s.low_trail, 0xa1, 0xc6);
  return is_share(sum(s.high_trail, 0xa1, 0xc6) + low, s.character_count, 75) &&
         is_share(low, s.character_count, 15);
}

// Kana is rows 82 and 83, punctuation 81, the 2,965 kanji of level 1 are 88..98.
bool is_plausible_shift_jis(const ByteStructure& s) noexcept {
  const auto leads = [&](size_t first, size_t last) {
    return sum(s.high_trail, first, last) + sum(s.low_trail, first, last);
  };
  return is_share(leads(0x82, 0x83), s.character_count, 20) &&
         is_share(leads(0x81, 0x83) + leads(0x88, 0x98), s.character_count, 80) &&
         s.single_count * 10 <= s.character_count;
}

bool is_plausible_euc_kr(const ByteStructure& s) noexcept {
  const size_t common = sum(s.high_trail, 0xb0, 0xc8) + sum(s.high_trail, 0xa1, 0xa3);
  return is_share(common, s.character_count, 80) && is_hangul(s);
}

bool is_plausible_euc_jp(const ByteStructure& s) noexcept {
  const size_t common = sum(s.high_trail, 0xb0, 0xcf) + sum(s.high_trail, 0xa1, 0xa5);
  return is_share(common, s.character_count, 80) && is_kana(s);
}

}  // namespace

ByteUnit read_double_byte(Charset charset, const uint8_t* at, const uint8_t* end) noexcept {
  switch (charset) {
    case Charset::kGb18030:
      return read_gb18030(at, end);
    case Charset::kBig5:
      return read_big5(at, end);
    case Charset::kShiftJis:
      return read_shift_jis(at, end);
    case Charset::kEucJp:
      return read_euc_jp(at, end);
    case Charset::kEucKr:
      return read_euc_kr(at, end);
    default:
      return {0};
  }
}

ByteStructure scan_byte_structure(Charset charset, std::span<const uint8_t> bytes) noexcept {
  switch (charset) {
    case Charset::kGb18030:
      return scan<read_gb18030>(bytes);
    case Charset::kBig5:
      return scan<read_big5>(bytes);
    case Charset::kShiftJis:
      return scan<read_shift_jis>(bytes);
    case Charset::kEucJp:
      return scan<read_euc_jp>(bytes);
    case Charset::kEucKr:
      return scan<read_euc_kr>(bytes);
    default:
      return {};
  }
}

bool is_plausible(Charset charset, const ByteStructure& structure, size_t least_characters) noexcept {
  // Usual characters leave less doubt, so that more damage is allowed: 2 %. Single-byte text of any script
  // has far more, because every second word ends on an odd byte.
  if (structure.character_count < least_characters ||
      structure.malformed_count * 50 > structure.character_count) {
    return false;
  }
  switch (charset) {
    case Charset::kGb18030:
      return is_plausible_gb18030(structure);
    case Charset::kBig5:
      return is_plausible_big5(structure);
    case Charset::kShiftJis:
      return is_plausible_shift_jis(structure);
    case Charset::kEucJp:
      return is_plausible_euc_jp(structure);
    case Charset::kEucKr:
      return is_plausible_euc_kr(structure);
    default:
      return false;
  }
}

std::optional<Charset> detect_double_byte(std::span<const uint8_t> bytes, size_t least_characters,
                                          uint64_t& passes) noexcept {
  for (const Charset charset :
       {Charset::kGb18030, Charset::kBig5, Charset::kShiftJis, Charset::kEucKr, Charset::kEucJp}) {
    ++passes;
    if (is_plausible(charset, scan_byte_structure(charset, bytes), least_characters)) return charset;
  }
  return std::nullopt;
}

}  // namespace nd::text
