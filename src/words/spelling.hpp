// Letters of the Arabic and Hebrew scripts that readers take for one another, and what may as well be left
// out: a Persian page that was typed on an Arabic keyboard, or whose charset (windows-1256) lacks the Persian
// letters, has the Arabic ones; points and stretched letters come and go from one edition of a text to the
// next. What this merges was counted: docs/spelling.md.
#pragma once

#include <array>
#include <cstdint>

namespace nd::text {

// What spelling() has of a character that is left out.
inline constexpr char16_t kLeftOut = 0;

struct Spellings {
  static constexpr char32_t kFirst = 0x591;
  static constexpr char32_t kEnd = 0x900;
  std::array<char16_t, kEnd - kFirst> characters{};
};

inline constexpr Spellings kSpellings = [] {
  struct Marks {
    char16_t first;
    char16_t last;
  };
  struct Letter {
    char16_t from;
    char16_t to;
  };
  // Hebrew points and accents; Arabic vowel signs, superscript alef, hamza and madda above no letter that NFC
  // composes them with, signs of the Koran; U+0640 stretches a word.
  constexpr Marks kMarks[] = {{0x591, 0x5bd}, {0x5bf, 0x5bf}, {0x5c1, 0x5c2}, {0x5c4, 0x5c5}, {0x5c7, 0x5c7},
                              {0x610, 0x61a}, {0x640, 0x640}, {0x64b, 0x65f}, {0x670, 0x670}, {0x6d6, 0x6dc},
                              {0x6df, 0x6e4}, {0x6e7, 0x6e8}, {0x6ea, 0x6ed}, {0x8ca, 0x8e1}, {0x8e3, 0x8ff}};
  // Of yeh and kaf the Persian letters stay, so that word lists can be written as Persian is. Alef wasla
  // belongs to pointed text; heh with yeh above is heh with a hamza, which is a mark; the heh of Urdu is the
  // first of its two alone, since the other one makes other words.
  constexpr Letter kLetters[] = {{0x643, 0x6a9}, {0x64a, 0x6cc}, {0x671, 0x627}, {0x6c0, 0x647},
                                 {0x6c1, 0x647}, {0x6c2, 0x647}, {0x6c3, 0x629}};
  Spellings table;
  for (char32_t c = Spellings::kFirst; c < Spellings::kEnd; ++c)
    table.characters[c - Spellings::kFirst] = static_cast<char16_t>(c);
  for (const Marks& marks : kMarks) {
    for (char32_t c = marks.first; c <= marks.last; ++c)
      table.characters[c - Spellings::kFirst] = kLeftOut;
  }
  for (const Letter& letter : kLetters)
    table.characters[letter.from - Spellings::kFirst] = letter.to;
  return table;
}();

// The one character that stands for `c`, which is NFKC_Casefold's; most characters stand for themselves.
constexpr char32_t spelling(char32_t c) noexcept {
  return c < Spellings::kFirst || c >= Spellings::kEnd ? c : kSpellings.characters[c - Spellings::kFirst];
}

// Whether it is in the block in which Arabic, Persian and Urdu are written.
constexpr bool is_arabic(char32_t c) noexcept {
  return c >= 0x600 && c <= 0x6ff;
}

// No digit, no mark of punctuation, and not left out.
constexpr bool is_arabic_letter(char32_t c) noexcept {
  return c >= 0x620 && c <= 0x6ff && (c < 0x660 || c > 0x66d) && c != 0x6d4 && (c < 0x6f0 || c > 0x6f9) &&
         spelling(c) != kLeftOut;
}

// The same of two bytes, which may be any.
constexpr bool is_arabic_letter(const char* at) noexcept {
  const auto lead = static_cast<unsigned char>(at[0]);
  const auto trail = static_cast<unsigned char>(at[1]);
  return lead >= 0xd8 && lead <= 0xdb && is_arabic_letter(char32_t{(lead & 0x1fU) << 6 | (trail & 0x3fU)});
}

}  // namespace nd::text
