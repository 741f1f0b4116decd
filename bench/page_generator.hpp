// Pages by the million, made of numbers: seven of ten are new (articles, teasers that quote another article,
// indexes of headlines), the others are copies of an earlier article, most of them edited. Every page stands
// in its site's boilerplate. Two in five have a stock sentence, as licences and invitations to subscribe are,
// and half of the text of one article in five is a template with words of its own between. Words, stock
// sentences and templates all follow Zipf's law, so that the commonest sentence stands on one page in 26.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace ndc::bench {

using Words = std::vector<uint32_t>;  // ranks: 0 is the commonest word
using Random = std::mt19937_64;

inline constexpr uint32_t kVocabulary = 50'000;
inline constexpr uint32_t kStockSentences = 20'000;
inline constexpr uint32_t kTemplates = 1'000;
inline constexpr uint32_t kSentenceWords = 12;
// Of the commonest words a few begin a spot signature and the others are passed over: about a fifth and a
// quarter of a text, as in English.
inline constexpr uint32_t kAntecedents = 6;
inline constexpr uint32_t kStopWords = 100;
// Of blocks.
inline constexpr uint8_t kContentWeight = 255;
inline constexpr uint8_t kBoilerplateWeight = 50;

class Zipf {
 public:
  // Of ranks 0 to `ranks` - 1.
  explicit Zipf(uint32_t ranks);
  uint32_t operator()(Random& random) const;

 private:
  std::vector<double> cumulative_;
};

struct Block {
  Words words;
  uint8_t weight;
};

struct Page {
  uint64_t label = 0;  // pages of one label are one article
  uint64_t site = 0;
  std::vector<Block> blocks;
};

class PageGenerator {
 public:
  // `count`: how many pages will come; says how many sites there are.
  explicit PageGenerator(uint64_t count);
  // Numbers from 1 on, each once: a page may copy any article before it. Equal from run to run.
  Page page(uint64_t number);
  // As page(), for one that nobody needs. Cost: some microseconds.
  void skip(uint64_t number);
  uint64_t memory_bytes() const;

 private:
  enum class Kind { kCopy, kEditedCopy, kTeaser, kIndex, kArticle };

  Kind kind_of(Random& random) const;
  Words some_words(Random& random, uint64_t count) const;
  std::vector<Words> article(uint64_t label) const;
  Words filled_template(uint64_t seed, Random& random) const;
  uint64_t some_article(Random& random) const { return articles_[random() % articles_.size()]; }
  void add_boilerplate(Page& page) const;
  void edit(std::vector<Words>& text, Random& random) const;

  const uint64_t sites_;
  const Zipf words_{kVocabulary}, stock_{kStockSentences}, templates_{kTemplates};
  std::vector<uint64_t> articles_;  // their labels
};

}  // namespace ndc::bench
