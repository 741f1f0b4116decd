// Pages that are expensive together: links to many hosts, and texts that share all words and hardly any
// order.
#include <vector>

#include "hostile_page_text.hpp"

namespace ndc::bench {
namespace {

// The last host gets the rest.
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

// The same short words, in blocks of a dozen whose order is particular to the page, behind one header: all
// words of one page are in the other, and only the slowest algorithm finds out how little of them is
// in the same order. No two pages are similar, so each founds a group, and the next page must be compared
// with all of them.
std::string shuffled_blocks(size_t bytes, unsigned variant) {
  constexpr size_t kWordsPerBlock = 12;
  constexpr std::string_view kHeader =
      "<h1>The harbour of the old town</h1><p>The council of the town has decided on the repair of the "
      "harbour, and the works will begin in the spring of the year.</p><p>";
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
  PageText page(bytes, 0);
  page.add(kHeader);
  Random words(43);
  std::vector<std::string> blocks(page.left() / (3 * kWordsPerBlock));
  for (std::string& block : blocks) {
    for (size_t word = 0; word < kWordsPerBlock; ++word)
      block += {kLetters[words() % kLetters.size()], kLetters[words() % kLetters.size()], ' '};
  }
  Random order(variant);
  std::ranges::shuffle(blocks, order);
  for (const std::string& block : blocks)
    page.add(block);
  return page.take();
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
    HostileKind{"shuffled-blocks", "the same blocks of short words in another order, on many sites",
                kHtmlType, shuffled_blocks, 14},
};

}  // namespace

std::span<const HostileKind> hostile_site_kinds() {
  return kSites;
}

}  // namespace ndc::bench
