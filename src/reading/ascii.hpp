// ASCII characters as HTML's syntax defines them, whatever the locale, and runs of them, sixteen bytes or
// more at a time: this makes markup nearly free in every scan over a page's bytes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#else
#include <cstring>
#endif

namespace nd::text {

constexpr char ascii_lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

constexpr bool is_ascii_space(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

constexpr bool is_ascii_letter(char c) noexcept {
  return ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z';
}

// Comparisons that ignore the case of `text`, with names and keywords in lower case.
constexpr bool equals_ignoring_case(std::string_view text, std::string_view lower_case) noexcept {
  if (text.size() != lower_case.size()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (ascii_lower(text[i]) != lower_case[i]) return false;
  }
  return true;
}

constexpr bool starts_with_ignoring_case(std::string_view text, std::string_view lower_prefix) noexcept {
  return equals_ignoring_case(text.substr(0, lower_prefix.size()), lower_prefix);
}

constexpr bool ends_with_ignoring_case(std::string_view text, std::string_view lower_suffix) noexcept {
  return text.size() >= lower_suffix.size() &&
         equals_ignoring_case(text.substr(text.size() - lower_suffix.size()), lower_suffix);
}

constexpr size_t find_ignoring_case(std::string_view text, std::string_view lower_case,
                                    size_t from) noexcept {
  for (; from + lower_case.size() <= text.size(); ++from) {
    if (starts_with_ignoring_case(text.substr(from), lower_case)) return from;
  }
  return std::string_view::npos;
}

constexpr std::string_view trim_blanks(std::string_view text) noexcept {
  while (!text.empty() && is_ascii_space(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && is_ascii_space(text.back()))
    text.remove_suffix(1);
  return text;
}

namespace ascii_run_detail {

#if defined(__SSE2__)

inline constexpr ptrdiff_t kBlock = 16;

inline bool has_none(__m128i flags) noexcept {
  return _mm_movemask_epi8(flags) == 0;
}

// Copies four blocks that are ASCII without a NUL at a time; stops before others.
inline char* copy_quartets(char* to, const uint8_t*& at, const uint8_t* end) noexcept {
  for (; end - at >= 4 * kBlock; at += 4 * kBlock, to += 4 * kBlock) {
    const auto* const blocks = reinterpret_cast<const __m128i*>(at);
    const __m128i a = _mm_loadu_si128(blocks);
    const __m128i b = _mm_loadu_si128(blocks + 1);
    const __m128i c = _mm_loadu_si128(blocks + 2);
    const __m128i d = _mm_loadu_si128(blocks + 3);
    const __m128i least = _mm_min_epu8(_mm_min_epu8(a, b), _mm_min_epu8(c, d));
    const __m128i high = _mm_or_si128(_mm_or_si128(a, b), _mm_or_si128(c, d));
    if (!has_none(_mm_or_si128(high, _mm_cmpeq_epi8(least, _mm_setzero_si128())))) break;
    auto* const copies = reinterpret_cast<__m128i*>(to);
    _mm_storeu_si128(copies, a);
    _mm_storeu_si128(copies + 1, b);
    _mm_storeu_si128(copies + 2, c);
    _mm_storeu_si128(copies + 3, d);
  }
  return to;
}

// Copies one block, of which only the prefix of ASCII without a NUL counts. True if that is the whole block.
inline bool copy_block(char*& to, const uint8_t*& at) noexcept {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes);
  const __m128i nul = _mm_cmpeq_epi8(bytes, _mm_setzero_si128());
  const auto others = static_cast<uint32_t>(_mm_movemask_epi8(_mm_or_si128(bytes, nul)));
  const int length = others == 0 ? int{kBlock} : std::countr_zero(others);
  at += length;
  to += length;
  return others == 0;
}

// Takes the ASCII prefix of one block. True if the whole block is ASCII.
inline bool take_block(const uint8_t*& at, bool& has_nul) noexcept {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  const auto high = static_cast<uint32_t>(_mm_movemask_epi8(bytes));
  const auto nul = static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_setzero_si128())));
  if (high == 0) {
    has_nul |= nul != 0;
    at += kBlock;
    return true;
  }
  const int length = std::countr_zero(high);
  has_nul |= (nul & ((1U << length) - 1)) != 0;
  at += length;
  return false;
}

// Four blocks under one branch; stops before a quartet that holds anything else.
inline void take_quartets(const uint8_t*& at, const uint8_t* end, bool& has_nul) noexcept {
  __m128i least = _mm_set1_epi8(1);
  for (; end - at >= 4 * kBlock; at += 4 * kBlock) {
    const auto* blocks = reinterpret_cast<const __m128i*>(at);
    const __m128i a = _mm_loadu_si128(blocks);
    const __m128i b = _mm_loadu_si128(blocks + 1);
    const __m128i c = _mm_loadu_si128(blocks + 2);
    const __m128i d = _mm_loadu_si128(blocks + 3);
    if (_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(a, b), _mm_or_si128(c, d))) != 0) break;
    least = _mm_min_epu8(least, _mm_min_epu8(_mm_min_epu8(a, b), _mm_min_epu8(c, d)));
  }
  has_nul |= _mm_movemask_epi8(_mm_cmpeq_epi8(least, _mm_setzero_si128())) != 0;
}

#else

inline constexpr ptrdiff_t kBlock = 8;

inline bool take_block(const uint8_t*& at, bool& has_nul) noexcept {
  constexpr uint64_t kOnes = 0x0101010101010101ULL;
  constexpr uint64_t kHighBits = 0x8080808080808080ULL;
  uint64_t bytes;
  std::memcpy(&bytes, at, sizeof bytes);
  if ((bytes & kHighBits) != 0) return false;
  has_nul |= ((bytes - kOnes) & kHighBits) != 0;
  at += kBlock;
  return true;
}

inline void take_quartets(const uint8_t*&, const uint8_t*, bool&) noexcept {}

inline char* copy_quartets(char* to, const uint8_t*&, const uint8_t*) noexcept {
  return to;
}

inline bool copy_block(char*& to, const uint8_t*& at) noexcept {
  const uint8_t* const block_end = at + kBlock;
  for (; at != block_end && *at != 0 && *at < 0x80; ++at)
    *to++ = static_cast<char>(*at);
  return at == block_end;
}

#endif

}  // namespace ascii_run_detail

// The first byte from `at` on that is not ASCII, or `end`. `has_nul` becomes true if a NUL was passed, and
// stays as it is otherwise.
inline const uint8_t* skip_ascii(const uint8_t* at, const uint8_t* end, bool& has_nul) noexcept {
  while (end - at >= ascii_run_detail::kBlock) {
    if (!ascii_run_detail::take_block(at, has_nul)) break;
    ascii_run_detail::take_quartets(at, end, has_nul);
  }
  for (; at != end && *at < 0x80; ++at)
    has_nul |= *at == 0;
  return at;
}

// Copies the run of ASCII at `at` without its NULs and advances `at` past it; returns where the copy ends.
// There must be room for end - at bytes at `to`; all of them may be written.
inline char* copy_ascii(char* to, const uint8_t*& at, const uint8_t* end) noexcept {
  while (end - at >= ascii_run_detail::kBlock) {
    if (ascii_run_detail::copy_block(to, at)) {
      to = ascii_run_detail::copy_quartets(to, at, end);
      continue;
    }
    if (*at != 0) return to;
    ++at;
  }
  for (; at != end && *at < 0x80; ++at) {
    if (*at != 0) *to++ = static_cast<char>(*at);
  }
  return to;
}

}  // namespace nd::text
