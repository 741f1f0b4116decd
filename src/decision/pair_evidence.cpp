// Measures a compared pair: how much of each page's own text is matched, what is exchanged, and how the
// titles agree.
#include "decision/pair_evidence.hpp"

#include <algorithm>
#include <bit>

#include "core/portable_math.hpp"
#include "page/site_counts.hpp"

namespace nd::engine {
namespace {

// The constants were chosen on judged pairs of pages (docs/decision_model.md).
constexpr double kHeadingOwn = 0.5;
constexpr double kMostPerHundred = 30;  // more exchanges are no more evidence
constexpr double kLeastTitle = 0.25;    // less in both titles together says nothing
constexpr double kLongText = 8;         // ln(1 + width) from which a text is long: some 500 words
constexpr double kMostMissing = 0.5;    // share of own text in blocks of two pages that are hardly matched
constexpr double kNothingKnown = 0.5;   // of titles, headings or names that are not there

constexpr uint32_t kUnknown = UINT32_MAX;  // the number of a word that the page lacks

double log_of_width(double width) noexcept {
  return portable_log(1 + width);
}

// Editions, mirrors and copies on their own site mostly keep a page's name. It says nothing that one script
// serves a whole site, nor that two sites number their pages differently.
double name_resemblance(const text::PageName& a, const text::PageName& b, bool same_host) noexcept {
  if (a.name == 0 || b.name == 0) return kNothingKnown;
  if (a.name == b.name) return a.query == b.query ? 1 : kNothingKnown;
  return !same_host && (a.is_number || b.is_number) ? kNothingKnown : 0;
}

}  // namespace

size_t EvidenceMeter::block_end(const Features& text, size_t block) noexcept {
  return token_end(text.blocks(), block, text.symbols().size());
}

// The block that a token is in; the first one begins with the first token.
size_t EvidenceMeter::block_at(const Features& text, size_t token) noexcept {
  const auto next = std::ranges::upper_bound(text.blocks(), token, {}, &FeatureBlock::token_begin);
  return static_cast<size_t>(next - text.blocks().begin()) - 1;
}

void EvidenceMeter::take_blocks(const Features& text, Side& side) {
  side.text = &text;
  const std::span<const FeatureBlock> blocks = text.blocks();
  const std::span<const Symbol> symbols = text.symbols();
  side.blocks.resize(blocks.size());
  side.width = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    uint32_t width = 0;
    for (size_t k = blocks[i].token_begin; k < block_end(text, i); ++k)
      width += symbol_width(symbols[k]);
    side.blocks[i] = {1, width, 0};
    side.width += width;
  }
}

void EvidenceMeter::weigh(const SiteCounts& site, Side& side) {
  const std::span<const FeatureBlock> blocks = side.text->blocks();
  take_own_weights(
      blocks, site, [&](size_t i) { return side.blocks[i].width; }, weights_);
  side.own_blocks.assign(blocks.begin(), blocks.end());
  side.own = side.matched_own = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    const double own = weights_[i];
    side.blocks[i].own = own;
    side.blocks[i].matched = 0;
    side.own += own * side.blocks[i].width;
    side.own_blocks[i].weight = own < kHardlyOwn ? 0 : UINT8_MAX;
  }
  side.title.clear();
  const std::span<const Symbol> title = side.text->title();
  for (size_t i = 0; i < title.size(); ++i)
    side.title.push_back({title[i], own_share(site.with_title_word(i), site.pages)});
  std::ranges::sort(side.title);
  side.title.erase(std::unique(side.title.begin(), side.title.end(),
                               [](const TitleWord& x, const TitleWord& y) { return x.word == y.word; }),
                   side.title.end());
}

// Nothing left is no evidence: then all visible text decides.
void EvidenceMeter::count_all_text(Side& side) noexcept {
  side.own = side.width;
  for (Block& block : side.blocks)
    block.own = 1;
  for (FeatureBlock& block : side.own_blocks)
    block.weight = UINT8_MAX;
}

