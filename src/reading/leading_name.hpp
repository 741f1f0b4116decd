// The name of a tag or an attribute that a block of sixteen bytes begins with, in lower case: all of it in a
// few steps without a branch, as names are short and of unforeseeable length.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "reading/byte_block.hpp"
#include "reading/html_elements.hpp"

namespace nd::text {

inline constexpr size_t kNameBlockBytes = 16;

struct LeadingName {
  // Letters, digits and : . _ - at the beginning of the block, whatever the first of them; if these are all,
  // the name may be longer.
  size_t size = 0;
  bool has_dot = false;
  NameKey key;
};

// `at`: sixteen bytes that may be read. leading_name() in portable C++.
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

// From 16 - n on, n set bytes come first.
alignas(32) inline constexpr unsigned char kNamePrefixes[2 * kNameBlockBytes] = {
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

namespace leading_name_detail {

inline __m128i letters(__m128i bytes) noexcept {
  return byte_block::in_range(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), 'a', 'z');
}

inline size_t size(__m128i bytes, __m128i letters) noexcept {
  using byte_block::equal, byte_block::in_range;
  const __m128i others =
      _mm_or_si128(_mm_andnot_si128(equal(bytes, '/'), in_range(bytes, '-', ':')), equal(bytes, '_'));
  return static_cast<size_t>(std::countr_zero(~byte_block::bits(_mm_or_si128(letters, others))));
}

}  // namespace leading_name_detail

inline size_t leading_name_size(const char* at) noexcept {
  const __m128i bytes = byte_block::load(at);
  return leading_name_detail::size(bytes, leading_name_detail::letters(bytes));
}

inline LeadingName leading_name(const char* at) noexcept {
  using byte_block::bits, byte_block::equal;
  const __m128i bytes = byte_block::load(at);
  const __m128i letters = leading_name_detail::letters(bytes);
  LeadingName name;
  name.size = leading_name_detail::size(bytes, letters);
  name.has_dot = (bits(equal(bytes, '.')) & ((1U << name.size) - 1)) != 0;
  const __m128i lower_case = _mm_or_si128(bytes, _mm_and_si128(letters, _mm_set1_epi8(0x20)));
  const auto* const prefix = reinterpret_cast<const __m128i*>(kNamePrefixes + kNameBlockBytes - name.size);
  const __m128i key = _mm_and_si128(lower_case, _mm_loadu_si128(prefix));
  name.key.low = static_cast<uint64_t>(_mm_cvtsi128_si64(key));
  name.key.high = static_cast<uint64_t>(_mm_cvtsi128_si64(_mm_unpackhi_epi64(key, key)));
  return name;
}

#else

inline size_t leading_name_size(const char* at) noexcept {
  return leading_name_portable(at).size;
}

inline LeadingName leading_name(const char* at) noexcept {
  return leading_name_portable(at);
}

#endif

}  // namespace nd::text
