// Draws each page from its number alone, so that any range of pages can be made again anywhere.
#include "page_generator.hpp"

#include <algorithm>
#include <utility>

#include "core/hash.hpp"

namespace ndc::bench {
namespace {

using nd::mix;

constexpr uint64_t kPagesPerSite = 60;
constexpr uint64_t kMostParagraphs = 6;
constexpr uint64_t kTemplateWords = 40;
constexpr uint64_t kOwnWordOfTemplate = 8;  // one in so many

}  // namespace

Zipf::Zipf(uint32_t ranks) {
  double sum = 0;
  for (uint32_t rank = 1; rank <= ranks; ++rank)
    cumulative_.push_back(sum += 1.0 / rank);
}

uint32_t Zipf::operator()(Random& random) const {
  const double at = std::uniform_real_distribution<>(0, cumulative_.back())(random);
  return static_cast<uint32_t>(std::lower_bound(cumulative_.begin(), cumulative_.end(), at) -
                               cumulative_.begin());
}

PageGenerator::PageGenerator(uint64_t count) : sites_(std::max<uint64_t>(20, count / kPagesPerSite)) {}

uint64_t PageGenerator::memory_bytes() const {
  return articles_.capacity() * sizeof(uint64_t) +
         (kVocabulary + kStockSentences + kTemplates) * sizeof(double);
}

PageGenerator::Kind PageGenerator::kind_of(Random& random) const {
  const uint64_t draw = random() % 100;
  if (draw < 30 && !articles_.empty()) return draw < 5 ? Kind::kCopy : Kind::kEditedCopy;
  if (draw < 40 && !articles_.empty()) return Kind::kTeaser;
  if (draw < 45 && articles_.size() >= 10) return Kind::kIndex;
  return Kind::kArticle;
}

Page PageGenerator::page(uint64_t number) {
  Random random(mix(number + 1));
  const Kind kind = kind_of(random);
  Page out;
  out.label = number;
  // A quarter of the pages are of one site in a hundred.
  out.site = random() % 4 == 0 ? random() % (sites_ / 100 + 1) : random() % sites_;
  add_boilerplate(out);
  std::vector<Words> text;
  switch (kind) {
    case Kind::kCopy:
    case Kind::kEditedCopy:
      out.label = some_article(random);
      text = article(out.label);
      if (kind == Kind::kEditedCopy) edit(text, random);
      break;
    case Kind::kTeaser: {
      Words quote = article(some_article(random)).front();
      quote.resize(std::min<size_t>(quote.size(), 2 * kSentenceWords));
      text = {quote, some_words(random, 60)};
      break;
    }
    case Kind::kIndex:
      for (int i = 0; i < 10; ++i) {
        Words headline = article(some_article(random)).front();
        headline.resize(8);
        text.push_back(headline);
      }
      break;
    case Kind::kArticle:
      text = article(number);
      articles_.push_back(number);
  }
  if (random() % 5 < 2) {
    Random stock(mix(stock_(random)) ^ 0x570cULL);
    text.push_back(some_words(stock, 2 * kSentenceWords));
  }
  for (Words& paragraph : text)
    out.blocks.push_back({std::move(paragraph), kContentWeight});
  return out;
}

void PageGenerator::skip(uint64_t number) {
  Random random(mix(number + 1));
  if (kind_of(random) == Kind::kArticle) articles_.push_back(number);
}

Words PageGenerator::some_words(Random& random, uint64_t count) const {
  Words out;
  while (out.size() < count)
    out.push_back(words_(random));
  return out;
}

std::vector<Words> PageGenerator::article(uint64_t label) const {
  Random random(mix(label) ^ 0xa57ULL);
  std::vector<Words> out(3 + random() % (kMostParagraphs - 2));
  for (Words& paragraph : out)
    paragraph = some_words(random, 30 + random() % 31);
  if (random() % 5 == 0) {
    const uint64_t chosen = templates_(random);
    for (size_t at = 0; at < out.size(); at += 2)
      out[at] = filled_template(kMostParagraphs * chosen + at, random);
  }
  return out;
}

// The same words for one seed, but for those of the article.
Words PageGenerator::filled_template(uint64_t seed, Random& random) const {
  Random shared(mix(seed) ^ 0x7e3fULL);
  Words out = some_words(shared, kTemplateWords);
  for (uint32_t& word : out) {
    if (random() % kOwnWordOfTemplate == 0) word = words_(random);
  }
  return out;
}

void PageGenerator::add_boilerplate(Page& page) const {
  Random random(mix(page.site) ^ 0xf4a3eULL);
  for (int i = 0; i < 6; ++i)
    page.blocks.push_back({some_words(random, 8 + random() % 12), kBoilerplateWeight});
}

// One of: a paragraph less, one more, two that change places, one word in twenty.
void PageGenerator::edit(std::vector<Words>& text, Random& random) const {
  const size_t at = random() % text.size();
  switch (random() % 4) {
    case 0:
      text.erase(text.begin() + static_cast<ptrdiff_t>(at));
      break;
    case 1:
      text.push_back(some_words(random, 40));
      break;
    case 2:
      std::swap(text[at], text[random() % text.size()]);
      break;
    default:
      for (Words& paragraph : text) {
        for (uint32_t& word : paragraph) {
          if (random() % 20 == 0) word = words_(random);
        }
      }
  }
}

}  // namespace ndc::bench
