// What stands at each of 64 bytes of text, one bit a byte: sixteen bytes at a time with SSE2 where the
// compiler has it, one at a time elsewhere. Both are always compiled; the tests hold them against each other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace nd::text {

inline constexpr size_t kMaskBytes = 64;

// Bit i tells of the byte at `at` + i. 64 bytes must be readable.
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

inline __m128i load(const char* at) noexcept {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
}
inline uint64_t bits(__m128i bytes) noexcept {
  return static_cast<uint32_t>(_mm_movemask_epi8(bytes));
}

// The bytes from `first` to `last`: shifted so that the range starts at -128, where the signed comparison
// ends.
template <unsigned char first, unsigned char last>
__m128i is_between(__m128i bytes) noexcept {
  const __m128i shifted = _mm_sub_epi8(bytes, _mm_set1_epi8(static_cast<char>(first + 0x80)));
  return _mm_cmplt_epi8(shifted, _mm_set1_epi8(static_cast<char>(last - first + 1 - 0x80)));
}

inline WordMasks word_masks(const char* at) noexcept {
  WordMasks masks{0, 0};
  for (unsigned i = 0; i < kMaskBytes; i += 16) {
    const __m128i bytes = load(at + i);
    const __m128i letters = is_between<'a', 'z'>(_mm_or_si128(bytes, _mm_set1_epi8(0x20)));
    // Or'ed with the bytes themselves: their high bit marks what is above ASCII.
    masks.word |= bits(_mm_or_si128(bytes, _mm_or_si128(letters, is_between<'0', '9'>(bytes)))) << i;
    masks.high |= bits(bytes) << i;
  }
  return masks;
}

inline MarkMask mark_mask(const char* at) noexcept {
  MarkMask mask = 0;
  for (unsigned i = 0; i < kMaskBytes; i += 16) {
    const __m128i bytes = load(at + i);
    const auto is = [&](unsigned char c) {
      return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(static_cast<char>(c)));
    };
    const size_t count = bits(bytes) == 0 ? 4 : std::size(kMarkBytes);  // the first four are ASCII
    __m128i marks = _mm_setzero_si128();
    for (size_t k = 0; k < count; ++k)
      marks = _mm_or_si128(marks, is(kMarkBytes[k]));
    mask |= bits(marks) << i;
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

// Calls visit(at, offset) for each 64 bytes of `text`; the last ones stand in a copy, with zeros behind them.
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
