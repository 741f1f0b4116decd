// Charsets that ICU's detector does not know, told by the bytes of a text; and what the guesses of the
// detector can be held against.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "reading/charset_labels.hpp"

namespace nd::text {

// Whether the bytes, all of them ASCII, are ISO-2022-JP: an escape sequence leads to kanji and one leads
// back, what is between is in pairs of printable characters, of which there are four, and nothing
// contradicts. Of other text only terminal recordings have escapes. Threads: any. Cost: one search for the
// first escape in plain text.
bool is_iso_2022_jp(std::span<const uint8_t> bytes) noexcept;

// How often each byte occurs in a text, and how it stands to its neighbours.
class ByteStatistics {
 public:
  explicit ByteStatistics(std::string_view text) noexcept;

  // windows-874 (TIS-620): of the vowels and tones that Thai writes above, below and before a consonant, all
  // but one in twenty stand by one. In no other charset of the Encoding Standard they do.
  bool is_thai() const noexcept;
  // Cyrillic letters of IBM866: they lie in two ranges, between which there are none, and are in words.
  bool is_ibm866() const noexcept;
  // Whether the text can be in the single-byte charset: of the bytes above ASCII at most one in 50 stands for
  // no character or for a control.
  bool may_be(Charset charset) const noexcept;

 private:
  size_t count(unsigned char first, unsigned char last) const noexcept;

  std::array<uint32_t, 256> counts_{};
  size_t high_ = 0;         // bytes above ASCII, ...
  size_t in_words_ = 0;     // next to another one
  size_t thai_marks_ = 0;   // what would be vowels and tones around a consonant, ...
  size_t thai_strays_ = 0;  // without one
};

}  // namespace nd::text
