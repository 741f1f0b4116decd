// Each measurement of a pair, on pages made by hand, and against a plain count.
#include "decision/pair_evidence.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lcs/comparison.hpp"
#include "words/word_segmenter.hpp"

namespace nd::engine {
namespace {

std::vector<Symbol> words_in(std::string_view text) {
  std::vector<Symbol> out;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    out.push_back(make_symbol(text::token_hash(word), static_cast<uint32_t>(word.size())));
    begin = end + 1;
  }
  return out;
}

struct WrittenBlock {
  std::string text;
  uint8_t heading = 0;
  uint8_t context = 0;
  uint8_t weight = 255;
};

// A page as text; its words are as wide as they are long.
struct WrittenPage {
  std::vector<WrittenBlock> blocks;
  std::string title{};
  std::string url{};
  std::string name{};  // of a random page: the URL's last part
  bool plain_text = false;
  // What is known of its site: of `pages` other pages, on how many each block and each word of the title is.
  uint32_t pages = 0;
  std::vector<uint32_t> with_block{}, with_title{};

  Features features() const {
    std::vector<FeatureBlock> described;
    std::vector<Symbol> symbols;
    for (const WrittenBlock& block : blocks) {
      described.push_back({mix(described.size()), static_cast<uint32_t>(symbols.size()), block.weight, 0,
                           block.heading, block.context});
      const std::vector<Symbol> words = words_in(block.text);
      symbols.insert(symbols.end(), words.begin(), words.end());
    }
    const std::vector<Symbol> title_words = words_in(title);
    FeatureHeader header{};
    header.flags =
        (symbols.empty() ? uint32_t{kFeatureNoText} : 0) | (plain_text ? uint32_t{kFeaturePlainText} : 0);
    return Features::build(header, {.blocks = described,
                                    .keys = {},
                                    .spots = {},
                                    .block_spots = {},
                                    .sentences = {},
                                    .symbols = symbols,
                                    .title = title_words,
                                    .url = url,
                                    .site = {},
                                    .text = {}});
  }
  SiteCounts counts() const { return {pages, with_block, with_title}; }
};

std::vector<lcs::Match> matches_between(const Features& a, const Features& b, uint32_t rounds = 1) {
  std::vector<uint16_t> widths_a, widths_b;
  for (const Symbol symbol : a.symbols())
    widths_a.push_back(symbol_width(symbol));
  for (const Symbol symbol : b.symbols())
    widths_b.push_back(symbol_width(symbol));
  lcs::ComparisonParameters parameters;
  parameters.window_width = 1;
  parameters.gain_width = 1;
  parameters.rounds = rounds;
  lcs::Comparison comparison;
  lcs::Comparer().compare({a.symbols(), widths_a}, {b.symbols(), widths_b}, parameters, 0, comparison);
  return {comparison.matches.begin(), comparison.matches.end()};
}

PairEvidence measure(EvidenceMeter& meter, const WrittenPage& other, const WrittenPage& page,
                     const std::vector<lcs::Match>* given = nullptr) {
  const Features a = other.features(), b = page.features();
  const std::vector<lcs::Match> matches = given != nullptr ? *given : matches_between(a, b);
  meter.set_page(b);
  meter.begin(a, other.counts(), page.counts());
  return meter.measure(matches);
}

PairEvidence measure(const WrittenPage& other, const WrittenPage& page) {
  EvidenceMeter meter(17);
  return measure(meter, other, page);
}

void expect_near(const PairEvidence& found, const PairEvidence& expected, const std::string& of = "") {
  for (size_t i = 0; i < kEvidenceCount; ++i)
    ASSERT_NEAR(found.values[i], expected.values[i], 1e-8) << kEvidenceNames[i] << " " << of;
}

const WrittenPage kLamp = {.blocks = {{"drop lamp", 1},
                                      {"takes the lamp away in 12 days and fails"},
                                      {"home news", 0, kBlockInNavigation}},
                           .title = "drop lamp manual",
                           .url = "https://www.a.example/lamp"};
const WrittenPage kChair = {.blocks = {{"drop chair", 1},
                                       {"takes the chair away in 15 days and fails"},
                                       {"home news", 0, kBlockInNavigation}},
                            .title = "drop chair",
                            .url = "https://a.example/chair"};

// Widths: the lamp's page 8 + 32 + 8, of which navigation is a quarter its own; the chair's 9 + 33 + 8. In
// common: "drop" 4, "takes the" 8, "away in" 6, "days and fails" 12, "home news" 8; ten words.
TEST(EvidenceMeter, MeasuresAPairAsByHand) {
  const PairEvidence found = measure(kLamp, kChair);
  EXPECT_NEAR(found[Evidence::kResemblance], 38.0 / (48 + 50 - 38), 1e-12);
  EXPECT_NEAR(found[Evidence::kOwnResemblance], 32.0 / (42 + 44 - 32), 1e-12);
  EXPECT_NEAR(found[Evidence::kOwnContainment], 32.0 / 42, 1e-12);
  EXPECT_NEAR(found[Evidence::kOwnBag], 32.0 / 54, 1e-12);
  EXPECT_NEAR(found[Evidence::kTitle], 1.0 / 4, 1e-12);
  EXPECT_NEAR(found[Evidence::kHeadings], 1.0 / 3, 1e-12);
  EXPECT_EQ(found[Evidence::kName], 0);
  EXPECT_NEAR(found[Evidence::kNumbers], 10, 1e-12);
  EXPECT_NEAR(found[Evidence::kWords], 20, 1e-12) << "twice a lamp for a chair";
  EXPECT_NEAR(found[Evidence::kLargerRest], std::log(1 + 12.0), 1e-9);
  EXPECT_NEAR(found[Evidence::kLength], std::log(1 + 42.0) / 8, 1e-9);
  EXPECT_EQ(found[Evidence::kKeptBlocks], 1);
  EXPECT_EQ(found[Evidence::kPlainText], 0);
  EXPECT_EQ(found[Evidence::kSameHost], 1);
}

TEST(EvidenceMeter, TellsTheOwnWidthsOfTheLastPair) {
  EvidenceMeter meter(17);
  measure(meter, kLamp, kChair);
  EXPECT_NEAR(meter.common(), 32, 1e-12);
  EXPECT_NEAR(meter.other_rest(), 10, 1e-12);
  EXPECT_NEAR(meter.page_rest(), 12, 1e-12);
  EXPECT_NEAR(meter.smaller_own(), 42, 1e-12);
  EXPECT_GT(meter.memory_bytes(), 0U);
}

// The frame is on sixteen of sixteen other pages, and the weight of a block means nothing any more.
TEST(EvidenceMeter, WhatIsOnAllPagesOfItsSiteIsHardlyOwn) {
  WrittenPage a = {.blocks = {{"our shop sells things", 0, 0, 255}, {"lamps of brass and glass", 0, 0, 0}},
                   .pages = 16,
                   .with_block = {16, 0}};
  WrittenPage b = a;
  b.blocks[1].text = "chairs of oak";
  const double frame = own_share(16, 16), own = own_share(0, 16);
  const double own_a = 18 * frame + 20 * own, own_b = 18 * frame + 11 * own;
  const double common = 18 * frame + 2 * own;  // the frame, and "of"
  const PairEvidence found = measure(a, b);
  EXPECT_NEAR(found[Evidence::kResemblance], 20.0 / (38 + 29 - 20), 1e-12);
  EXPECT_NEAR(found[Evidence::kOwnResemblance], common / (own_a + own_b - common), 1e-9);
  EXPECT_NEAR(found[Evidence::kOwnContainment], common / own_b, 1e-9);
  // Of the chairs 2 of 11 match, of the lamps 2 of 20: less than a fifth.
  EXPECT_NEAR(found[Evidence::kKeptBlocks], std::max(0.0, 1 - 2 * (20 + 11) * own / (own_a + own_b)), 1e-9);
  // With what only one page is known for, the other's counts decide how much is common.
  b.pages = 0;
  b.with_block = {};
  b.blocks[1].weight = 255;
  EvidenceMeter meter(17);
  measure(meter, a, b);
  EXPECT_NEAR(meter.common(), common, 1e-9);
  EXPECT_NEAR(meter.page_rest(), 0 + 11 - 2, 1e-9) << "all of it is own text";
}

// The weight of a block counts in full while no other page of the site is known, and not at all from 16 on.
TEST(EvidenceMeter, TheWeightOfABlockCountsOnYoungSites) {
  // All of the chairs are known to be the site's, so that nothing is doubted.
  const auto own_lamps = [](uint32_t pages) {
    const WrittenPage page = {.blocks = {{"lamps of brass and glass", 0, 0, 51}, {"chairs made of oak"}},
                              .pages = pages,
                              .with_block = {0, pages}};
    EvidenceMeter meter(17);
    measure(meter, page, page);
    return meter.smaller_own() - own_share(pages, pages) * 15;
  };
  EXPECT_NEAR(own_lamps(0), 20 * 0.2, 1e-12);
  EXPECT_NEAR(own_lamps(1), 20 * (1 - 0.8 * 0.8), 1e-12);
  EXPECT_NEAR(own_lamps(3), 20 * (1 - 0.7 * 0.8), 1e-12);
  EXPECT_NEAR(own_lamps(7), 20 * (1 - 0.5 * 0.8), 1e-12);
  EXPECT_NEAR(own_lamps(15), 20 * (1 - 0.2 * 0.8), 1e-12);
  EXPECT_NEAR(own_lamps(16), 20, 1e-12);
}

// A host may have a hundred templates: where two fifths of a page stand on others, its template is known.
TEST(EvidenceMeter, TheWeightOfABlockCountsWhereTheSiteSaysNothingOfThePage) {
  const auto own_with = [](uint32_t with) {
    const WrittenPage page = {.blocks = {{"lamps of brass and glass", 0, 0, 51}, {"chairs made of oak"}},
                              .pages = 100,
                              .with_block = {0, with}};
    EvidenceMeter meter(17);
    measure(meter, page, page);
    return meter.smaller_own();
  };
  const double own = own_share(0, 100);
  EXPECT_NEAR(own_with(100), own * 20 + own_share(100, 100) * 15, 1e-12);
  const double trust = 1 - (1 - own) / 0.4;
  EXPECT_NEAR(own_with(0), own * (20 * (1 - trust * 0.8) + 15), 1e-12);
  EXPECT_GT(trust, 0.99);
}

// Then all visible text decides.
TEST(EvidenceMeter, NothingLeftIsNoEvidence) {
  WrittenPage a = {.blocks = {{"our shop sells things"}, {"home news", 0, kBlockInNavigation}},
                   .pages = 100,
                   .with_block = {100, 100}};
  WrittenPage b = a;
  PairEvidence found = measure(a, b);
  EXPECT_EQ(found[Evidence::kOwnResemblance], 1);
  EXPECT_EQ(found[Evidence::kOwnBag], 1);
  EXPECT_NEAR(found[Evidence::kLength], std::log(1 + 26.0) / 8, 1e-9);
  // If one of two has nothing left, both count in full.
  b.blocks.push_back({"a long text of its own about lamps"});
  b.with_block.push_back(0);
  found = measure(a, b);
  EXPECT_EQ(found[Evidence::kOwnResemblance], found[Evidence::kResemblance]);
  EXPECT_EQ(found[Evidence::kOwnContainment], 1);
}

TEST(EvidenceMeter, TitlesSayNothingIfOneIsMissingOrTheSiteHasThemEverywhere) {
  WrittenPage a = kLamp, b = kChair;
  a.title = "";
  EXPECT_EQ(measure(a, b)[Evidence::kTitle], 0.5);
  a = kLamp;
  b = kLamp;
  EXPECT_EQ(measure(a, b)[Evidence::kTitle], 1);
  a.pages = b.pages = 100;
  a.with_block = b.with_block = {0, 0, 0};
  a.with_title = b.with_title = {100, 100, 100};
  EXPECT_EQ(measure(a, b)[Evidence::kTitle], 0.5);
  a.with_title = b.with_title = {100, 0, 100};
  EXPECT_NEAR(measure(a, b)[Evidence::kTitle], 1, 1e-12);
  b.title = "drop chair manual";
  // The words that both have count as in the page where they are less.
  const double everywhere = own_share(100, 100), own = own_share(0, 100);
  EXPECT_NEAR(measure(a, b)[Evidence::kTitle], 2 * everywhere / (2 * everywhere + 2 * own), 1e-9);
}

// A word twice in a title is one word.
TEST(EvidenceMeter, TitlesAreSets) {
  WrittenPage a = kLamp, b = kLamp;
  a.title = "lamp lamp drop lamp";
  b.title = "drop drop lamp";
  EXPECT_EQ(measure(a, b)[Evidence::kTitle], 1);
}

TEST(EvidenceMeter, HeadingsThatAreNotOwnOrNotThereSayNothing) {
  WrittenPage a = kLamp, b = kChair;
  b.blocks[0].heading = 0;
  EXPECT_EQ(measure(a, b)[Evidence::kHeadings], 0.5);
  b.blocks[0].heading = 6;
  EXPECT_NEAR(measure(a, b)[Evidence::kHeadings], 1.0 / 3, 1e-12) << "of any level";
  b.pages = 10;
  b.with_block = {10, 0, 0};
  EXPECT_EQ(measure(a, b)[Evidence::kHeadings], 0.5);
}

TEST(EvidenceMeter, ATextThatStandsElsewhereIsPlainOrOfOneHostOnlyIfBothAre) {
  WrittenPage a = kLamp, b = kLamp;
  a.plain_text = true;
  b.url = "https://b.example/";
  EXPECT_EQ(measure(a, b)[Evidence::kPlainText], 0);
  EXPECT_EQ(measure(a, b)[Evidence::kSameHost], 0);
  b.plain_text = true;
  a.url = b.url = "";
  EXPECT_EQ(measure(a, b)[Evidence::kPlainText], 1);
  EXPECT_EQ(measure(a, b)[Evidence::kSameHost], 0) << "no host is not one host";
}

TEST(EvidenceMeter, NamesAgreeDifferOrSayNothing) {
  const auto name = [](const char* url_a, const char* url_b) {
    WrittenPage a = kLamp, b = kLamp;
    a.url = url_a;
    b.url = url_b;
    return measure(a, b)[Evidence::kName];
  };
  EXPECT_EQ(name("https://a.example/old/lamp.html", "https://b.example/lamp"), 1);
  EXPECT_EQ(name("https://a.example/lamp?id=1", "https://b.example/lamp?id=1"), 1);
  EXPECT_EQ(name("https://a.example/12", "https://b.example/12.html"), 1);
  EXPECT_EQ(name("https://a.example/lamp", "https://b.example/chair"), 0);
  EXPECT_EQ(name("https://a.example/12", "https://www.a.example/13"), 0) << "one host numbers its pages once";
  EXPECT_EQ(name("https://a.example/12", "https://b.example/13"), 0.5) << "each host has numbers of its own";
  EXPECT_EQ(name("https://a.example/12", "https://b.example/chair"), 0.5);
  EXPECT_EQ(name("https://a.example/view?id=1", "https://a.example/view?id=2"), 0.5)
      << "one script, many pages";
  EXPECT_EQ(name("https://a.example/lamp?print", "https://a.example/lamp"), 0.5);
  EXPECT_EQ(name("https://a.example/", "https://b.example/lamp"), 0.5);
  EXPECT_EQ(name("", ""), 0.5);
  WrittenPage a = kLamp, b = kChair;
  a.plain_text = b.plain_text = true;
  EXPECT_EQ(measure(a, b)[Evidence::kName], 0.5) << "what a table calls its texts";
}

TEST(EvidenceMeter, EmptyTextsAreMeasured) {
  const WrittenPage empty = {.blocks = {}}, hollow = {.blocks = {{""}, {""}}};
  const WrittenPage titled = {.blocks = {}, .title = "drop lamp"};
  for (const WrittenPage* a : {&empty, &hollow, &titled, &kLamp}) {
    for (const WrittenPage* b : {&empty, &hollow, &titled}) {
      for (const auto& [left, right] : {std::pair(a, b), std::pair(b, a)}) {
        const PairEvidence found = measure(*left, *right);
        for (const double value : found.values)
          EXPECT_TRUE(std::isfinite(value));
        EXPECT_EQ(found[Evidence::kResemblance], 0);
        EXPECT_EQ(found[Evidence::kOwnResemblance], 0);
        EXPECT_EQ(found[Evidence::kOwnBag], 0);
        EXPECT_EQ(found[Evidence::kHeadings], 0.5);
        EXPECT_EQ(found[Evidence::kLength], 0);
      }
    }
  }
  EXPECT_EQ(measure(titled, titled)[Evidence::kTitle], 1);
}

std::string random_words(std::mt19937_64& random, uint64_t count, uint64_t kinds) {
  std::string out;
  for (; count > 0; --count) {
    const uint64_t kind = random() % kinds;
    if (!out.empty()) out += ' ';
    out += kind % 5 == 0 ? std::to_string(kind) : "word" + std::string(kind % 7, 'x') + std::to_string(kind);
  }
  return out;
}

void know_site(std::mt19937_64& random, WrittenPage& page) {
  static constexpr uint32_t kPages[] = {0, 1, 2, 3, 4, 50, 4096};
  page.pages = kPages[random() % std::size(kPages)];
  page.with_block.clear();
  page.with_title.clear();
  if (random() % 8 == 0) return;  // empty spans
  for (size_t i = 0; i < page.blocks.size(); ++i)
    page.with_block.push_back(static_cast<uint32_t>(random() % (page.pages + 1)));
  std::map<Symbol, uint32_t> of_word;  // a word that is there twice has one count
  for (const Symbol word : words_in(page.title)) {
    const auto count = static_cast<uint32_t>(random() % (page.pages + 1));
    page.with_title.push_back(of_word.emplace(word, count).first->second);
  }
}

WrittenPage random_written_page(std::mt19937_64& random) {
  WrittenPage page;
  for (uint64_t i = random() % 7; i > 0; --i)
    page.blocks.push_back({random_words(random, random() % 12, 60),
                           static_cast<uint8_t>(random() % 3 == 0 ? random() % 7 : 0),
                           static_cast<uint8_t>(random() % 3 == 0 ? random() & kBlockContextMask : 0),
                           static_cast<uint8_t>(random())});
  page.title = random_words(random, random() % 7, 60);
  page.name = random() % 3 == 0 ? std::to_string(random() % 3) : std::string("names").substr(random() % 6, 1);
  page.url = "https://site" + std::to_string(random() % 2) + ".example/" + page.name;
  page.plain_text = random() % 3 == 0;
  know_site(random, page);
  return page;
}

// Blocks are left out, added, moved or edited.
WrittenPage random_variant(std::mt19937_64& random, WrittenPage page) {
  if (page.blocks.size() > 1 && random() % 3 == 0) std::swap(page.blocks.front(), page.blocks.back());
  for (WrittenBlock& block : page.blocks) {
    std::string edited;
    for (size_t begin = 0; begin < block.text.size();) {
      const size_t end = std::min(block.text.find(' ', begin), block.text.size());
      const uint64_t how = random() % 10;
      if (how > 1) edited += block.text.substr(begin, end - begin) + " ";
      if (how == 1 || how == 2) edited += random_words(random, 1, 90) + " ";
      begin = end + 1;
    }
    if (!edited.empty()) edited.pop_back();
    block.text = edited;
  }
  if (random() % 4 == 0)
    page.blocks.push_back(random_written_page(random).blocks.empty() ? WrittenBlock{"new"}
                                                                     : WrittenBlock{"more of it"});
  if (random() % 2 == 0) page.title = random_words(random, random() % 7, 60);
  page.plain_text = random() % 3 == 0;
  know_site(random, page);
  return page;
}

std::pair<WrittenPage, WrittenPage> random_pair(std::mt19937_64& random) {
  WrittenPage a = random_written_page(random);
  WrittenPage b = random() % 4 == 0 ? random_written_page(random) : random_variant(random, a);
  return {std::move(a), std::move(b)};
}

// The definitions, word by word.
class PlainMeter {
 public:
  PlainMeter(const WrittenPage& a, const WrittenPage& b, const std::vector<lcs::Match>& matches)
      : a_(a), b_(b), matches_(matches) {
    if (std::min(a_.own(), b_.own()) < 8) {
      for (Side* side : {&a_, &b_})
        side->weights.assign(side->blocks.size(), 1);
    }
  }