void EvidenceMeter::set_page(const Features& page) {
  is_page_weighed_ = false;
  take_blocks(page, page_);
  host_ = text::hash_of_host(page.url());
  name_ = text::page_name_of(page.url());
  const std::span<const Symbol> symbols = page.symbols();
  const size_t slots = std::bit_ceil(symbols.size() * 2 + 2);
  slot_mask_ = slots - 1;
  table_.assign(slots, {0, 0});
  word_of_token_.resize(std::max(word_of_token_.size(), symbols.size()));
  words_.assign(1, {0, 0});  // of symbol 0, which only a forged record has: it has no width
  for (size_t i = 0; i < symbols.size(); ++i) {
    Slot& slot = table_[slot_of(symbols[i])];
    if (slot.symbol != symbols[i]) {
      slot = {symbols[i], static_cast<uint32_t>(words_.size())};
      words_.push_back({0, 0});
    }
    word_of_token_[i] = slot.number;
  }
}

// Where the symbol is or would be.
size_t EvidenceMeter::slot_of(Symbol symbol) const noexcept {
  size_t at = mix(secret_ ^ symbol) & slot_mask_;
  while (table_[at].symbol != 0 && table_[at].symbol != symbol)
    at = (at + 1) & slot_mask_;
  return at;
}

void EvidenceMeter::begin(const Features& other, const SiteCounts& site_of_other,
                          const SiteCounts& site_of_page) {
  work_ = 2 * (other.symbols().size() + page_.text->symbols().size());
  word_of_other_.resize(std::max(word_of_other_.size(), other.symbols().size()));
  take_blocks(other, other_);
  weigh(site_of_other, other_);
  weigh_page(site_of_page);
  if (smaller_own() < kLeastOwnWidth) {
    count_all_text(other_);
    count_all_text(page_);
    is_page_weighed_ = false;
  }
}

// Most representatives are of other sites: then nothing has changed since the last one.
void EvidenceMeter::weigh_page(const SiteCounts& site) {
  if (is_page_weighed_ && site.pages == weighed_pages_ && std::ranges::equal(site.blocks, weighed_blocks_) &&
      std::ranges::equal(site.title, weighed_title_)) {
    page_.matched_own = 0;
    for (Block& block : page_.blocks)
      block.matched = 0;
    return;
  }
  is_page_weighed_ = false;
  weigh(site, page_);
  weighed_blocks_.assign(site.blocks.begin(), site.blocks.end());
  weighed_title_.assign(site.title.begin(), site.title.end());
  weighed_pages_ = site.pages;
  is_page_weighed_ = true;
}

PairEvidence EvidenceMeter::measure(std::span<const lcs::Match> matches) {
  take_matches(matches);
  PairEvidence out;
  const double all = other_.width + page_.width - common_visible_;
  out[Evidence::kResemblance] = all > 0 ? common_visible_ / all : 0;
  const double own_all = common_ + other_rest() + page_rest();
  out[Evidence::kOwnResemblance] = own_all > 0 ? common_ / own_all : 0;
  const double own_least = common_ + std::min(other_rest(), page_rest());
  out[Evidence::kOwnContainment] = own_least > 0 ? common_ / own_least : 0;
  number_words(matches);
  out[Evidence::kOwnBag] = bag_resemblance();
  out[Evidence::kTitle] = title_resemblance();
  out[Evidence::kHeadings] = headings_resemblance();
  const EditEvidence edits = counter_.count({other_.text->symbols(), other_.own_blocks},
                                            {page_.text->symbols(), page_.own_blocks}, matches);
  work_ += counter_.work();
  const auto per_hundred = [&](uint32_t count) {
    return edits.matched == 0 ? 0 : std::min(kMostPerHundred, 100.0 * count / edits.matched);
  };
  out[Evidence::kNumbers] = per_hundred(edits.exchanged_numbers);
  out[Evidence::kWords] = per_hundred(edits.exchanged_words);
  // If both pages are equally large, the greater rest, whichever of them is compared with the other.
  const double larger_rest = other_.own > page_.own ? other_rest() : page_rest();
  out[Evidence::kLargerRest] =
      log_of_width(other_.own == page_.own ? std::max(other_rest(), page_rest()) : larger_rest);
  out[Evidence::kKeptBlocks] = std::max(0.0, 1 - missing_share() / kMostMissing);
  const bool plain_text = other_.text->is_plain_text() && page_.text->is_plain_text();
  const bool same_host = host_ != 0 && host_ == text::hash_of_host(other_.text->url());
  out[Evidence::kLength] = std::min(1.0, log_of_width(smaller_own()) / kLongText);
  out[Evidence::kPlainText] = plain_text ? 1 : 0;
  out[Evidence::kSameHost] = same_host ? 1 : 0;
  // What a table calls its texts is any number.
  out[Evidence::kName] =
      plain_text ? kNothingKnown : name_resemblance(text::page_name_of(other_.text->url()), name_, same_host);
  return out;
}

