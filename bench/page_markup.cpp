// Spells the words of a generated page and puts them into the HTML of its site.
#include "page_markup.hpp"

#include <array>
#include <string_view>

namespace ndc::bench {
namespace {

// The first kAntecedents begin spot signatures (spotsigs/antecedents.cpp).
constexpr std::array<std::string_view, kStopWords> kCommonWords = {
    "the",   "a",     "is",    "was",   "that", "an",    "of",      "and",    "to",      "in",
    "there", "it",    "for",   "as",    "with", "his",   "he",      "be",     "on",      "by",
    "at",    "this",  "have",  "from",  "or",   "had",   "not",     "are",    "but",     "which",
    "they",  "you",   "were",  "all",   "her",  "she",   "would",   "their",  "we",      "him",
    "been",  "has",   "when",  "who",   "will", "more",  "no",      "if",     "out",     "so",
    "what",  "up",    "its",   "about", "into", "than",  "them",    "can",    "only",    "other",
    "some",  "could", "these", "then",  "do",   "any",   "my",      "now",    "such",    "like",
    "our",   "over",  "me",    "even",  "most", "after", "also",    "did",    "many",    "before",
    "must",  "where", "your",  "how",   "too",  "very",  "own",     "both",   "between", "under",
    "never", "same",  "while", "here",  "each", "those", "against", "should", "because", "through"};

std::string word_of(uint32_t rank) {
  if (rank < kCommonWords.size()) return std::string(kCommonWords[rank]);
  constexpr std::string_view kConsonants = "bcdfghjklmnprstvz";
  constexpr std::string_view kVowels = "aeiou";
  std::string word;
  for (uint32_t left = rank; left != 0 || word.size() < 4; left /= 85) {
    word += kConsonants[left % 85 / 5];
    word += kVowels[left % 5];
  }
  return word;
}

std::string sentences_of(const Words& words) {
  std::string text;
  for (size_t at = 0; at < words.size(); ++at) {
    std::string word = word_of(words[at]);
    if (at % kSentenceWords == 0) word[0] = static_cast<char>(word[0] - 'a' + 'A');
    if (at != 0) text += at % kSentenceWords == 0 ? ". " : " ";
    text += word;
  }
  return text + ".";
}

}  // namespace

std::string url_of(const Page& page, uint64_t number) {
  return "https://site" + std::to_string(page.site) + ".example/" + std::to_string(number);
}

std::string html_of(const Page& page) {
  std::string boilerplate, content, title;
  for (const Block& block : page.blocks) {
    if (block.weight == kBoilerplateWeight) {
      boilerplate += "<li><a href=\"/" + word_of(block.words.front()) + "\">" + sentences_of(block.words) +
                     "</a></li>\n";
    } else {
      content += "<p>" + sentences_of(block.words) + "</p>\n";
      if (title.empty()) title = word_of(block.words.front()) + " " + word_of(block.words.back());
    }
  }
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + title +
         "</title></head>\n<body><ul>\n" + boilerplate + "</ul>\n<div>\n" + content +
         "</div></body></html>\n";
}

}  // namespace ndc::bench
