#include "engine/pair_evidence.hpp"

#include <algorithm>
#include <cmath>

#include "core/portable_math.hpp"

namespace nd::engine {
namespace {

constexpr double kSoftShare = 0.15;       // on this share of the site's pages a block is half its own
constexpr double kRareShare = 0.2;        // kRare: on less of them
constexpr double kAroundWeight = 0.25;    // of blocks in navigation and forms, against others
constexpr double kLeastOwnWidth = 8;      // less own text is no evidence
constexpr size_t kMostBagTokens = 16384;  // of both pages; beyond it the order counts
constexpr double kMostPerHundred = 30;
constexpr double kMostTitleWords = 4;
constexpr double kNothingKnown = 0.5;  // of titles or headings that are not there

double idf(uint32_t with, uint32_t pages) noexcept {
  const double all = pages + 1.0;
  const double value = portable_log(all / (with + 0.5)) / portable_log(all / 0.5);
  return std::clamp(value, 0.0, 1.0);
}

double log_of_width(double width) noexcept {
  return portable_log(1 + width);
}

}  // namespace

const std::array<std::string_view, kEvidenceCount> kEvidenceNames = {
    "r",      "r_own", "c_own", "r_fade", "r_idf", "c_rare", "bag",   "bag_own", "title",
    "title_x", "h2",    "h6",    "numbers", "words", "lumax", "lown", "own",     "lrep",
    "rep",    "whole", "missing", "link",  "plain", "pages",  "r_prior"};

double own_share(uint32_t with, uint32_t pages) noexcept {
  with = std::min(with, pages);
  if (pages < 2) return idf(with, pages);
  const double share = (with + 0.5) / (pages + 1.0) / kSoftShare;
  return 1 / (1 + share * share);
}

void EvidenceMeter::take(const Features& page, const SiteCounts& site, Side& side) {
  side.page = &page;
  side.site = &site;
  const std::span<const FeatureBlock> blocks = page.blocks();
  const std::span<const Symbol> symbols = page.symbols();
  side.blocks.resize(blocks.size());
  side.block_of.resize(symbols.size());
  side.own_blocks.assign(blocks.begin(), blocks.end());
  side.mass = {};
  side.matched = {};
  const double faded = site.pages == 0 ? 1 : site.pages == 1 ? 0.5 : site.pages < 4 ? 0.25 : 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    const FeatureBlock& block = blocks[i];
    const size_t end = i + 1 < blocks.size() ? blocks[i + 1].token_begin : symbols.size();
    Block& out = side.blocks[i];
    out.width = out.matched = 0;
    for (size_t k = block.token_begin; k < end; ++k) {
      out.width += symbol_width(symbols[k]);
      side.block_of[k] = static_cast<uint32_t>(i);
    }
    const uint32_t with = std::min(site.with_block(i), site.pages);
    const double prior = block.weight / 255.0;
    const double inverse = idf(with, site.pages);
    const bool around = (block.context & (kBlockInNavigation | kBlockInForm)) != 0;
    const double by_place = around ? kAroundWeight : 1;
    out.weights[kVisible] = 1;
    out.weights[kOwn] = own_share(with, site.pages) * by_place * (1 - faded + faded * prior);
    out.weights[kIdf] = inverse * by_place;
    out.weights[kFaded] = own_share(with, site.pages) * by_place;
    out.weights[kRare] = site.pages == 0 || with < kRareShare * site.pages ? 1 : 0;
    out.weights[kPrior] = prior;
    for (size_t text = 0; text < kTexts; ++text)
      side.mass[text] += out.weights[text] * out.width;
    side.own_blocks[i].weight = static_cast<uint8_t>(out.weights[kOwn] * 255);
  }
}

