#include <vector>

#include "hostile_page_text.hpp"

namespace ndc::bench {
namespace {

// The last host takes what is left.
std::string long_origins(size_t bytes, unsigned variant) {
  constexpr size_t kHostLetters = 3000;
  constexpr std::string_view kBehind = ".example/\">w</a> ";
  PageText page(bytes, variant);
  for (uint64_t number = 0;; ++number) {
    const std::string before = "<a href=\"//" + std::to_string(number);
    const size_t least = before.size() + kBehind.size();
    if (page.left() <= least) break;
    page.add(before + std::string(std::min(kHostLetters, page.left() - least), 'h') + std::string(kBehind));
  }
  return page.take();
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

constexpr HostileKind kSites[] = {
    HostileKind{"long-origins", "targets on hosts of thousands of letters", kHtmlType, long_origins},
    HostileKind{"foreign-hosts", "targets on hosts that are not ASCII", kHtmlType,
                [](size_t bytes, unsigned variant) {
                  return numbered(bytes, variant, "", "", [](uint64_t number) {
                    return "<a href=\"//\u4e2d" + std::to_string(number) + ".\u00fc.example/\">w</a>";
                  });
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
                  return numbered(bytes, variant, "", "",
                                  [](uint64_t number) { return "<p>w" + std::to_string(number) + "</p>"; });
                }},
    HostileKind{"title", "a title of the whole page's length", kHtmlType,
                [](size_t bytes, unsigned variant) { return flood(bytes, variant, "<title>", "w "); }},
    HostileKind{"shuffled-sentences", "the same sentences in another order", kHtmlType, shuffled_sentences},
};

}  // namespace

std::span<const HostileKind> hostile_site_kinds() {
  return kSites;
}

}  // namespace ndc::bench
