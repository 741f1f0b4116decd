// What the tokenizers need to know of a character, in one byte.
#pragma once

#include <array>
#include <cstdint>

namespace nd::text {

// The word-break property of UAX #29, reduced to what the plain tokenizer handles.
enum class WordBreak : uint8_t {
  kOther,
  kLetter,     // ALetter
  kHangul,     // a Hangul syllable, which ICU joins only with other Hangul syllables
  kNumber,     // Numeric
  kMidLetter,  // MidLetter
  kMidNumber,  // MidNum
  kMidBoth,    // MidNumLet, Single_Quote
  kJoiner,     // ExtendNumLet
  kExtend,     // Extend, Format
  kIdeograph,  // Han or Hiragana, of which the dictionary makes words
  kKatakana,   // the same, but joined by ExtendNumLet
  kOpaque,     // left to ICU: other scripts without spaces, Hebrew, joiners, what ICU's rules change
};

class CharacterClass {
 public:
  constexpr CharacterClass() noexcept = default;
  constexpr CharacterClass(WordBreak word_break, bool alphanumeric, bool mark, bool spaceless) noexcept
      : bits_(static_cast<uint8_t>(static_cast<unsigned>(word_break) | (alphanumeric ? 0x10U : 0U) |
                                   (mark ? 0x20U : 0U) | (spaceless ? 0x40U : 0U))) {}

  constexpr WordBreak word_break() const noexcept { return static_cast<WordBreak>(bits_ & 0xf); }
  // General category L or N.
  constexpr bool is_alphanumeric() const noexcept { return (bits_ & 0x10) != 0; }
  // General category M.
  constexpr bool is_mark() const noexcept { return (bits_ & 0x20) != 0; }
  // Alphanumeric, and of a script that writes no spaces: Han, Hiragana, Katakana, Thai, Lao, Khmer, Myanmar.
  constexpr bool is_spaceless() const noexcept { return (bits_ & 0x40) != 0; }
  // Part of a token that may be longer than one character.
  constexpr bool is_in_run() const noexcept { return (bits_ & 0x30) != 0 && !is_spaceless(); }

 private:
  uint8_t bits_ = 0;
};

// Built from ICU's properties at the first use in the process (a few milliseconds), then never changed.
class CharacterClasses {
 public:
  static const CharacterClasses& instance() noexcept;

  CharacterClass of(char32_t c) const noexcept { return c < table_.size() ? table_[c] : look_up(c); }

 private:
  CharacterClasses() noexcept;
  static CharacterClass look_up(char32_t c) noexcept;

  std::array<CharacterClass, 0x10000> table_;
};

}  // namespace nd::text