  PairEvidence measure() {
    PairEvidence out;
    double visible = 0, common = 0;
    std::vector<double> matched_a(a_.blocks.size()), matched_b(b_.blocks.size());
    double own_matched_a = 0, own_matched_b = 0;
    uint32_t matched_words = 0;
    for (const lcs::Match& match : matches_) {
      for (uint32_t i = 0; i < match.count; ++i) {
        const Word& left = a_.words[match.a + i];
        const Word& right = b_.words[match.b + i];
        EXPECT_EQ(left.symbol, right.symbol);
        const double width = symbol_width(left.symbol);
        ++matched_words;
        visible += width;
        common += std::min(a_.weights[left.block], b_.weights[right.block]) * width;
        matched_a[left.block] += width;
        matched_b[right.block] += width;
        own_matched_a += a_.weights[left.block] * width;
        own_matched_b += b_.weights[right.block] * width;
      }
    }
    const double rest_a = std::max(0.0, a_.own() - own_matched_a);
    const double rest_b = std::max(0.0, b_.own() - own_matched_b);
    const auto ratio = [](double part, double whole) { return whole > 0 ? part / whole : 0; };
    out[Evidence::kResemblance] = ratio(visible, a_.width() + b_.width() - visible);
    out[Evidence::kOwnResemblance] = ratio(common, common + rest_a + rest_b);
    out[Evidence::kOwnContainment] = ratio(common, common + std::min(rest_a, rest_b));
    out[Evidence::kOwnBag] = bag();
    out[Evidence::kTitle] = title();
    out[Evidence::kHeadings] = headings();
    EvidenceCounter counter;
    const EditEvidence edits = counter.count(a_.text(), b_.text(), matches_);
    EXPECT_EQ(edits.matched, matched_words);
    const auto per_hundred = [&](double count) { return std::min(30.0, ratio(100 * count, matched_words)); };
    out[Evidence::kNumbers] = per_hundred(edits.exchanged_numbers);
    out[Evidence::kWords] = per_hundred(edits.exchanged_words);
    out[Evidence::kLargerRest] = std::log(1 + (a_.own() > b_.own() ? rest_a : rest_b));
    out[Evidence::kLength] = std::min(1.0, std::log(1 + std::min(a_.own(), b_.own())) / 8);
    const double missing = a_.missing(matched_a) + b_.missing(matched_b);
    out[Evidence::kKeptBlocks] = std::max(0.0, 1 - 2 * ratio(missing, a_.own() + b_.own()));
    out[Evidence::kPlainText] = a_.plain_text && b_.plain_text;
    out[Evidence::kSameHost] = a_.host() == b_.host();
    out[Evidence::kName] = name();
    return out;
  }

