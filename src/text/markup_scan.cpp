#include "text/markup_scan.hpp"

#include <libxml/parserInternals.h>

#include <bit>

#include "core/utf8.hpp"

namespace nd::text {
namespace {

constexpr uint32_t kBeyondUnicode = 0x110000;

constexpr unsigned char lower(char c) noexcept {
  return static_cast<unsigned char>(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}

constexpr uint32_t digit_value(char c) noexcept {
  if (c >= '0' && c <= '9') return static_cast<uint32_t>(c - '0');
  const unsigned char letter = lower(c);
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10U : 16U;
}

std::string_view between(const char* begin, const char* end) noexcept {
  return {begin, static_cast<size_t>(end - begin)};
}

#if defined(__SSE2__)

// A bit for each of the sixteen bytes at `at` that is a '<', '&' or control, or may begin a noncharacter. One
// more byte must be readable.
uint32_t text_stops_of_block(const char* at) noexcept {
  using byte_block::equal, byte_block::in_range, byte_block::load;
  const __m128i bytes = load(at);
  const __m128i below_space = in_range(bytes, 0, 0x1f);
  const __m128i breaks = _mm_or_si128(in_range(bytes, '\t', '\n'), equal(bytes, '\r'));
  const __m128i markup = _mm_or_si128(equal(bytes, '<'), equal(bytes, '&'));
  const __m128i nonchar = _mm_and_si128(equal(bytes, '\xef'), equal(load(at + 1), '\xbf'));
  return byte_block::bits(_mm_or_si128(_mm_or_si128(markup, nonchar), _mm_andnot_si128(breaks, below_space)));
}

#endif

// What does not begin like a name is none, and nothing is stepped over.
const char* doctype_name_end(const char* at, const char* end) noexcept {
  const std::string_view text = between(at, end);
  size_t name_size = 0;
  for (size_t position = 0; position < text.size(); name_size = position) {
    const auto c = static_cast<uint32_t>(next_code_point(text, position));
    if (IS_LETTER(c) || c == '_' || c == ':') continue;
    const bool follows = IS_DIGIT(c) || c == '.' || c == '-' || IS_COMBINING(c) || IS_EXTENDER(c);
    if (name_size == 0 || !follows) break;
  }
  return at + name_size;
}

}  // namespace

const char* text_stop(const char* at, const char* end) noexcept {
#if defined(__SSE2__)
  while (end - at > byte_block::kBytes) {
    uint32_t stops = text_stops_of_block(at);
    for (; stops != 0; stops &= stops - 1) {
      const char* const stop = at + std::countr_zero(stops);
      if (*stop != '\xef' || is_noncharacter(stop, end)) return stop;
    }
    at += byte_block::kBytes;
  }
#endif
  return text_stop_portable(at, end);
}

const char* text_stop_portable(const char* at, const char* end) noexcept {
  while (at != end && (!is(*at, kTextStop) || (*at == '\xef' && !is_noncharacter(at, end))))
    ++at;
  return at;
}

bool starts_with_word(const char* at, const char* end, std::string_view lower_case) noexcept {
  if (static_cast<size_t>(end - at) < lower_case.size()) return false;
  for (size_t i = 0; i < lower_case.size(); ++i) {
    if (lower(at[i]) != static_cast<unsigned char>(lower_case[i])) return false;
  }
  return true;
}

bool is_noncharacter(const char* at, const char* end) noexcept {
  return end - at >= 3 && at[0] == '\xef' && at[1] == '\xbf' && (at[2] == '\xbe' || at[2] == '\xbf');
}

const char* comment_end(const char* at, const char* end) noexcept {
  while ((at = find_byte(at, end, '-')) != end) {
    if (starts_with_word(at, end, "-->")) return at + 3;
    if (starts_with_word(at, end, "--!>")) return at + 4;
    ++at;
  }
  return end;
}

const char* doctype_end(const char* at, const char* end) noexcept {
  at = skip_blanks(doctype_name_end(skip_blanks(at, end), end), end);
  const bool is_public = starts_with_word(at, end, "public");
  if (is_public || starts_with_word(at, end, "system")) {
    at += 6;
    for (int literals = is_public ? 2 : 1; literals > 0; --literals) {
      const char* const quote = skip_blanks(at, end);
      if (quote == end || (*quote != '"' && *quote != '\'')) break;
      at = find_byte(quote + 1, end, *quote);
      if (at == end) return end;
      ++at;
    }
  }
  at = find_byte(at, end, '>');
  return at == end ? end : at + 1;
}

const char* instruction_end(const char* at, const char* end) noexcept {
  const char* const target = at + 2;
  if (target == end) return nullptr;
  if (static_cast<unsigned char>(*target) < 0x80) {
    if (!is(*target, kNameStart) || *target == '.') return nullptr;
    const char* name = target;
    while (name != end && is(*name, kNameByte))
      ++name;
    if (name == end) return nullptr;
  } else {
    size_t position = 0;
    const auto letter = static_cast<uint32_t>(next_code_point(between(target, end), position));
    if (!IS_LETTER(letter)) return nullptr;
  }
  const char* const close = find_byte(target, end, '>');
  return close == end ? end : close + 1;
}

const char* raw_text_end(const char* at, const char* end, std::string_view name) noexcept {
  while ((at = find_byte(at, end, '<')) != end) {
    if (end - at >= 2 && at[1] == '/' && starts_with_word(at + 2, end, name)) return at;
    ++at;
  }
  return end;
}

const char* name_end(const char* at, const char* end) noexcept {
  if (at == end || !is(*at, kNameStart)) return at;
  if (static_cast<size_t>(end - at) > kMaxNameBytes) end = at + kMaxNameBytes;
  while (at != end && is(*at, kNameByte))
    ++at;
  return at;
}

TagName read_any_tag_name(const char* at, const char* end) noexcept {
  TagName name;
  name.written = between(at, name_end(at, end));
  if (name.written.empty()) return name;
  name.key = lower_case_key(name.written, static_cast<size_t>(end - at));
  name.has_dot = name.written.find('.') != std::string_view::npos;
  return name;
}

MarkupAttribute read_attribute(const char*& at, const char* end) noexcept {
  if (const char* const behind = name_end(at, end); behind != at) {
    return read_attribute_named(at, static_cast<size_t>(behind - at), end);
  }
  while (!ends_tag(at, end) && !is(*at, kBlank))
    ++at;
  at = skip_blanks(at, end);
  return {};
}

MarkupAttribute read_attribute_named(const char*& at, size_t name_size, const char* end) noexcept {
  MarkupAttribute attribute;
  const char* const begin = at;
  const char* behind = at + name_size;
  attribute.name = between(begin, behind);
  at = skip_blanks(behind, end);
  if (at != end && *at == '=') {
    at = skip_blanks(at + 1, end);
    const char* value = at;
    if (at != end && (*at == '"' || *at == '\'')) {
      attribute.quote = *at;
      value = at + 1;
      at = find_near_byte(value, end, attribute.quote);
      attribute.value = between(value, at);
      if (at != end) ++at;
    } else {
      while (at != end && *at != '>' && !is(*at, kBlank))
        ++at;
      attribute.value = between(value, at);
    }
    behind = at;
    at = skip_blanks(at, end);
  }
  attribute.written = between(begin, behind);
  return attribute;
}

const char* skip_any_attribute(const char* behind_name, const char* end) noexcept {
  const char* at = skip_blanks(behind_name, end);
  if (at == end || *at != '=') return at;
  at = skip_blanks(at + 1, end);
  if (at != end && (*at == '"' || *at == '\'')) {
    at = find_near_byte(at + 1, end, *at);
    if (at != end) ++at;
  } else {
    while (at != end && *at != '>' && !is(*at, kBlank))
      ++at;
  }
  return skip_blanks(at, end);
}

CharacterReference read_numeric_reference(const char* at, const char* end) noexcept {
  at += 2;
  uint32_t base = 10;
  if (at != end && lower(*at) == 'x') {
    base = 16;
    ++at;
  }
  uint32_t value = 0;
  for (; at != end; ++at) {
    const uint32_t digit = digit_value(*at);
    if (digit >= base) break;
    if (value < kBeyondUnicode) value = value * base + digit;
  }
  CharacterReference reference{at, value < kBeyondUnicode && IS_CHAR(value), at != end && *at == ';', value};
  if (reference.terminated) ++reference.end;
  return reference;
}

}  // namespace nd::text
