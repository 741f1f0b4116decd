// Charsets that the bytes themselves reveal: UTF-16 by its zero bytes, and as the last resort for what is not
// UTF-8 and is not declared, a test for English and ICU's statistics, fed with text instead of mark-up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "reading/charset_labels.hpp"

struct UCharsetDetector;

namespace nd::text {

// UTF-16 without a byte order mark, recognised by where its zero bytes are.
//
// kUtf16Le or kUtf16Be if the first 8 KB of the bytes are text in it. The bytes determine the byte order. 10
// % of the units, and four of them, must be ASCII, which shows as zero bytes at one parity. If the charset
// `is_declared`, one unit and 0.5 % (the line ends of a Chinese text) are enough, unless the bytes without
// their NULs are `is_other_text`, ASCII or UTF-8. Threads: any.
std::optional<Charset> detect_utf16(std::span<const uint8_t> bytes, bool is_declared,
                                    bool is_other_text) noexcept;

// Whether the first 8 KB of the bytes can be text in `charset`, one of the two, which the HTTP header
// declares: there is ASCII in them, however little, and at most one unit in 100 is malformed. Threads: any.
bool may_be_utf16(std::span<const uint8_t> bytes, Charset charset) noexcept;

// True if English's commonest article, conjunction and preposition are at least one word in twenty, and at
// most one word in sixteen has a byte that could be a letter beyond ASCII; neither share is tuned. Other
// languages that write ASCII letters have one of these words at most, and seldom. ICU's detector takes such
// text for windows-1252, too. Its other bytes are typographic quotes, dashes and blanks, which all of
// windows-1250 to 1258 have at the same places, and the euro sign: 0x80 in all but 1251, where it is a letter
// of languages that have no such words. False for fewer than twenty words. Cost: one pass over the text, 2 ns
// per byte; ICU's detector takes .3 us per byte (measured 2026-11-22).
bool is_english_windows_1252(std::string_view text) noexcept;

// Threads: one object, one thread at a time.
class CharsetDetector {
 public:
  CharsetDetector() = default;
  ~CharsetDetector();
  CharsetDetector(const CharsetDetector&) = delete;
  CharsetDetector& operator=(const CharsetDetector&) = delete;

  // windows-874 and IBM866, which ICU does not know, by their bytes; else ICU's best guess that is a
  // single-byte charset in which the bytes are characters, or nothing if it is not confident: the Unicode
  // forms and the double-byte charsets have been excluded by better means before. Looks at up to 8 KB of the
  // text between tags that is not plain ASCII. Fails if ICU fails (kInternal). Cost: if that text is English
  // (see above) 2 ns per byte of the sample, else .3 us per byte (measured 2026-11-22).
  Result<std::optional<Charset>> detect(std::span<const uint8_t> bytes);

 private:
  UCharsetDetector* detector_ = nullptr;
  Vector<char> sample_;
};

}  // namespace nd::text
