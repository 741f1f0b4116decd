// Pages for the tests of the engine and of the C interface: prose that reads like English to the text layer
// (function words between made-up ones), so that articles of different seeds share no phrase. Nothing here
// knows the library.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace sample {

using Random = std::mt19937_64;

inline std::string word(Random& random) {
  static constexpr std::string_view kSyllables[] = {"ka",  "lo",  "mi",  "ran", "tel", "vos", "dun",
                                                    "pri", "sha", "wer", "zim", "gol", "bre", "fen",
                                                    "cor", "jal", "nud", "hap", "tix", "yom"};
  std::string text;
  for (int i = 0; i < 3; ++i)
    text += kSyllables[random() % std::size(kSyllables)];
  return text;
}

inline std::string sentence(Random& random) {
  static constexpr std::string_view kStopWords[] = {"the",  "of", "and", "to",  "in",
                                                    "that", "is", "was", "for", "with"};
  std::string text;
  for (int i = 0; i < 6; ++i) {
    text += kStopWords[random() % std::size(kStopWords)];
    text += ' ';
    text += word(random);
    text += i < 5 ? " " : ".";
  }
  return text;
}

// About 290 columns wide.
inline std::string paragraph(uint64_t seed) {
  Random random(seed);
  std::string text;
  for (int i = 0; i < 4; ++i) {
    if (i != 0) text += ' ';
    text += sentence(random);
  }
  return text;
}

using Paragraphs = std::vector<std::string>;

// Articles of different seeds have nothing in common.
inline Paragraphs article(uint64_t seed, size_t paragraphs = 6) {
  Paragraphs text;
  for (size_t i = 0; i < paragraphs; ++i)
    text.push_back(paragraph(seed * 1000 + i));
  return text;
}

// The same article with its last `count` paragraphs rewritten.
inline Paragraphs rewritten(Paragraphs text, size_t count, uint64_t seed) {
  for (size_t i = 0; i < count && i < text.size(); ++i)
    text[text.size() - 1 - i] = paragraph(seed * 1000 + 500 + i);
  return text;
}

inline std::string html(const Paragraphs& text) {
  std::string page =
      "<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>Sample</title></head><body><div>";
  for (const std::string& each : text)
    page += "<p>" + each + "</p>\n";
  return page + "</div></body></html>";
}

inline std::string article_html(uint64_t seed, size_t paragraphs = 6) {
  return html(article(seed, paragraphs));
}

// A URL of a site of its own.
inline std::string url(uint64_t number) {
  return "https://www.site" + std::to_string(number) + ".example/page";
}

}  // namespace sample
