// The answer of a site's knowledge for one page: how many of the site's other pages have each of its blocks,
// and each word of its title. site_model.hpp is what one site knows, collection/site_knowledge.hpp that of
// all sites.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/memory.hpp"
#include "page/features.hpp"

namespace nd::engine {

// Empty spans: no block, or no word, is on another page.
struct SiteCounts {
  uint32_t pages = 0;                // of the site that are known, without the page itself
  std::span<const uint32_t> blocks;  // of them with this block, by block of the page
  std::span<const uint32_t> title;   // of them with this word in their title, by word of the page's title

  uint32_t with_block(size_t block) const noexcept { return blocks.empty() ? 0 : blocks[block]; }
  uint32_t with_title_word(size_t word) const noexcept { return title.empty() ? 0 : title[word]; }
};

// What is known of two pages that are compared.
struct PairCounts {
  SiteCounts representative, page;
};

// The counts of a page, in memory that is used again.
struct CountedPage {
  Vector<uint32_t> blocks, title;
  uint32_t pages = 0;

  SiteCounts counts() const noexcept { return {pages, blocks, title}; }
  // As without one of the pages, which has all of these blocks.
  void leave_out_one() noexcept;
  void clear() noexcept {
    pages = 0;
    blocks.clear();
    title.clear();
  }
  uint64_t memory_bytes() const noexcept { return (blocks.capacity() + title.capacity()) * sizeof(uint32_t); }
};

// Those of two pages that are compared.
struct CountedPair {
  CountedPage representative, page;
  // The counts of the page hold for other representatives, too: this one is of another site.
  bool is_page_counted = false;

  PairCounts counts() const noexcept { return {representative.counts(), page.counts()}; }
  void clear() noexcept {
    representative.clear();
    page.clear();
    is_page_counted = false;
  }
  uint64_t memory_bytes() const noexcept { return representative.memory_bytes() + page.memory_bytes(); }
};

// How much of a block is the page's own text, in three steps, for its candidate keys.
enum BoilerplateMark : uint8_t {
  kOwnText = 0,
  kBoilerplate = 1,  // more the site's than the page's
  kEverywhere = 2,   // on so many pages of the site that it counts even on a page of a few words for nothing
};

// How much a part that `with` of `pages` other pages of its site have is the page's own: 1 if none has it.
double own_share(uint32_t with, uint32_t pages) noexcept;

// marks[i], a BoilerplateMark of the page's block i. `counted`: without the page itself.
void mark_by_share(const CountedPage& counted, std::span<uint8_t> marks) noexcept;

// A block with less weight is hardly the page's own.
inline constexpr double kHardlyOwn = 0.25;

// Less own text, in units of the LCS partition, is no evidence of what a page is.
inline constexpr double kLeastOwnWidth = 8;

// The weight of a block that has this share of its own, where learned weights are trusted so far.
double own_weight(const FeatureBlock& block, double share, double trust) noexcept;
// How far, if so many pages of the site are known and they have this share of the page's text.
double trust_in_learned_weights(uint32_t pages, double repeated_share) noexcept;

// The weights of a page's blocks, 0..1: by how much of the page's site has them, and, the less of that is
// known, by their learned weights. `width_of`: (size_t) → number, of the text of a block. Throws
// std::bad_alloc.
template <typename WidthOf>
void take_own_weights(std::span<const FeatureBlock> blocks, const SiteCounts& site, WidthOf&& width_of,
                      Vector<double>& out) {
  out.resize(blocks.size());
  double repeated = 0;
  double all = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    const auto width = static_cast<double>(width_of(i));
    out[i] = own_share(site.with_block(i), site.pages);
    repeated += (1 - out[i]) * width;
    all += width;
  }
  const double trust = trust_in_learned_weights(site.pages, all > 0 ? repeated / all : 1);
  for (size_t i = 0; i < blocks.size(); ++i)
    out[i] = own_weight(blocks[i], out[i], trust);
}

}  // namespace nd::engine
