// The name of a tag or an attribute that a block of sixteen bytes begins with, in lower case: all of it in a
// few steps without a branch, as names are short and of unforeseeable length.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "text/html_elements.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace nd::text {

inline constexpr size_t kNameBlockBytes = 16;

struct LeadingName {
  // Letters, digits and : . _ - at the beginning of the block, whatever the first of them; if these are all,
  // the name may be longer.
  size_t size = 0;
  bool has_dot = false;
  NameKey key;
};

// `at`: sixteen bytes that may be read. Byte by byte.
inline LeadingName leading_name_portable(const char* at) noexcept {
  LeadingName name;
  for (; name.size < kNameBlockBytes; ++name.size) {
    const char c = at[name.size];
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!letter && !(c >= '0' && c <= ':') && c != '.' && c != '_' && c != '-') break;
    name.has_dot |= c == '.';
  }
  name.key = lower_case_key({at, name.size}, kNameBlockBytes);
  return name;
}

#if defined(__SSE2__)

namespace leading_name_detail {

// Of all bytes from `first` to `last`. A comparison of signed bytes, so the range is moved to the least ones.
inline __m128i in_range(__m128i bytes, char first, char last) noexcept {
  const __m128i moved = _mm_add_epi8(bytes, _mm_set1_epi8(static_cast<char>(-128 - first)));
  return _mm_cmplt_epi8(moved, _mm_set1_epi8(static_cast<char>(-128 + (last - first) + 1)));
}

// From 16 - n on, n set bytes come first.
alignas(32) inline constexpr unsigned char kPrefixes[32] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                                            0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

}  // namespace leading_name_detail

inline LeadingName leading_name(const char* at) noexcept {
  using leading_name_detail::in_range;
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  const __m128i case_bit = _mm_set1_epi8(0x20);
  const __m128i letters = in_range(_mm_or_si128(bytes, case_bit), 'a', 'z');
  const __m128i slashes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('/'));
  const __m128i others = _mm_or_si128(_mm_andnot_si128(slashes, in_range(bytes, '-', ':')),
                                      _mm_cmpeq_epi8(bytes, _mm_set1_epi8('_')));
  const auto name_bytes = static_cast<uint32_t>(_mm_movemask_epi8(_mm_or_si128(letters, others)));
  const auto dots = static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('.'))));
  LeadingName name;
  name.size = static_cast<size_t>(std::countr_zero(~name_bytes));
  name.has_dot = (dots & ((1U << name.size) - 1)) != 0;
  const auto* const prefix = leading_name_detail::kPrefixes + kNameBlockBytes - name.size;
  const __m128i lower_case = _mm_or_si128(bytes, _mm_and_si128(letters, case_bit));
  const __m128i key =
      _mm_and_si128(lower_case, _mm_loadu_si128(reinterpret_cast<const __m128i*>(prefix)));
  name.key.low = static_cast<uint64_t>(_mm_cvtsi128_si64(key));
  name.key.high = static_cast<uint64_t>(_mm_cvtsi128_si64(_mm_unpackhi_epi64(key, key)));
  return name;
}

#else

inline LeadingName leading_name(const char* at) noexcept {
  return leading_name_portable(at);
}

#endif

}  // namespace nd::text