void EvidenceMeter::take_matches(std::span<const lcs::Match> matches) {
  common_ = {};
  const std::span<const Symbol> symbols = a_.page->symbols();
  for (const lcs::Match& match : matches) {
    for (uint32_t i = 0; i < match.count;) {
      const uint32_t block_a = a_.block_of[match.a + i];
      const uint32_t block_b = b_.block_of[match.b + i];
      uint32_t width = 0;
      for (; i < match.count && a_.block_of[match.a + i] == block_a && b_.block_of[match.b + i] == block_b; ++i)
        width += symbol_width(symbols[match.a + i]);
      Block& a = a_.blocks[block_a];
      Block& b = b_.blocks[block_b];
      a.matched += width;
      b.matched += width;
      for (size_t text = 0; text < kTexts; ++text) {
        common_[text] += std::min(a.weights[text], b.weights[text]) * width;
        a_.matched[text] += a.weights[text] * width;
        b_.matched[text] += b.weights[text] * width;
      }
    }
  }
}

PairEvidence EvidenceMeter::measure(const Features& a, const SiteCounts& site_of_a, const Features& b,
                                    const SiteCounts& site_of_b, std::span<const lcs::Match> matches) {
  work_ = a.symbols().size() + b.symbols().size();
  take(a, site_of_a, a_);
  take(b, site_of_b, b_);
  take_matches(matches);
  // Nothing left is no evidence: then all visible text decides.
  for (size_t text = 0; text < kTexts; ++text) {
    if (std::min(a_.mass[text], b_.mass[text]) >= kLeastOwnWidth) continue;
    for (Side* side : {&a_, &b_}) {
      side->mass[text] = side->mass[kVisible];
      side->matched[text] = side->matched[kVisible];
      for (Block& block : side->blocks)
        block.weights[text] = 1;
    }
    common_[text] = common_[kVisible];
  }
  PairEvidence out;
  const auto rest = [](const Side& side, Text text) { return std::max(0.0, side.mass[text] - side.matched[text]); };
  const auto resemblance = [&](Text text) {
    const double all = common_[text] + rest(a_, text) + rest(b_, text);
    return all > 0 ? common_[text] / all : 0;
  };
  const auto containment = [&](Text text) {
    const double all = common_[text] + std::min(rest(a_, text), rest(b_, text));
    return all > 0 ? common_[text] / all : 0;
  };
  out[Evidence::kResemblance] = resemblance(kVisible);
  out[Evidence::kOwnResemblance] = resemblance(kOwn);
  out[Evidence::kOwnContainment] = containment(kOwn);
  out[Evidence::kFadedResemblance] = resemblance(kFaded);
  out[Evidence::kIdfResemblance] = resemblance(kIdf);
  out[Evidence::kRareContainment] = containment(kRare);
  out[Evidence::kPriorResemblance] = resemblance(kPrior);
  const double smaller = std::min(a_.mass[kOwn], b_.mass[kOwn]);
  const Side& less = a_.mass[kOwn] <= b_.mass[kOwn] ? a_ : b_;
  const Side& more = &less == &a_ ? b_ : a_;
  out[Evidence::kSmallerOwn] = log_of_width(smaller);
  out[Evidence::kLargerRest] = log_of_width(rest(more, kOwn));
  out[Evidence::kOwnShare] =
      less.mass[kVisible] > 0 ? portable_log(std::max(less.mass[kOwn] / less.mass[kVisible], 0.001)) : 0;
  double whole = 0, missing = 0, linked = 0;
  for (const Side* side : {&a_, &b_}) {
    for (size_t i = 0; i < side->blocks.size(); ++i) {
      const Block& block = side->blocks[i];
      const double mass = block.weights[kOwn] * block.width;
      if (block.matched * 5 > block.width * 4) whole += mass;
      if (block.matched * 5 < block.width) missing += mass;
      if ((side->page->blocks()[i].context & kBlockLinked) != 0) linked += mass;
    }
  }
  const double both = a_.mass[kOwn] + b_.mass[kOwn];
  if (both > 0) {
    out[Evidence::kWholeBlocks] = whole / both;
    out[Evidence::kMissingBlocks] = missing / both;
    out[Evidence::kLinked] = linked / both;
  }
  out[Evidence::kPlainText] = a.is_plain_text() && b.is_plain_text() ? 1 : 0;
  out[Evidence::kPages] = portable_log(1.0 + std::min(a_.site->pages, b_.site->pages));
  const EditEvidence edits =
      counter_.count({a.symbols(), a_.own_blocks}, {b.symbols(), b_.own_blocks}, matches);
  work_ += counter_.work();
  const auto per_hundred = [&](uint32_t count) {
    return edits.matched == 0 ? 0 : std::min(kMostPerHundred, 100.0 * count / edits.matched);
  };
  out[Evidence::kNumbers] = per_hundred(edits.exchanged_numbers);
  out[Evidence::kWords] = per_hundred(edits.exchanged_words);
  measure_replaced(matches, smaller, out);
  measure_bags(out);
  measure_titles(out);
  out[Evidence::kHeadings] = heading_resemblance(2);
  out[Evidence::kAllHeadings] = heading_resemblance(kHeadingLevels);
  return out;
}

