// Finds where the tokens of HTML end, even malformed ones. Every function takes a position and the end of the
// input, reads nothing outside that range, and returns a position within it.
//
// Sources: for comments, raw text and character references HTML Living Standard, 13.2.5; for names and
// attributes, which the parser reads again, the behaviour of libxml2 2.9.14.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "reading/byte_block.hpp"
#include "reading/html_elements.hpp"
#include "reading/leading_name.hpp"

namespace nd::text {

enum ByteClass : uint8_t {
  kLetter = 1 << 0,     // ASCII
  kNameStart = 1 << 1,  // letters _ : .
  kNameByte = 1 << 2,   // these, digits and -
  kBlank = 1 << 3,      // space, tab, line feed, carriage return
  kControl = 1 << 4,    // below space and not blank
  kTextStop = 1 << 5,   // < & controls, and the first byte of U+FFFE and U+FFFF
};

inline constexpr std::array<uint8_t, 256> kByteClasses = [] {
  std::array<uint8_t, 256> classes{};
  for (unsigned i = 0; i < 256; ++i) {
    const bool letter = (i >= 'a' && i <= 'z') || (i >= 'A' && i <= 'Z');
    const bool start = letter || i == '_' || i == ':' || i == '.';
    const bool blank = i == ' ' || i == '\t' || i == '\n' || i == '\r';
    const bool control = i < 0x20 && !blank;
    const auto put = [&](bool holds, ByteClass bit) { classes[i] |= holds ? bit : 0; };
    put(letter, kLetter);
    put(start, kNameStart);
    put(start || (i >= '0' && i <= '9') || i == '-', kNameByte);
    put(blank, kBlank);
    put(control, kControl);
    put(control || i == '<' || i == '&' || i == 0xef, kTextStop);
  }
  return classes;
}();

inline bool is(char c, unsigned classes) noexcept {
  return (kByteClasses[static_cast<unsigned char>(c)] & classes) != 0;
}

inline const char* find_byte(const char* at, const char* end, char byte) noexcept {
  if (at == end) return end;  // both may be null, which memchr() must not be given
  const void* const found = std::memchr(at, byte, static_cast<size_t>(end - at));
  return found == nullptr ? end : static_cast<const char*>(found);
}

// The same for a byte that is likely to be near. How near cannot be predicted, so four blocks are examined
// without a branch; a call of memchr() costs more than reading most attribute values.
inline const char* find_near_byte(const char* at, const char* end, char byte) noexcept {
#if defined(__SSE2__)
  using byte_block::bits, byte_block::equal, byte_block::load;
  for (int i = 0; i < 4 && end - at >= 2 * byte_block::kBytes; ++i) {
    const uint32_t found = bits(equal(load(at), byte)) | bits(equal(load(at + byte_block::kBytes), byte))
                                                             << 16;
    if (found != 0) return at + std::countr_zero(found);
    at += 2 * byte_block::kBytes;
  }
#endif
  return find_byte(at, end, byte);
}

inline const char* skip_blanks(const char* at, const char* end) noexcept {
  while (at != end && is(*at, kBlank))
    ++at;
  return at;
}

// The same if many are likely.
inline const char* skip_many_blanks(const char* at, const char* end) noexcept {
#if defined(__SSE2__)
  for (; end - at >= byte_block::kBytes; at += byte_block::kBytes) {
    const uint32_t others = ~byte_block::bits(byte_block::blank(byte_block::load(at))) & 0xffff;
    if (others != 0) return at + std::countr_zero(others);
  }
#endif
  return skip_blanks(at, end);
}

// The first '<', '&', control or noncharacter (below): where text cannot simply be passed on. Sixteen bytes
// at a time where the processor can.
const char* text_stop(const char* at, const char* end) noexcept;
// The same, byte by byte.
const char* text_stop_portable(const char* at, const char* end) noexcept;

bool starts_with_word(const char* at, const char* end, std::string_view lower_case) noexcept;

// U+FFFE or U+FFFF at `at`: with the controls, what XML does not accept as characters.
bool is_noncharacter(const char* at, const char* end) noexcept;

// `at` is at '<'. The end of a comment, or of what a browser takes for one: a doctype, an instruction, a
// CDATA section, any other "<!" or "<?", and "</" before what cannot begin a name. Null if there is none.
const char* comment_end(const char* at, const char* end) noexcept;

// The content of the element up to its end tag is not markup.
enum class RawText : uint8_t {
  kNone,
  kHidden,     // nor text: script, style, iframe, noembed, noframes
  kLiteral,    // xmp, plaintext
  kReferences  // but references to characters are: title, textarea
};
// `in_svg`: between "<svg>" and "</svg>", where a title may contain elements; hidden content stays hidden.
RawText raw_text_of(Element element, bool in_svg) noexcept;
// `at` is behind the start tag of such an element: at its end tag, or the end.
const char* raw_text_end(const char* at, const char* end, Element element) noexcept;

// What follows them is no longer part of the name.
inline constexpr size_t kMaxNameBytes = 100;
// Behind the tag or attribute name at `at`, `at` if there is none.
const char* name_end(const char* at, const char* end) noexcept;

// The name of a tag in lower case.
struct TagName {
  std::string_view written;
  NameKey key;  // of no known element if the name is longer than 16 bytes
  bool has_dot = false;
};
// For names of any size, to the very end of the input.
TagName read_any_tag_name(const char* at, const char* end) noexcept;
inline TagName read_tag_name(const char* at, const char* end) noexcept {
  if (static_cast<size_t>(end - at) >= kNameBlockBytes && is(*at, kNameStart)) {
    const LeadingName name = leading_name(at);
    if (name.size < kNameBlockBytes) return TagName{{at, name.size}, name.key, name.has_dot};
  }
  return read_any_tag_name(at, end);
}

struct MarkupAttribute {
  std::string_view name;     // empty: nothing that could be an attribute
  std::string_view written;  // name and value
  std::string_view value;    // as written, without quotes
  char quote = '\0';         // '"', '\'', or none
};
// True at '>', "/>" and the end.
inline bool ends_tag(const char* at, const char* end) noexcept {
  return at == end || *at == '>' || (*at == '/' && at + 1 != end && at[1] == '>');
}
// `at` is in a start tag, not at its end. Moves to the next attribute or to the end of the tag.
MarkupAttribute read_attribute(const char*& at, const char* end) noexcept;
// The same if the size of its name is known: as by name_end(), not 0.
MarkupAttribute read_attribute_named(const char*& at, size_t name_size, const char* end) noexcept;
// The position to which read_attribute() would move `at`. `behind_name`: the end of the name.
const char* skip_any_attribute(const char* behind_name, const char* end) noexcept;
inline const char* skip_attribute(const char* behind_name, const char* end) noexcept {
  const char* at = behind_name;
  if (end - at < 2 || at[0] != '=' || (at[1] != '"' && at[1] != '\'')) return skip_any_attribute(at, end);
  at = find_near_byte(at + 2, end, at[1]);
  return at == end ? end : skip_blanks(at + 1, end);
}

// `at` is behind the name of an end tag: at its '>', or the end.
inline const char* end_tag_close(const char* at, const char* end) noexcept {
  while (at != end && *at != '>') {
    if (*at == '/' || is(*at, kBlank)) {
      ++at;
    } else {
      read_attribute(at, end);
    }
  }
  return at;
}

struct CharacterReference {
  const char* end;
  bool valid;           // it means a character that text may contain
  uint32_t value;       // the character
  uint32_t second = 0;  // a second character, if not 0
};
// `at` is at "&#". The end is `at` if no digit follows.
CharacterReference read_numeric_reference(const char* at, const char* end) noexcept;

}  // namespace nd::text
