// Sixteen bytes at a time, where the processor can (SSE2): the basis of the scans over markup. Each scan has
// a path that does without.
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>

#include <cstddef>
#include <cstdint>

namespace nd::text::byte_block {

inline constexpr ptrdiff_t kBytes = 16;

inline __m128i load(const char* at) noexcept {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
}

// A mask of the bytes equal to `byte`.
inline __m128i equal(__m128i bytes, char byte) noexcept {
  return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte));
}

// A mask of the bytes from `first` to `last`. Comparisons are signed, so the range is moved to the least
// value.
inline __m128i in_range(__m128i bytes, char first, char last) noexcept {
  const __m128i moved = _mm_add_epi8(bytes, _mm_set1_epi8(static_cast<char>(-128 - first)));
  return _mm_cmplt_epi8(moved, _mm_set1_epi8(static_cast<char>(-128 + (last - first) + 1)));
}

// Space, tab, line feed, carriage return.
inline __m128i blank(__m128i bytes) noexcept {
  return _mm_or_si128(_mm_or_si128(equal(bytes, ' '), equal(bytes, '\r')), in_range(bytes, '\t', '\n'));
}

// A bit for each byte, the first is the lowest.
inline uint32_t bits(__m128i found) noexcept {
  return static_cast<uint32_t>(_mm_movemask_epi8(found));
}

}  // namespace nd::text::byte_block
#endif