// A word that is matched counts as far as it is own text of both pages.
void EvidenceMeter::take_matches(std::span<const lcs::Match> matches) {
  common_ = common_visible_ = 0;
  const std::span<const Symbol> symbols = page_.text->symbols();
  for (const lcs::Match& match : matches) {
    work_ += match.count;
    size_t of_other = match.count == 0 ? 0 : block_at(*other_.text, match.a);
    size_t of_page = match.count == 0 ? 0 : block_at(*page_.text, match.b);
    for (size_t i = 0; i < match.count;) {
      const size_t end_in_other = block_end(*other_.text, of_other) - match.a;
      const size_t end_in_page = block_end(*page_.text, of_page) - match.b;
      const size_t end = std::min({size_t{match.count}, end_in_other, end_in_page});
      uint32_t width = 0;
      for (; i < end; ++i)
        width += symbol_width(symbols[match.b + i]);
      Block& a = other_.blocks[of_other];
      Block& b = page_.blocks[of_page];
      a.matched += width;
      b.matched += width;
      common_visible_ += width;
      common_ += std::min(a.own, b.own) * width;
      other_.matched_own += a.own * width;
      page_.matched_own += b.own * width;
      of_other += end == end_in_other ? 1 : 0;
      of_page += end == end_in_page ? 1 : 0;
    }
  }
}

// What is matched is the same word on both pages, so that only the rest must be looked up.
void EvidenceMeter::number_words(std::span<const lcs::Match> matches) noexcept {
  const std::span<const Symbol> other = other_.text->symbols();
  size_t at = 0;
  const auto look_up_until = [&](size_t end) {
    for (; at < end; ++at) {
      const Slot& slot = table_[slot_of(other[at])];
      word_of_other_[at] = slot.symbol == other[at] ? slot.number : kUnknown;
    }
  };
  for (const lcs::Match& match : matches) {
    look_up_until(match.a);
    std::copy_n(word_of_token_.begin() + match.b, match.count, word_of_other_.begin() + match.a);
    at = match.a + size_t{match.count};
  }
  look_up_until(other.size());
}

double EvidenceMeter::bag_resemblance() noexcept {
  for (Word& word : words_)
    word = {0, 0};
  const std::span<const Symbol> page = page_.text->symbols();
  for (size_t block = 0, i = 0; block < page_.blocks.size(); ++block) {
    const double own = page_.blocks[block].own;
    for (const size_t end = block_end(*page_.text, block); i < end; ++i)
      words_[word_of_token_[i]].page += own * symbol_width(page[i]);
  }
  const std::span<const Symbol> other = other_.text->symbols();
  double all = 0;
  for (size_t block = 0, i = 0; block < other_.blocks.size(); ++block) {
    const double own = other_.blocks[block].own;
    for (const size_t end = block_end(*other_.text, block); i < end; ++i) {
      const uint32_t word = word_of_other_[i];
      (word == kUnknown ? all : words_[word].other) += own * symbol_width(other[i]);
    }
  }
  double common = 0;
  for (const Word& word : words_) {
    common += std::min(word.page, word.other);
    all += std::max(word.page, word.other);
  }
  return all > 0 ? common / all : 0;
}

