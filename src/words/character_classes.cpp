// Fills the table of classes from ICU's properties once, because asking ICU for each character would take
// most of the time.
#include "words/character_classes.hpp"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>

#include "words/cjk_dictionary.hpp"

namespace nd::text {
namespace {

bool is_of_spaceless_script(UChar32 c) noexcept {
  // The prolonged sound mark belongs to both kana and so, by its script property, to neither.
  if ((c >= 0x3041 && c <= 0x30ff) || (c >= 0x31f0 && c <= 0x31ff)) return true;
  switch (u_getIntPropertyValue(c, UCHAR_SCRIPT)) {
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_THAI:
    case USCRIPT_LAO:
    case USCRIPT_KHMER:
    case USCRIPT_MYANMAR:
      return true;
    default:
      return false;
  }
}

// Characters that ICU's root rules, in some version, treat differently from their property: ':' (MidLetter
// until CLDR 42), '@' (a letter in ICU 72), and compatibility forms, which normalised text does not contain.
bool is_tailored(UChar32 c) noexcept {
  return c == ':' || c == '@' || (c >= 0xfe10 && c <= 0xfe1f) || (c >= 0xfe50 && c <= 0xfe6f) ||
         (c >= 0xff00 && c <= 0xffef);
}

// The characters of ICU's engine for Chinese and Japanese.
bool is_in_cjk_engine(UChar32 c) noexcept {
  if (c == 0x30fc || c == 0xff70 || c == 0xff9e || c == 0xff9f) return true;
  switch (u_getIntPropertyValue(c, UCHAR_SCRIPT)) {
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
      return true;
    default:
      return false;
  }
}

// The characters of that engine that no word rule treats specially and that NFKC leaves unchanged (the engine
// normalises; runs of these need no change). The dictionary's first characters lie in the range in the
// middle; those beyond U+FFFF are in no word.
bool is_left_to_dictionary(UChar32 c, bool alphanumeric) noexcept {
  return ((c >= CjkDictionary::kFirstCharacter && c < CjkDictionary::kEndCharacter) || c > 0xffff) &&
         u_getIntPropertyValue(c, UCHAR_NFKC_QUICK_CHECK) == UNORM_YES && u_getCombiningClass(c) == 0 &&
         alphanumeric;
}

WordBreak word_break_of(UChar32 c, bool alphanumeric) noexcept {
  const bool is_in_engine = is_in_cjk_engine(c);
  const int32_t word_break = u_getIntPropertyValue(c, UCHAR_WORD_BREAK);
  if (is_in_engine && is_left_to_dictionary(c, alphanumeric)) {
    if (word_break == U_WB_KATAKANA) return WordBreak::kKatakana;
    if (word_break == U_WB_OTHER || word_break == U_WB_ALETTER) return WordBreak::kIdeograph;
  }
  if (is_in_engine || is_tailored(c) || u_getIntPropertyValue(c, UCHAR_LINE_BREAK) == U_LB_COMPLEX_CONTEXT) {
    return WordBreak::kOpaque;
  }
  if (c >= 0xac00 && c <= 0xd7a3) return WordBreak::kHangul;
  switch (word_break) {
    case U_WB_OTHER:
    case U_WB_DOUBLE_QUOTE:
    case U_WB_WSEGSPACE:
      return WordBreak::kOther;
    case U_WB_ALETTER:
      return WordBreak::kLetter;
    case U_WB_NUMERIC:
      return WordBreak::kNumber;
    case U_WB_MIDLETTER:
      return WordBreak::kMidLetter;
    case U_WB_MIDNUM:
      return WordBreak::kMidNumber;
    case U_WB_MIDNUMLET:
    case U_WB_SINGLE_QUOTE:
      return WordBreak::kMidBoth;
    case U_WB_EXTENDNUMLET:
      return WordBreak::kJoiner;
    case U_WB_EXTEND:
    case U_WB_FORMAT:
      return WordBreak::kExtend;
    default:
      return WordBreak::kOpaque;
  }
}

}  // namespace

CharacterClass CharacterClasses::look_up(char32_t code_point) noexcept {
  const auto c = static_cast<UChar32>(code_point);
  const auto category = U_MASK(u_charType(c));
  const bool alphanumeric = (category & (U_GC_L_MASK | U_GC_N_MASK)) != 0;
  const bool spaceless = is_of_spaceless_script(c);
  return {word_break_of(c, alphanumeric), alphanumeric, (category & U_GC_M_MASK) != 0,
          spaceless && alphanumeric};
}

CharacterClasses::CharacterClasses() noexcept {
  constexpr CharacterClass kHan{WordBreak::kIdeograph, true, false, true};
  constexpr CharacterClass kHangul{WordBreak::kHangul, true, false, false};
  for (char32_t c = 0; c < table_.size(); ++c) {
    // The two large blocks without exceptions need no look-up.
    const bool is_han = c >= 0x4e00 && c < 0x9ff0;
    const bool is_hangul = c >= 0xac00 && c <= 0xd7a3;
    table_[c] = is_han ? kHan : is_hangul ? kHangul : look_up(c);
  }
}

const CharacterClasses& CharacterClasses::instance() noexcept {
  static const CharacterClasses classes;
  return classes;
}

}  // namespace nd::text