// The widest passage of one that stands where the other has a passage of its own.
void EvidenceMeter::measure_replaced(std::span<const lcs::Match> matches, double smaller, PairEvidence& out) {
  double widest = 0;
  uint32_t end_a = 0;
  uint32_t end_b = 0;
  const auto width_of = [](const Side& side, uint32_t begin, uint32_t end) {
    double width = 0;
    for (uint32_t i = begin; i < end; ++i)
      width += side.blocks[side.block_of[i]].weights[kOwn] * symbol_width(side.page->symbols()[i]);
    return width;
  };
  const auto look = [&](uint32_t next_a, uint32_t next_b) {
    if (next_a <= end_a || next_b <= end_b) return;
    widest = std::max(widest, std::min(width_of(a_, end_a, next_a), width_of(b_, end_b, next_b)));
  };
  for (const lcs::Match& match : matches) {
    look(match.a, match.b);
    end_a = match.a + match.count;
    end_b = match.b + match.count;
  }
  look(static_cast<uint32_t>(a_.block_of.size()), static_cast<uint32_t>(b_.block_of.size()));
  out[Evidence::kReplaced] = log_of_width(widest);
  out[Evidence::kReplacedShare] = smaller > 0 ? std::min(1.0, widest / smaller) : 0;
}

void EvidenceMeter::measure_bags(PairEvidence& out) {
  out[Evidence::kBag] = out[Evidence::kResemblance];
  out[Evidence::kOwnBag] = out[Evidence::kOwnResemblance];
  if (a_.block_of.size() + b_.block_of.size() > kMostBagTokens) return;
  for (Side* side : {&a_, &b_}) {
    side->words.clear();
    const std::span<const Symbol> symbols = side->page->symbols();
    for (size_t i = 0; i < symbols.size(); ++i)
      side->words.emplace_back(symbols[i], static_cast<float>(side->blocks[side->block_of[i]].weights[kOwn]));
    // Equal words: those that weigh most first.
    std::ranges::sort(side->words, [](const auto& x, const auto& y) {
      return x.first != y.first ? x.first < y.first : x.second > y.second;
    });
  }
  double common = 0, all = 0, own_common = 0, own_all = 0;
  auto x = a_.words.begin();
  auto y = b_.words.begin();
  while (x != a_.words.end() || y != b_.words.end()) {
    const bool has_x = x != a_.words.end() && (y == b_.words.end() || x->first <= y->first);
    const bool has_y = y != b_.words.end() && (x == a_.words.end() || y->first <= x->first);
    const double width = symbol_width(has_x ? x->first : y->first);
    const double weight_x = has_x ? static_cast<double>(x->second) : 0;
    const double weight_y = has_y ? static_cast<double>(y->second) : 0;
    all += width;
    own_all += (has_x && has_y ? std::min(weight_x, weight_y) : weight_x + weight_y) * width;
    if (has_x && has_y) {
      common += width;
      own_common += std::min(weight_x, weight_y) * width;
    }
    x += has_x ? 1 : 0;
    y += has_y ? 1 : 0;
  }
  if (all > 0) out[Evidence::kBag] = common / all;
  if (own_all > 0) out[Evidence::kOwnBag] = own_common / own_all;
}