double EvidenceMeter::title_resemblance() const noexcept {
  double common = 0;
  double all = 0;
  auto a = other_.title.begin();
  auto b = page_.title.begin();
  while (a != other_.title.end() || b != page_.title.end()) {
    const bool of_other = a != other_.title.end() && (b == page_.title.end() || a->word <= b->word);
    const bool of_page = b != page_.title.end() && (a == other_.title.end() || b->word <= a->word);
    const double own = of_other && of_page ? std::min(a->own, b->own) : of_other ? a->own : b->own;
    all += own;
    if (of_other && of_page) common += own;
    a += of_other ? 1 : 0;
    b += of_page ? 1 : 0;
  }
  const bool says_nothing = other_.title.empty() || page_.title.empty() || all < kLeastTitle;
  return says_nothing ? kNothingKnown : common / all;
}

double EvidenceMeter::headings_resemblance() {
  const auto gather = [](const Side& side, Vector<Symbol>& words) {
    words.clear();
    const std::span<const FeatureBlock> blocks = side.text->blocks();
    const std::span<const Symbol> symbols = side.text->symbols();
    for (size_t i = 0; i < blocks.size(); ++i) {
      if (blocks[i].heading == 0 || side.blocks[i].own < kHeadingOwn) continue;
      words.insert(words.end(), symbols.begin() + blocks[i].token_begin,
                   symbols.begin() + static_cast<ptrdiff_t>(block_end(*side.text, i)));
    }
    std::ranges::sort(words);
    words.erase(std::unique(words.begin(), words.end()), words.end());
  };
  gather(other_, headings_of_other_);
  gather(page_, headings_of_page_);
  const size_t both = headings_of_other_.size() + headings_of_page_.size();
  work_ += both;
  if (headings_of_other_.empty() || headings_of_page_.empty()) return kNothingKnown;
  size_t common = 0;
  for (auto a = headings_of_other_.begin(), b = headings_of_page_.begin();
       a != headings_of_other_.end() && b != headings_of_page_.end();) {
    common += *a == *b ? 1 : 0;
    const bool next_a = *a <= *b;
    const bool next_b = *b <= *a;
    a += next_a ? 1 : 0;
    b += next_b ? 1 : 0;
  }
  return static_cast<double>(common) / static_cast<double>(both - common);
}

double EvidenceMeter::missing_share() const noexcept {
  double missing = 0;
  for (const Side* side : {&other_, &page_}) {
    for (const Block& block : side->blocks) {
      if (uint64_t{block.matched} * 5 < block.width) missing += block.own * block.width;
    }
  }
  const double both = other_.own + page_.own;
  return both > 0 ? missing / both : 0;
}

uint64_t EvidenceMeter::memory_bytes() const noexcept {
  const auto of = [](const Side& side) {
    return side.blocks.capacity() * sizeof(Block) + side.own_blocks.capacity() * sizeof(FeatureBlock) +
           side.title.capacity() * sizeof(TitleWord);
  };
  return of(other_) + of(page_) + counter_.memory_bytes() + table_.capacity() * sizeof(Slot) +
         (word_of_token_.capacity() + word_of_other_.capacity() + weighed_blocks_.capacity() +
          weighed_title_.capacity()) *
             sizeof(uint32_t) +
         weights_.capacity() * sizeof(double) + words_.capacity() * sizeof(Word) +
         (headings_of_other_.capacity() + headings_of_page_.capacity()) * sizeof(Symbol);
}

}  // namespace nd::engine