 private:
  double name() const {
    if ((a_.plain_text && b_.plain_text) || a_.name.empty() || b_.name.empty()) return 0.5;
    if (a_.name == b_.name) return 1;
    const auto is_number = [](const std::string& name) { return std::isdigit(name[0]) != 0; };
    return a_.host() != b_.host() && (is_number(a_.name) || is_number(b_.name)) ? 0.5 : 0;
  }

  struct Word {
    Symbol symbol;
    size_t block;
  };
  struct Side : WrittenPage {
    explicit Side(const WrittenPage& page) : WrittenPage(page) {
      static constexpr double kTrust[] = {1, .8, .7, .7, .5, .5, .5, .5, .2, .2, .2, .2, .2, .2, .2, .2};
      double known = 0;
      double all = 0;
      for (size_t i = 0; i < blocks.size(); ++i) {
        double block_width = 0;
        for (const Symbol symbol : words_in(blocks[i].text))
          block_width += symbol_width(symbol);
        known += block_width * (1 - own_share(with_block.empty() ? 0 : with_block[i], pages));
        all += block_width;
      }
      const double doubt = all > 0 ? std::max(0.0, 1 - known / all / 0.4) : 0;
      const double trust = std::max(pages < 16 ? kTrust[pages] : 0, doubt);
      for (size_t i = 0; i < blocks.size(); ++i) {
        double weight = own_share(with_block.empty() ? 0 : with_block[i], pages);
        if ((blocks[i].context & (kBlockInNavigation | kBlockInForm)) != 0) weight /= 4;
        weights.push_back(weight * (1 - trust + trust * blocks[i].weight / 255.0));
        for (const Symbol symbol : words_in(blocks[i].text))
          words.push_back({symbol, i});
      }
      size_t at = 0;
      for (const Symbol symbol : words_in(title))
        own_title[symbol] = own_share(with_title.empty() ? 0 : with_title[at++], pages);
    }
    std::string host() const { return url.substr(0, url.find(".example/")); }
    double width() const {
      double sum = 0;
      for (const Word& word : words)
        sum += symbol_width(word.symbol);
      return sum;
    }
    double own() const {
      double sum = 0;
      for (const Word& word : words)
        sum += weights[word.block] * symbol_width(word.symbol);
      return sum;
    }
    double missing(const std::vector<double>& matched) const {
      std::vector<double> widths(blocks.size());
      for (const Word& word : words)
        widths[word.block] += symbol_width(word.symbol);
      double sum = 0;
      for (size_t i = 0; i < blocks.size(); ++i) {
        if (matched[i] < widths[i] / 5) sum += weights[i] * widths[i];
      }
      return sum;
    }
    std::map<Symbol, double> bag() const {
      std::map<Symbol, double> out;
      for (const Word& word : words)
        out[word.symbol] += weights[word.block] * symbol_width(word.symbol);
      return out;
    }
    std::set<Symbol> heading_words() const {
      std::set<Symbol> out;
      for (const Word& word : words) {
        if (blocks[word.block].heading != 0 && weights[word.block] >= 0.5) out.insert(word.symbol);
      }
      return out;
    }
    bool has(Symbol symbol) const {
      return std::ranges::any_of(words, [&](const Word& word) { return word.symbol == symbol; });
    }
    // With the weight 0 for what is hardly own.
    EvidenceCounter::Text text() {
      symbols.clear();
      described.clear();
      for (size_t i = 0, at = 0; i < blocks.size(); ++i) {
        described.push_back({i, static_cast<uint32_t>(at), static_cast<uint8_t>(weights[i] < 0.25 ? 0 : 255),
                             0, blocks[i].heading, blocks[i].context});
        at += words_in(blocks[i].text).size();
      }
      for (const Word& word : words)
        symbols.push_back(word.symbol);
      return {symbols, described};
    }

