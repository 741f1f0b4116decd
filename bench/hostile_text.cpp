// Pages whose text is expensive: undeclared charsets, dictionaries, normal forms, dense signatures, random
// bytes.
#include <array>

#include "hostile_page_text.hpp"

namespace ndc::bench {
namespace {

constexpr std::string_view kSentence = "The quick brown fox jumps over the lazy dog while it was raining. ";

// Random characters of [first, first + count).
std::string characters(size_t bytes, unsigned variant, uint32_t first, uint32_t count) {
  Random random(first);
  return numbered(bytes, variant, "", "",
                  [&](uint64_t) { return utf8_of(first + static_cast<uint32_t>(random() % count)); });
}

// The page as a server that declares nothing would send it: two bytes a character, both in the range of the
// first level of GB 2312.
std::string undeclared_gbk(size_t bytes, unsigned variant) {
  Random random(7);
  PageText page(bytes, variant);
  while (page.left() >= 2) {
    const std::array<char, 2> character = {static_cast<char>(0xb0 + random() % 0x28),
                                           static_cast<char>(0xa1 + random() % 0x5e)};
    page.add({character.data(), character.size()});
  }
  return page.take();
}

std::string random_bytes(size_t bytes, unsigned variant) {
  Random random(11);
  PageText page(bytes, variant);
  page.add(std::string(kTextFirst, 'x'));
  while (page.left() != 0) {
    const char byte = static_cast<char>(random());
    page.add({&byte, 1});
  }
  return page.take();
}

// No two sentences are equal, no word is in a dictionary, one word in three begins a spot signature.
std::string dense_prose(size_t bytes, unsigned variant) {
  Random random(13);
  return numbered(bytes, variant, "<p>", "</p>", [&](uint64_t number) {
    std::string piece = number % 3 == 0 ? "the" : random_word(random);
    return piece + (number % 12 == 11 ? ". " : number % 120 == 119 ? ".</p><p>" : " ");
  });
}

// Words at random, of which a variant has changed one in eight: the middle of the scale, where a comparison
// has the most to do.
std::string edited_words(size_t bytes, unsigned variant) {
  Random random(23), editor(variant);
  return numbered(bytes, variant, "<p>", "", [&](uint64_t) {
    std::string word = random_word(random) + " ";
    if (variant != 0 && editor() % 8 == 0) word = random_word(editor) + " ";
    return word;
  });
}

std::string mixed_scripts(size_t bytes, unsigned variant) {
  Random random(17);
  constexpr std::array<uint32_t, 8> kFirst = {0x61, 0x4e00, 0x3041, 0x0e01, 0xac00, 0x0627, 0x0905, 0x1780};
  return numbered(bytes, variant, "", "", [&](uint64_t) {
    return utf8_of(kFirst[random() % kFirst.size()] + static_cast<uint32_t>(random() % 20));
  });
}

// Units of UTF-16, little end first: surrogates alone, in pairs and the wrong way round.
std::string surrogates(size_t bytes, unsigned variant) {
  Random random(23);
  std::string out = "\xff\xfe";
  const auto add = [&](uint32_t unit) {
    out += static_cast<char>(unit & 0xff);
    out += static_cast<char>(unit >> 8);
  };
  for (const char c : "<p>" + std::to_string(variant) + " ")
    add(static_cast<unsigned char>(c));
  while (out.size() + 2 <= bytes)
    add(0xd800 + static_cast<uint32_t>(random() % 0x800));
  return out;
}

// Four bytes a character, of the part of GB 18030 that no table of two bytes has.
std::string four_byte_characters(size_t bytes, unsigned variant) {
  Random random(29);
  PageText page(bytes, variant);
  while (page.left() >= 4) {
    const std::array<char, 4> character = {'\x81', static_cast<char>(0x30 + random() % 10),
                                           static_cast<char>(0x81 + random() % 0x7e),
                                           static_cast<char>(0x30 + random() % 10)};
    page.add({character.data(), character.size()});
  }
  return page.take();
}

// Syllables of Hangul taken apart, which the normal form puts together: a leading consonant, a vowel, an end.
std::string jamo(size_t bytes, unsigned variant) {
  Random random(31);
  return numbered(bytes, variant, "<p>", "", [&](uint64_t number) {
    return utf8_of(0x1100 + static_cast<uint32_t>(random() % 19)) +
           utf8_of(0x1161 + static_cast<uint32_t>(random() % 21)) +
           utf8_of(0x11a8 + static_cast<uint32_t>(random() % 27)) + (number % 5 == 4 ? " " : "");
  });
}

// The words of each page come in the order of its own random numbers: pages of one make share all words, and
// in between too much and too little of their order.
std::string two_words(size_t bytes, unsigned variant) {
  Random random(37);
  Random changes(variant);
  return numbered(bytes, variant, "<p>", "", [&](uint64_t) {
    const bool first = random() % 2 == 0;
    const bool changed = variant != 0 && changes() % 4 == 0;
    return std::string(first != changed ? "alpha " : "beta ");
  });
}

// Distinct words, of which a page of another variant has two of five in other places.
std::string shuffled_words(size_t bytes, unsigned variant) {
  Random changes(variant);
  return numbered(bytes, variant, "<p>", "", [&](uint64_t number) {
    const bool changed = variant != 0 && changes() % 5 < 2;
    return "w" + std::to_string(changed ? changes() % (number + 1) : number) + " ";
  });
}

constexpr HostileKind kText[] = {
    HostileKind{"chinese", "ideographs without punctuation", kHtmlType,
                [](size_t bytes, unsigned variant) { return characters(bytes, variant, 0x4e00, 5000); }},
    HostileKind{"one-ideograph", "the same ideograph", kHtmlType,
                [](size_t bytes, unsigned variant) { return flood(bytes, variant, "", "\u4e2d"); }},
    HostileKind{"undeclared-gbk", "ideographs as GBK, which nothing declares", "text/html", undeclared_gbk},
    HostileKind{"katakana", "katakana without punctuation", kHtmlType,
                [](size_t bytes, unsigned variant) { return characters(bytes, variant, 0x30a1, 80); }},
    HostileKind{"thai", "Thai without spaces", kHtmlType,
                [](size_t bytes, unsigned variant) { return characters(bytes, variant, 0x0e01, 46); }},
    HostileKind{"khmer", "Khmer without spaces", kHtmlType,
                [](size_t bytes, unsigned variant) { return characters(bytes, variant, 0x1780, 51); }},
    HostileKind{"mixed-scripts", "another script at each character", kHtmlType, mixed_scripts},
    HostileKind{"combining-marks", "combining marks on one letter", kHtmlType,
                [](size_t bytes, unsigned variant) { return characters(bytes, variant, 0x0300, 0x70); }},
    HostileKind{"jamo", "syllables of Hangul, taken apart", kHtmlType, jamo},
    HostileKind{"ligatures", "characters that stand for eighteen", kHtmlType,
                [](size_t bytes, unsigned variant) { return flood(bytes, variant, "<p>", "\ufdfa"); }},
    HostileKind{"zero-width", "letters with characters between them that do not show", kHtmlType,
                [](size_t bytes, unsigned variant) {
                  return flood(bytes, variant, "<p>", "a\u200d\u200b\u00ad\ufe0f");
                }},
    HostileKind{"right-to-left", "Hebrew with points and marks of direction", kHtmlType,
                [](size_t bytes, unsigned variant) {
                  return flood(bytes, variant, "<p>",
                               "\u202e\u05d0\u05b8\u05d1\u05bc\u202c \u0627\u0644\u0644\u0651\u0647 ");
                }},
    HostileKind{"digits", "one number", kHtmlType,
                [](size_t bytes, unsigned variant) { return flood(bytes, variant, "<p>", "1234567890"); }},
    HostileKind{"numbers", "distinct numbers", kHtmlType,
                [](size_t bytes, unsigned variant) {
                  return numbered(bytes, variant, "<p>", "",
                                  [](uint64_t number) { return std::to_string(number) + " "; });
                }},
    HostileKind{
        "joined-words", "letters joined by what may stand within a word", kHtmlType,
        [](size_t bytes, unsigned variant) { return flood(bytes, variant, "<p>", "a'b.c_d:e\u00b71,2.3-"); }},
    HostileKind{
        "full-stops", "what ends a sentence, and nothing else", kHtmlType,
        [](size_t bytes, unsigned variant) { return flood(bytes, variant, "<p>a", ".!?\u3002)\" "); }},
    HostileKind{"two-words", "two words without order", kHtmlType, two_words},
    HostileKind{"shuffled-words", "distinct words, many in another place than before", kHtmlType,
                shuffled_words},
    HostileKind{"surrogates", "halves of characters in UTF-16", "text/html; charset=utf-16le", surrogates},
    HostileKind{"four-byte-characters", "characters of GB 18030 that no table has",
                "text/html; charset=gb18030", four_byte_characters},
    HostileKind{"escapes", "escape sequences of ISO-2022-JP", "text/html; charset=iso-2022-jp",
                [](size_t bytes, unsigned variant) {
                  return flood(bytes, variant, "<p>", "\x1b$B$\"\x1b(Ba\x1b(J");
                }},
    HostileKind{"one-sentence", "one sentence again and again", kHtmlType,
                [](size_t bytes, unsigned variant) { return flood(bytes, variant, "<p>", kSentence); }},
    HostileKind{"one-word-sentences", "sentences of one letter", kHtmlType,
                [](size_t bytes, unsigned variant) { return flood(bytes, variant, "<p>", "a. "); }},
    HostileKind{"giant-word", "one word", kHtmlType,
                [](size_t bytes, unsigned variant) { return flood(bytes, variant, "<p>", "a"); }},
    HostileKind{"random-words", "distinct words, not one full stop", kHtmlType,
                [](size_t bytes, unsigned variant) {
                  Random random(19);
                  return numbered(bytes, variant, "<p>", "",
                                  [&](uint64_t) { return random_word(random) + " "; });
                }},
    HostileKind{"edited-words", "the same, and the page like it has other words at one place in eight",
                kHtmlType, edited_words},
    HostileKind{"dense-prose", "distinct sentences with many stop words", kHtmlType, dense_prose},
    HostileKind{"stop-words", "nothing but stop words", kHtmlType,
                [](size_t bytes, unsigned variant) {
                  return flood(bytes, variant, "<p>", "the a is of and the that was ");
                }},
    HostileKind{
        "spaces", "white space between letters", kHtmlType,
        [](size_t bytes, unsigned variant) { return flood(bytes, variant, "<p>x", " \t\n\r \u3000\u00a0"); }},
    HostileKind{"control-characters", "control characters", kHtmlType,
                [](size_t bytes, unsigned variant) {
                  return flood(bytes, variant, std::string(kTextFirst, 'x'), "\x01w\x02 \x1f");
                }},
    HostileKind{"zero-bytes", "NUL between letters", kHtmlType,
                [](size_t bytes, unsigned variant) {
                  return flood(bytes, variant, std::string(kTextFirst, 'x'), std::string_view("a\0", 2));
                }},
    HostileKind{"random-bytes", "bytes without order, which nothing declares", "text/html", random_bytes},
    HostileKind{"plain-text", "lines of one letter as text/plain", "text/plain; charset=utf-8",
                [](size_t bytes, unsigned variant) {
                  std::string out = variant == 0 ? "" : "Variant " + std::to_string(variant) + "\n\n";
                  while (out.size() + 3 <= bytes)
                    out += "a\n\n";
                  return out;
                }},
};

}  // namespace

std::span<const HostileKind> hostile_text_kinds() {
  return kText;
}

}  // namespace ndc::bench