void EvidenceMeter::take_title(Side& side) {
  side.title.clear();
  const std::span<const Symbol> title = side.page->title();
  for (size_t i = 0; i < title.size(); ++i) {
    const uint32_t with = std::min(side.site->with_title_word(i), side.site->pages);
    side.title.emplace_back(title[i], idf(with, side.site->pages));
  }
  std::ranges::sort(side.title);
  const auto repeated = std::ranges::unique(side.title, {}, &std::pair<Symbol, double>::first);
  side.title.erase(repeated.begin(), repeated.end());
}

void EvidenceMeter::measure_titles(PairEvidence& out) {
  take_title(a_);
  take_title(b_);
  double common = 0, all = 0;
  auto x = a_.title.begin();
  auto y = b_.title.begin();
  double weight_a = 0, weight_b = 0;
  while (x != a_.title.end() || y != b_.title.end()) {
    const bool has_x = x != a_.title.end() && (y == b_.title.end() || x->first <= y->first);
    const bool has_y = y != b_.title.end() && (x == a_.title.end() || y->first <= x->first);
    if (has_x && has_y) common += std::min(x->second, y->second);
    all += has_x && has_y ? std::min(x->second, y->second) : has_x ? x->second : y->second;
    weight_a += has_x ? x->second : 0;
    weight_b += has_y ? y->second : 0;
    x += has_x ? 1 : 0;
    y += has_y ? 1 : 0;
  }
  const bool says_nothing = a_.title.empty() || b_.title.empty() || all < 0.25;
  out[Evidence::kTitle] = says_nothing ? kNothingKnown : common / all;
  out[Evidence::kTitleOnly] =
      std::min(kMostTitleWords, absent_title_words(a_, b_) + absent_title_words(b_, a_));
}

// The weight of the words of a title that the other page has nowhere.
double EvidenceMeter::absent_title_words(const Side& side, const Side& other) {
  double weight = 0;
  const std::span<const Symbol> symbols = other.page->symbols_and_title();
  for (const auto& [word, own] : side.title) {
    work_ += symbols.size() / 16;
    if (!is_number(word) && std::ranges::find(symbols, word) == symbols.end()) weight += own;
  }
  return weight;
}

double EvidenceMeter::heading_resemblance(uint8_t most_level) {
  const auto gather = [&](const Side& side, Vector<Symbol>& out) {
    out.clear();
    for (size_t i = 0; i < side.block_of.size(); ++i) {
      const uint32_t block = side.block_of[i];
      const uint8_t level = side.page->blocks()[block].heading;
      if (level == 0 || level > most_level || side.blocks[block].weights[kOwn] < 0.5) continue;
      out.push_back(side.page->symbols()[i]);
    }
    std::ranges::sort(out);
    const auto repeated = std::ranges::unique(out);
    out.erase(repeated.begin(), repeated.end());
  };
  gather(a_, headings_a_);
  gather(b_, headings_b_);
  if (headings_a_.empty() || headings_b_.empty()) return kNothingKnown;
  size_t common = 0;
  for (size_t x = 0, y = 0; x < headings_a_.size() && y < headings_b_.size();) {
    if (headings_a_[x] == headings_b_[y]) {
      ++common, ++x, ++y;
    } else if (headings_a_[x] < headings_b_[y]) {
      ++x;
    } else {
      ++y;
    }
  }
  return static_cast<double>(common) / static_cast<double>(headings_a_.size() + headings_b_.size() - common);
}

uint64_t EvidenceMeter::memory_bytes() const noexcept {
  const auto of = [](const Side& side) {
    return side.blocks.capacity() * sizeof(Block) + side.block_of.capacity() * sizeof(uint32_t) +
           side.own_blocks.capacity() * sizeof(FeatureBlock) + side.words.capacity() * sizeof(side.words[0]) +
           side.title.capacity() * sizeof(side.title[0]);
  };
  return of(a_) + of(b_) + counter_.memory_bytes() +
         (headings_a_.capacity() + headings_b_.capacity()) * sizeof(Symbol);
}

}  // namespace nd::engine