    std::vector<double> weights;  // by block
    std::vector<Word> words;
    std::map<Symbol, double> own_title;
    std::vector<Symbol> symbols;
    std::vector<FeatureBlock> described;
  };

  double bag() const {
    std::map<Symbol, double> left = a_.bag(), right = b_.bag();
    double common = 0, all = 0;
    for (const auto& [word, own] : left) {
      common += std::min(own, right[word]);
      all += std::max(own, right[word]);
    }
    for (const auto& [word, own] : right)
      all += left.contains(word) ? 0 : own;
    return all > 0 ? common / all : 0;
  }
  double title() const {
    double common = 0, all = 0;
    const auto add_own = [&](const Side& side, const Side& other) {
      for (const auto& [word, own] : side.own_title) {
        if (!other.own_title.contains(word)) all += own;
      }
    };
    add_own(a_, b_);
    add_own(b_, a_);
    for (const auto& [word, own] : a_.own_title) {
      const auto found = b_.own_title.find(word);
      if (found == b_.own_title.end()) continue;
      common += std::min(own, found->second);
      all += std::min(own, found->second);
    }
    const bool says_nothing = a_.own_title.empty() || b_.own_title.empty() || all < 0.25;
    return says_nothing ? 0.5 : common / all;
  }
  double headings() const {
    const std::set<Symbol> left = a_.heading_words(), right = b_.heading_words();
    if (left.empty() || right.empty()) return 0.5;
    std::set<Symbol> all = left;
    all.insert(right.begin(), right.end());
    const auto both = static_cast<double>(left.size() + right.size() - all.size());
    return both / static_cast<double>(all.size());
  }
  Side a_, b_;
  std::vector<lcs::Match> matches_;
};

TEST(EvidenceMeter, EqualsItsDefinitionOnRandomPages) {
  std::mt19937_64 random(1);
  EvidenceMeter meter(17);
  for (int round = 0; round < 3000; ++round) {
    const auto [a, b] = random_pair(random);
    const std::vector<lcs::Match> matches =
        matches_between(a.features(), b.features(), round % 2 == 0 ? 1 : 8);
    const PairEvidence found = measure(meter, a, b, &matches);
    expect_near(found, PlainMeter(a, b, matches).measure(), std::to_string(round));
    if (HasFatalFailure()) return;
  }
}

// Around text that has moved, what stands in place of what depends on the page whose order is followed.
TEST(EvidenceMeter, IsSymmetricInTheTwoPages) {
  std::mt19937_64 random(2);
  EvidenceMeter meter(17);
  for (int round = 0; round < 3000; ++round) {
    const auto [a, b] = random_pair(random);
    const bool moved = round % 2 != 0;
    std::vector<lcs::Match> matches = matches_between(a.features(), b.features(), moved ? 8 : 1);
    const PairEvidence found = measure(meter, a, b, &matches);
    for (lcs::Match& match : matches)
      std::swap(match.a, match.b);
    std::ranges::sort(matches, {}, &lcs::Match::a);
    PairEvidence flipped = measure(meter, b, a, &matches);
    for (const Evidence each : {Evidence::kNumbers, Evidence::kWords}) {
      if (moved) flipped[each] = found[each];
    }
    expect_near(flipped, found, std::to_string(round));
    if (HasFatalFailure()) return;
  }
}

// Of two pages with as much own text, either may have more of it unmatched.
TEST(EvidenceMeter, IsSymmetricInPagesOfEqualSize) {
  // Ten wide of full weight and ten of a fifth, in the one page the other way round.
  const WrittenPage a = {.blocks = {{"brass lamps", 0, 0, 255}, {"chairoaken", 0, 0, 51}}};
  const WrittenPage b = {.blocks = {{"brass lamps", 0, 0, 51}, {"tablestone", 0, 0, 255}}};
  ASSERT_EQ(words_in("brass lamps").size(), 2U);
  const PairEvidence found = measure(a, b);
  EXPECT_NEAR(found[Evidence::kLargerRest], std::log(1 + 10.0), 1e-9);
  expect_near(measure(b, a), found);
}

TEST(EvidenceMeter, GivesTheSameWhateverItMeasuredBefore) {
  std::mt19937_64 random(3);
  EvidenceMeter used(17);
  for (int round = 0; round < 300; ++round) {
    const auto [first, second] = random_pair(random);
    const Features page = first.features();
    used.set_page(page);
    WrittenPage known = first;
    for (const WrittenPage& other : {second, random_written_page(random), first}) {
      // What is left out of a page's counts differs between representatives of its own site.
      for (std::vector<uint32_t>* with : {&known.with_block, &known.with_title}) {
        if (with->empty() || random() % 2 == 0) continue;
        uint32_t& count = (*with)[random() % with->size()];
        count -= std::min(count, 1U);
      }
      const Features text = other.features();
      const std::vector<lcs::Match> matches = matches_between(text, page);
      used.begin(text, other.counts(), known.counts());
      const PairEvidence found = used.measure(matches);
      EvidenceMeter fresh(random());
      ASSERT_EQ(found.values, measure(fresh, other, known, &matches).values) << round;
      ASSERT_EQ(used.work(), fresh.work()) << round;
    }
  }
}

TEST(EvidenceMeter, TheOrderOfWordsDoesNotMatterToTheBag) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 200; ++round) {
    const auto [a, b] = random_pair(random);
    WrittenPage shuffled = a;
    for (WrittenBlock& block : shuffled.blocks) {
      std::vector<std::string> parts;
      for (size_t begin = 0; begin < block.text.size();) {
        const size_t end = std::min(block.text.find(' ', begin), block.text.size());
        parts.push_back(block.text.substr(begin, end - begin));
        begin = end + 1;
      }
      std::ranges::shuffle(parts, random);
      block.text.clear();
      for (const std::string& part : parts)
        block.text += (block.text.empty() ? "" : " ") + part;
    }
    ASSERT_NEAR(measure(shuffled, b)[Evidence::kOwnBag], measure(a, b)[Evidence::kOwnBag], 1e-9) << round;
    if (!words_in(a.blocks.empty() ? "" : a.blocks[0].text).empty()) {
      ASSERT_NEAR(measure(shuffled, a)[Evidence::kOwnBag], 1, 1e-9) << round;
    }
  }
}

