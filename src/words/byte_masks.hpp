// Classifies 64 bytes of text, one bit per byte: sixteen bytes at a time with SSE2 where the compiler has it,
// one at a time elsewhere. Both are always compiled; the tests compare them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string_view>

#include "reading/byte_block.hpp"

namespace nd::text {

inline constexpr size_t kMaskBytes = 64;

// Bit i describes the byte at `at` + i. 64 bytes must be readable.
struct WordMasks {
  uint64_t word;  // ASCII letters and digits, and all bytes above ASCII
  uint64_t high;  // bytes above ASCII
};
using MarkMask = uint64_t;  // bytes with which a mark that ends sentences can begin

namespace byte_masks_detail {

inline constexpr std::array<uint8_t, 256> kIsWord = [] {
  std::array<uint8_t, 256> table{};
  for (size_t c = 0; c < 256; ++c) {
    table[c] = c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }
  return table;
}();

// . ! ? ; and the lead bytes of the marks that sentences.cpp knows.
inline constexpr unsigned char kMarkBytes[] = {'.', '!', '?', ';', 0xd8, 0xdb, 0xe0, 0xe2, 0xe3, 0xef};

inline constexpr std::array<uint8_t, 256> kIsMark = [] {
  std::array<uint8_t, 256> table{};
  for (const unsigned char c : kMarkBytes)
    table[c] = 1;
  return table;
}();

inline WordMasks word_masks_portable(const char* at) noexcept {
  WordMasks masks{0, 0};
  for (size_t i = 0; i < kMaskBytes; ++i) {
    const auto byte = static_cast<unsigned char>(at[i]);
    masks.word |= uint64_t{kIsWord[byte]} << i;
    masks.high |= static_cast<uint64_t>(byte >> 7U) << i;
  }
  return masks;
}

inline MarkMask mark_mask_portable(const char* at) noexcept {
  MarkMask mask = 0;
  for (size_t i = 0; i < kMaskBytes; ++i)
    mask |= uint64_t{kIsMark[static_cast<unsigned char>(at[i])]} << i;
  return mask;
}

#if defined(__SSE2__)

inline WordMasks word_masks(const char* at) noexcept {
  WordMasks masks{0, 0};
  for (unsigned i = 0; i < kMaskBytes; i += 16) {
    const __m128i bytes = byte_block::load(at + i);
    const __m128i letters = byte_block::in_range(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), 'a', 'z');
    const __m128i digits = byte_block::in_range(bytes, '0', '9');
    // Or'ed with the bytes themselves: their high bit marks what is above ASCII.
    const uint64_t word = byte_block::bits(_mm_or_si128(bytes, _mm_or_si128(letters, digits)));
    const uint64_t high = byte_block::bits(bytes);
    masks.word |= word << i;
    masks.high |= high << i;
  }
  return masks;
}

inline MarkMask mark_mask(const char* at) noexcept {
  MarkMask mask = 0;
  for (unsigned i = 0; i < kMaskBytes; i += 16) {
    const __m128i bytes = byte_block::load(at + i);
    const size_t count =
        byte_block::bits(bytes) == 0 ? 4 : std::size(kMarkBytes);  // the first four are ASCII
    __m128i found = _mm_setzero_si128();
    for (size_t k = 0; k < count; ++k)
      found = _mm_or_si128(found, byte_block::equal(bytes, static_cast<char>(kMarkBytes[k])));
    const uint64_t marks = byte_block::bits(found);
    mask |= marks << i;
  }
  return mask;
}

#else

inline WordMasks word_masks(const char* at) noexcept {
  return word_masks_portable(at);
}
inline MarkMask mark_mask(const char* at) noexcept {
  return mark_mask_portable(at);
}

#endif

}  // namespace byte_masks_detail

// Calls visit(at, offset) for each 64 bytes of `text`; the last ones are in a copy, followed by zeros.
template <typename Visit>
void for_each_64_bytes(std::string_view text, const Visit& visit) {
  size_t offset = 0;
  for (; text.size() - offset >= kMaskBytes; offset += kMaskBytes)
    visit(text.data() + offset, offset);
  if (offset == text.size()) return;
  char rest[kMaskBytes] = {};
  std::memcpy(rest, text.data() + offset, text.size() - offset);
  visit(static_cast<const char*>(rest), offset);
}

}  // namespace nd::text
