// Finds the ends of tags, comments, scripts and references, with vector code for the plain text between them.
#include "reading/markup_scan.hpp"

#include <libxml/parserInternals.h>

#include <bit>

#include "reading/ascii.hpp"

namespace nd::text {
namespace {

constexpr uint32_t kBeyondUnicode = 0x110000;
constexpr uint32_t kReplacementCharacter = 0xfffd;

constexpr uint32_t digit_value(char c) noexcept {
  if (c >= '0' && c <= '9') return static_cast<uint32_t>(c - '0');
  const auto letter = static_cast<unsigned char>(ascii_lower(c));
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

// FF separates as well, though libxml2 does not treat it as a blank.
bool ends_raw_name(const char* at, const char* end) noexcept {
  return at != end && (is(*at, kBlank) || *at == '\x0c' || *at == '/' || *at == '>');
}

// "<!--" stands at `at`, or what `at` begins continues to the end.
const char* dashes_end(const char* at, const char* end) noexcept {
  at += 4;
  if (at != end && *at == '>') return at + 1;
  if (starts_with_word(at, end, "->")) return at + 2;
  while ((at = find_byte(at, end, '-')) != end) {
    if (starts_with_word(at, end, "-->")) return at + 3;
    if (starts_with_word(at, end, "--!>")) return at + 4;
    ++at;
  }
  return end;
}

// `at` is at the "--" that may close it at once.
const char* escape_end(const char* at, const char* end) noexcept {
  while ((at = find_byte(at, end, '-')) != end) {
    if (starts_with_word(at, end, "-->")) return at + 3;
    ++at;
  }
  return end;
}

// Scripts may write scripts: behind "<!--", and before "-->", another script begins and ends inside.
const char* script_end(const char* at, const char* end) noexcept {
  const char* escaped_until = at;
  bool is_inner = false;
  while ((at = find_byte(at, end, '<')) != end) {
    if (at >= escaped_until) is_inner = false;
    if (starts_with_word(at, end, "</script") && ends_raw_name(at + 8, end)) {
      if (!is_inner) return at;
      is_inner = false;
    } else if (at < escaped_until) {
      is_inner |= starts_with_word(at, end, "<script") && ends_raw_name(at + 7, end);
    } else if (starts_with_word(at, end, "<!--")) {
      escaped_until = escape_end(at + 2, end);
    }
    ++at;
  }
  return end;
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
  return starts_with_ignoring_case({at, static_cast<size_t>(end - at)}, lower_case);
}

bool is_noncharacter(const char* at, const char* end) noexcept {
  return end - at >= 3 && at[0] == '\xef' && at[1] == '\xbf' && (at[2] == '\xbe' || at[2] == '\xbf');
}

const char* comment_end(const char* at, const char* end) noexcept {
  if (end - at < 2) return nullptr;
  if (at[1] == '/') {
    if (end - at < 3 || is(at[2], kNameStart)) return nullptr;
  } else if (at[1] != '!' && at[1] != '?') {
    return nullptr;
  }
  if (starts_with_word(at, end, "<!--")) return dashes_end(at, end);
  const char* const close = find_byte(at, end, '>');
  return close == end ? end : close + 1;
}

RawText raw_text_of(Element element, bool in_svg) noexcept {
  switch (element) {
    case Element::kIframe:
    case Element::kNoembed:
    case Element::kNoframes:
    case Element::kScript:
    case Element::kStyle:
      return RawText::kHidden;
    case Element::kPlaintext:
    case Element::kXmp:
      return in_svg ? RawText::kNone : RawText::kLiteral;
    case Element::kTextarea:
    case Element::kTitle:
      return in_svg ? RawText::kNone : RawText::kReferences;
    default:
      return RawText::kNone;
  }
}

const char* raw_text_end(const char* at, const char* end, Element element) noexcept {
  if (element == Element::kPlaintext) return end;
  if (element == Element::kScript) return script_end(at, end);
  const std::string_view name = traits_of(element).name;
  while ((at = find_byte(at, end, '<')) != end) {
    const bool is_end = end - at >= 2 && at[1] == '/' && starts_with_word(at + 2, end, name) &&
                        ends_raw_name(at + 2 + name.size(), end);
    if (is_end) return at;
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
  const char* const begin = at;
  at += 2;
  uint32_t base = 10;
  if (at != end && ascii_lower(*at) == 'x') {
    base = 16;
    ++at;
  }
  const char* const digits = at;
  uint32_t value = 0;
  for (; at != end; ++at) {
    const uint32_t digit = digit_value(*at);
    if (digit >= base) break;
    if (value < kBeyondUnicode) value = value * base + digit;
  }
  if (at == digits) return {begin, false, 0};
  if (at != end && *at == ';') ++at;
  if (value == 0 || value >= kBeyondUnicode || (value & ~uint32_t{0x7ff}) == 0xd800)
    value = kReplacementCharacter;
  return {at, IS_CHAR(value), value};
}

}  // namespace nd::text