TEST(EvidenceMeter, EachFigureStaysInItsRange) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 2000; ++round) {
    const auto [a, b] = random_pair(random);
    const PairEvidence found = measure(a, b);
    for (const Evidence share :
         {Evidence::kResemblance, Evidence::kOwnResemblance, Evidence::kOwnContainment, Evidence::kOwnBag,
          Evidence::kTitle, Evidence::kHeadings, Evidence::kKeptBlocks}) {
      const size_t i = static_cast<size_t>(share);
      ASSERT_GE(found.values[i], 0) << kEvidenceNames[i];
      ASSERT_LE(found.values[i], 1 + 1e-12) << kEvidenceNames[i];
    }
    ASSERT_LE(found[Evidence::kNumbers], 30);
    ASSERT_LE(found[Evidence::kWords], 30);
    ASSERT_GE(found[Evidence::kOwnContainment], found[Evidence::kOwnResemblance] - 1e-12);
  }
}

TEST(EvidenceMeter, TheWorkIsLinear) {
  std::mt19937_64 random(6);
  WrittenPage a = {.blocks = {}, .title = random_words(random, 64, 1000)};
  for (int i = 0; i < 1000; ++i)
    a.blocks.push_back({random_words(random, 50, 5000)});
  const WrittenPage b = random_variant(random, a);
  EvidenceMeter meter(17);
  measure(meter, a, b);
  EXPECT_LT(meter.work(), 50'000U * 30);
  EXPECT_LT(meter.memory_bytes(), 50'000U * 100);
}

}  // namespace
}  // namespace nd::engine
