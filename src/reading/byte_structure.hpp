// Whether bytes are text in one of the double-byte charsets of East Asia, judged by two things: they must
// divide into its characters without remainder, and the characters must be those that its texts mostly use.
// The second is needed because the charsets overlap: nearly all EUC-KR and Big5 text is valid GB18030, and
// the reverse. The approach (a coding scheme and a character distribution) is that of Li and Momoi, "A
// composite approach to language/encoding detection", 19th International Unicode Conference, 2001; rows and
// shares are from the layout of the standards themselves, as noted in the source file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "reading/charset_labels.hpp"

namespace nd::text {

// At most one malformed sequence in so many is damage, not a sign of another charset.
inline constexpr size_t kToleratedShare = 1000;
// At most one in so many is damage that is accepted only if no other charset fits.
inline constexpr size_t kDamagedShare = 10;

// The character that begins with a byte above ASCII.
struct ByteUnit {
  uint8_t length;       // 1 to 4; 0: malformed
  bool is_cut = false;  // the beginning of a character that the end of the bytes cuts; `length` is then 0
};

// By the ranges of lead and trail bytes of the WHATWG decoders (Encoding Standard, sections 10 to 13). At
// least one byte must be there. `charset` must be of CharsetForm::kDoubleByte.
ByteUnit read_double_byte(Charset charset, const uint8_t* at, const uint8_t* end) noexcept;

struct ByteStructure {
  size_t character_count = 0;  // well-formed characters of two bytes or more
  size_t single_count = 0;     // single bytes above ASCII (half-width katakana of Shift_JIS)
  size_t malformed_count = 0;  // a character cut by the end is none
  // Two-byte characters by lead byte, with a trail from 0xA1 on and with one below.
  std::array<uint32_t, 256> high_trail{};
  std::array<uint32_t, 256> low_trail{};

  // Whether the bytes decode: at most one malformed sequence in kToleratedShare.
  bool is_valid() const noexcept {
    return malformed_count * kToleratedShare <= character_count + single_count + malformed_count &&
           !is_mostly_single();
  }

  // Whether they decode with so much damage that the charset is believed only if no other one fits.
  bool is_damaged() const noexcept {
    return malformed_count * kDamagedShare <= character_count && !is_mostly_single();
  }

  // Whether nearly all is half-width katakana: that is not Japanese; any text in a single-byte charset looks
  // like it.
  bool is_mostly_single() const noexcept { return single_count > 16 && single_count > character_count; }
};

// `charset` must be of CharsetForm::kDoubleByte. Looks at the first 4,096 characters above ASCII. One pass;
// ASCII at memory speed.
ByteStructure scan_byte_structure(Charset charset, std::span<const uint8_t> bytes) noexcept;

// Whether the characters of `structure`, which was scanned as `charset`, are those of usual text in it. At
// most one charset is plausible for a text of some length. False for fewer than `least_characters`.
bool is_plausible(Charset charset, const ByteStructure& structure, size_t least_characters) noexcept;

// The one double-byte charset that is plausible for the bytes. Chinese is tried first. Adds the number of
// passes to `passes`.
std::optional<Charset> detect_double_byte(std::span<const uint8_t> bytes, size_t least_characters,
                                          uint64_t& passes) noexcept;

}  // namespace nd::text
