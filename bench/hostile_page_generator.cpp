#include "hostile_page_generator.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace ndc::bench {
namespace {

using Random = std::mt19937_64;

constexpr std::string_view kHtmlType = "text/html; charset=utf-8";
constexpr std::string_view kSentence = "The quick brown fox jumps over the lazy dog while it was raining. ";

// So much text first that a body is not taken for a binary file (text/content_kind.hpp).
constexpr size_t kTextFirst = 2048;

class PageText {
 public:
  PageText(size_t bytes, unsigned variant) : bytes_(bytes) {
    out_.reserve(bytes);
    out_ = "<!DOCTYPE html><html><head><title>page</title></head><body>";
    if (variant != 0) out_ += "<p>Variant " + std::to_string(variant) + " of this page.</p>";
  }
  size_t left() const { return bytes_ - std::min(bytes_, out_.size()); }
  bool add(std::string_view piece) {
    if (piece.size() > left()) return false;
    out_ += piece;
    return true;
  }
  // While there is more room than that.
  void repeat(std::string_view piece, size_t but = 0) {
    while (left() >= but + piece.size())
      out_ += piece;
  }
  std::string take() { return std::move(out_); }

 private:
  size_t bytes_;
  std::string out_;
};

std::string utf8_of(uint32_t character) {
  std::string out;
  if (character < 0x80) {
    out += static_cast<char>(character);
  } else if (character < 0x800) {
    out += static_cast<char>(0xc0 | character >> 6);
    out += static_cast<char>(0x80 | (character & 0x3f));
  } else {
    out += static_cast<char>(0xe0 | character >> 12);
    out += static_cast<char>(0x80 | (character >> 6 & 0x3f));
    out += static_cast<char>(0x80 | (character & 0x3f));
  }
  return out;
}

// The first half of the page one piece, the rest another.
std::string halves(size_t bytes, unsigned variant, std::string_view first, std::string_view second) {
  PageText page(bytes, variant);
  page.repeat(first, page.left() / 2);
  page.repeat(second);
  return page.take();
}

std::string flood(size_t bytes, unsigned variant, std::string_view before, std::string_view piece) {
  PageText page(bytes, variant);
  page.add(before);
  page.repeat(piece);
  return page.take();
}

// Numbered pieces, each made of its number.
template <typename Piece>
std::string numbered(size_t bytes, unsigned variant, std::string_view before, std::string_view behind,
                     Piece&& piece) {
  PageText page(bytes, variant);
  page.add(before);
  for (uint64_t number = 0;; ++number) {
    const std::string next = piece(number);
    if (page.left() < next.size() + behind.size()) break;
    page.add(next);
  }
  page.add(behind);
  return page.take();
}

// Random characters of [first, first + count).
std::string characters(size_t bytes, unsigned variant, uint32_t first, uint32_t count) {
  Random random(first);
  return numbered(bytes, variant, "", "",
                  [&](uint64_t) { return utf8_of(first + static_cast<uint32_t>(random() % count)); });
}

std::string random_word(Random& random) {
  std::string word;
  for (size_t size = 2 + random() % 9; size != 0; --size)
    word += static_cast<char>('a' + random() % 26);
  return word;
}

// The page as a server would send it that declares nothing: two bytes a character, both in the range of the
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

// The same few thousand sentences, in an order of the page's own: all keys are shared, and hardly any order.
std::string shuffled_sentences(size_t bytes, unsigned variant) {
  constexpr size_t kSentences = 4000;
  Random words(41);
  std::vector<std::string> sentences(kSentences);
  for (std::string& sentence : sentences) {
    for (int word = 0; word < 12; ++word)
      sentence += (word % 3 == 0 ? "the" : random_word(words)) + (word == 11 ? ". " : " ");
  }
  Random order(variant);
  std::ranges::shuffle(sentences, order);
  return numbered(bytes, 0, "<p>", "", [&](uint64_t number) { return sentences[number % kSentences]; });
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

// Beyond the depth that a reader lets through: a title, and in it a start tag of very many attributes.
std::string title_beyond_depth(size_t bytes, unsigned variant) {
  std::string before;
  for (int depth = 0; depth < 300; ++depth)
    before += "<div>";
  return numbered(bytes, variant, before + "<title>word <i", ">text</i>",
                  [](uint64_t number) { return " a" + std::to_string(number) + "=1"; });
}

constexpr std::
    array
        kKinds =
            {
                HostileKind{
                    "inline-end-tags", "<b>, then as many </i>", kHtmlType,
                    [](size_t bytes, unsigned variant) { return halves(bytes, variant, "<b>", "</i>"); }},
                HostileKind{
                    "block-end-tags", "<div>, then as many </i>", kHtmlType,
                    [](size_t bytes, unsigned variant) { return halves(bytes, variant, "<div>", "</i>"); }},
                HostileKind{
                    "body-start-tags", "<b>, then as many <body>", kHtmlType,
                    [](size_t bytes, unsigned variant) { return halves(bytes, variant, "<b>", "<body>"); }},
                HostileKind{
                    "paragraph-end-tags", "<b>, then as many </p>", kHtmlType,
                    [](size_t bytes, unsigned variant) { return halves(bytes, variant, "<b>", "</p>"); }},
                HostileKind{
                    "nested-blocks", "<div> that are never closed", kHtmlType,
                    [](size_t bytes, unsigned variant) { return flood(bytes, variant, "", "<div>"); }},
                HostileKind{
                    "nested-blocks-with-text", "<div>word that are never closed", kHtmlType,
                    [](size_t bytes, unsigned variant) { return flood(bytes, variant, "", "<div>word "); }},
                HostileKind{"nested-tables", "<table><tr><td> that are never closed", kHtmlType,
                            [](size_t bytes, unsigned variant) {
                              return flood(bytes, variant, "", "<table><tr><td>cell ");
                            }},
                HostileKind{"nested-formatting", "<a href><b><i><font> that are never closed, with text",
                            kHtmlType,
                            [](size_t bytes, unsigned variant) {
                              return flood(bytes, variant, "", "<a href=x><b><i><font>word ");
                            }},
                HostileKind{"attributes", "one start tag with distinct attributes", kHtmlType,
                            [](size_t bytes, unsigned variant) {
                              return numbered(bytes, variant, "<div", ">text</div>", [](uint64_t number) {
                                return " attribute-" + std::to_string(number) + "=\"of one start tag\"";
                              });
                            }},
                HostileKind{"attribute-names", "start tags with distinct attributes", kHtmlType,
                            [](size_t bytes, unsigned variant) {
                              return numbered(bytes, variant, "", "", [](uint64_t number) {
                                return "<i a" + std::to_string(number) + "=1>w</i>";
                              });
                            }},
                HostileKind{"attribute-values", "attributes that are read, each long", kHtmlType,
                            [](size_t bytes, unsigned variant) {
                              return flood(bytes, variant, "",
                                           "<p style=\"color:red;visibility: visible;display : block\" "
                                           "role=\"a b c d e f\" aria-hidden=\"no\">word</p>");
                            }},
                HostileKind{"attribute-ampersands", "values full of & that begin no entity", kHtmlType,
                            [](size_t bytes, unsigned variant) {
                              return flood(bytes, variant, "", "<a href=\"/?a&b&c&d&&&& &x;&#;\">w</a> ");
                            }},
                HostileKind{"one-value", "one value of the whole page's length", kHtmlType,
                            [](size_t bytes, unsigned variant) {
                              return flood(bytes, variant, "<meta name=description content=\"", "& word ");
                            }},
                HostileKind{"long-origins", "targets on hosts of thousands of letters", kHtmlType,
                            [](size_t bytes, unsigned variant) {
                              return numbered(bytes, variant, "", "", [](uint64_t number) {
                                return "<a href=\"//" + std::to_string(number) + std::string(3000, 'h') +
                                       ".example/\">w</a> ";
                              });
                            }},
                HostileKind{"foreign-hosts", "targets on hosts that are not ASCII", kHtmlType,
                            [](size_t bytes, unsigned variant) {
                              return numbered(bytes, variant, "", "", [](uint64_t number) {
                                return "<a href=\"//\u4e2d" + std::to_string(number) +
                                       ".\u00fc.example/\">w</a>";
                              });
                            }},
                HostileKind{"list-items", "lists within lists, items that are not closed", kHtmlType,
                            [](size_t bytes,
                               unsigned variant) { return flood(bytes, variant, "", "<ul><li>w<li>"); }},
                HostileKind{"options", "options and cells outside of their elements", kHtmlType,
                            [](size_t bytes, unsigned variant) {
                              return flood(bytes, variant, "", "<option>w<td>w<tr><dd>w<dt></table></dl>");
                            }},
                HostileKind{"comments", "empty comments between letters", kHtmlType,
                            [](size_t bytes,
                               unsigned variant) { return flood(bytes, variant, "", "w<!---->"); }},
                HostileKind{
                    "title", "a title of the whole page's length", kHtmlType,
                    [](size_t bytes, unsigned variant) { return flood(bytes, variant, "<title>", "w "); }},
                HostileKind{"title-beyond-depth", "a title too deep, with a tag of distinct attributes", kHtmlType,
                            title_beyond_depth},
                HostileKind{"tag-names", "start tags of distinct names", kHtmlType,
                            [](size_t bytes, unsigned variant) {
                              return numbered(bytes, variant, "", "", [](uint64_t number) {
                                return "<name" + std::to_string(number) + ">text of the element ";
                              });
                            }},
                HostileKind{"closed-tag-names", "elements of distinct names, each closed", kHtmlType,
                            [](size_t bytes, unsigned variant) {
                              return numbered(bytes, variant, "", "", [](uint64_t number) {
                                const std::string name = "name" + std::to_string(number);
                                return "<" + name + ">word</" + name + ">";
                              });
                            }},
                HostileKind{"lone-ampersands", "& that begin no entity", kHtmlType,
                            [](size_t bytes, unsigned variant) { return flood(bytes, variant, "", "& "); }},
                HostileKind{"unknown-entities", "&names; that are none", kHtmlType,
                            [](size_t bytes, unsigned variant) {
                              return numbered(bytes, variant, "", "", [](uint64_t number) {
                                return "&x" + std::to_string(number) + ";";
                              });
                            }},
                HostileKind{"entities", "&amp; and character references", kHtmlType,
                            [](size_t bytes, unsigned variant) {
                              return flood(bytes, variant, "", "&amp;&#65;&#x4e2d;&nbsp;&#1114112;");
                            }},
                HostileKind{"left-brackets", "nothing but <", kHtmlType,
                            [](size_t bytes, unsigned variant) { return flood(bytes, variant, "", "<"); }},
                HostileKind{
                    "open-comment", "a comment that is never closed", kHtmlType,
                    [](size_t bytes, unsigned variant) { return flood(bytes, variant, "<!-- ", "- -> "); }},
                HostileKind{
                    "open-comments", "comments that are never closed", kHtmlType,
                    [](size_t bytes, unsigned variant) { return flood(bytes, variant, "", "<!--x"); }},
                HostileKind{"open-script", "a script that is never closed", kHtmlType,
                            [](size_t bytes, unsigned variant) {
                              return flood(bytes, variant, "<script>", "</scrip <!-- ");
                            }},
                HostileKind{"open-attribute", "an attribute's value that is never closed", kHtmlType,
                            [](size_t bytes, unsigned variant) {
                              return flood(bytes, variant, "<a href=\"", "x='y>");
                            }},
                HostileKind{
                    "open-attributes", "start tags whose values are never closed", kHtmlType,
                    [](size_t bytes, unsigned variant) { return flood(bytes, variant, "", "<a b='"); }},
                HostileKind{"declarations", "<!doctype and <? without end", kHtmlType,
                            [](size_t bytes, unsigned variant) {
                              return flood(bytes, variant, "", "<!doctype <?x ");
                            }},
                HostileKind{"links", "distinct links", kHtmlType,
                            [](size_t bytes, unsigned variant) {
                              return numbered(bytes, variant, "", "", [](uint64_t number) {
                                return "<a href=\"//s" + std::to_string(number) + ".example/\">" +
                                       std::to_string(number) + "</a> ";
                              });
                            }},
                HostileKind{"blocks", "blocks of one distinct word", kHtmlType,
                            [](size_t bytes, unsigned variant) {
                              return numbered(bytes, variant, "", "", [](uint64_t number) {
                                return "<p>w" + std::to_string(number) + "</p>";
                              });
                            }},
                HostileKind{
                    "chinese", "ideographs without punctuation", kHtmlType,
                    [](size_t bytes, unsigned variant) { return characters(bytes, variant, 0x4e00, 5000); }},
                HostileKind{
                    "one-ideograph", "the same ideograph", kHtmlType,
                    [](size_t bytes, unsigned variant) { return flood(bytes, variant, "", "\u4e2d"); }},
                HostileKind{"undeclared-gbk", "ideographs as GBK, which nothing declares", "text/html",
                            undeclared_gbk},
                HostileKind{"katakana", "katakana without punctuation", kHtmlType,
                            [](size_t bytes, unsigned variant) {
                              return characters(bytes, variant, 0x30a1, 80);
                            }},
                HostileKind{"thai", "Thai without spaces", kHtmlType,
                            [](size_t bytes,
                               unsigned variant) { return characters(bytes, variant, 0x0e01, 46); }},
                HostileKind{"khmer", "Khmer without spaces", kHtmlType,
                            [](size_t bytes,
                               unsigned variant) { return characters(bytes, variant, 0x1780, 51); }},
                HostileKind{"mixed-scripts", "another script at each character", kHtmlType, mixed_scripts},
                HostileKind{"combining-marks", "combining marks on one letter", kHtmlType,
                            [](size_t bytes, unsigned variant) {
                              return characters(bytes, variant, 0x0300, 0x70);
                            }},
                HostileKind{"jamo", "syllables of Hangul, taken apart", kHtmlType, jamo},
                HostileKind{"ligatures", "characters that stand for eighteen", kHtmlType,
                            [](size_t bytes, unsigned variant) {
                              return flood(bytes, variant, "<p>", "\ufdfa");
                            }},
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
                            [](size_t bytes, unsigned variant) {
                              return flood(bytes, variant, "<p>", "1234567890");
                            }},
                HostileKind{"numbers", "distinct numbers", kHtmlType,
                            [](size_t bytes, unsigned variant) {
                              return numbered(bytes, variant, "<p>", "", [](uint64_t number) {
                                return std::to_string(number) + " ";
                              });
                            }},
                HostileKind{"joined-words", "letters joined by what may stand within a word", kHtmlType,
                            [](size_t bytes, unsigned variant) {
                              return flood(bytes, variant, "<p>", "a'b.c_d:e\u00b71,2.3-");
                            }},
                HostileKind{"full-stops", "what ends a sentence, and nothing else", kHtmlType,
                            [](size_t bytes,
                               unsigned variant) { return flood(bytes, variant, "<p>a", ".!?\u3002)\" "); }},
                HostileKind{"two-words", "two words without order", kHtmlType, two_words},
                HostileKind{"shuffled-words", "distinct words, many in another place than before", kHtmlType,
                            shuffled_words},
                HostileKind{"surrogates", "halves of characters in UTF-16", "text/html; charset=utf-16le",
                            surrogates},
                HostileKind{"four-byte-characters", "characters of GB 18030 that no table has",
                            "text/html; charset=gb18030", four_byte_characters},
                HostileKind{"escapes", "escape sequences of ISO-2022-JP", "text/html; charset=iso-2022-jp",
                            [](size_t bytes, unsigned variant) {
                              return flood(bytes, variant, "<p>", "\x1b$B$\"\x1b(Ba\x1b(J");
                            }},
                HostileKind{"shuffled-sentences", "the same sentences in another order", kHtmlType,
                            shuffled_sentences},
                HostileKind{"one-sentence", "one sentence again and again", kHtmlType,
                            [](size_t bytes, unsigned variant) {
                              return flood(bytes, variant, "<p>", kSentence);
                            }},
                HostileKind{"one-word-sentences", "sentences of one letter", kHtmlType,
                            [](size_t bytes, unsigned variant) {
                              return flood(bytes, variant, "<p>", "a. ");
                            }},
                HostileKind{"giant-word", "one word", kHtmlType,
                            [](size_t bytes, unsigned variant) { return flood(bytes, variant, "<p>", "a"); }},
                HostileKind{"random-words", "distinct words, not one full stop", kHtmlType,
                            [](size_t bytes, unsigned variant) {
                              Random random(19);
                              return numbered(bytes, variant, "<p>", "",
                                              [&](uint64_t) { return random_word(random) + " "; });
                            }},
                HostileKind{
                    "edited-words", "the same, and the page like it has other words at one place in eight", kHtmlType, edited_words},
                HostileKind{"dense-prose", "distinct sentences with many stop words", kHtmlType, dense_prose},
                HostileKind{"stop-words", "nothing but stop words", kHtmlType,
                            [](size_t bytes, unsigned variant) {
                              return flood(bytes, variant, "<p>", "the a is of and the that was ");
                            }},
                HostileKind{"spaces", "white space between letters", kHtmlType,
                            [](size_t bytes, unsigned variant) {
                              return flood(bytes, variant, "<p>x", " \t\n\r \u3000\u00a0");
                            }},
                HostileKind{"control-characters", "control characters", kHtmlType,
                            [](size_t bytes, unsigned variant) {
                              return flood(bytes, variant, std::string(kTextFirst, 'x'), "\x01w\x02 \x1f");
                            }},
                HostileKind{"zero-bytes", "NUL between letters", kHtmlType,
                            [](size_t bytes, unsigned variant) {
                              return flood(bytes, variant, std::string(kTextFirst, 'x'),
                                           std::string_view("a\0", 2));
                            }},
                HostileKind{"random-bytes", "bytes without order, which nothing declares", "text/html",
                            random_bytes},
                HostileKind{"plain-text", "lines of one letter as text/plain", "text/plain; charset=utf-8",
                            [](size_t bytes, unsigned variant) {
                              std::string out =
                                  variant == 0 ? "" : "Variant " + std::to_string(variant) + "\n\n";
                              while (out.size() + 3 <= bytes)
                                out += "a\n\n";
                              return out;
                            }},
};

}  // namespace

std::span<const HostileKind> hostile_kinds() {
  return kKinds;
}

const HostileKind* hostile_kind(std::string_view name) {
  const auto found =
      std::ranges::find_if(kKinds, [name](const HostileKind& kind) { return kind.name == name; });
  return found == kKinds.end() ? nullptr : &*found;
}

}  // namespace ndc::bench
