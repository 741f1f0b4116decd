// Pages for the tests of what is known about sites: blocks are given by their hashes, the words of a title by
// numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "collection/site_knowledge.hpp"
#include "core/hash.hpp"
#include "page/features.hpp"
#include "unit/page/feature_sample.hpp"

namespace nd::engine {

// The page has other text now.
inline void replace(SiteKnowledge& knowledge, uint64_t site, const Features& before, const Features& after) {
  knowledge.learn(site, after);
  knowledge.forget(site, before);
}

// Each block has one word.
inline Features counted_page(const std::vector<uint64_t>& hashes, const std::vector<Symbol>& title = {}) {
  std::vector<FeatureBlock> blocks;
  std::vector<Symbol> symbols;
  for (const uint64_t hash : hashes) {
    blocks.push_back({hash, static_cast<uint32_t>(symbols.size()), 255, 0});
    symbols.push_back(make_symbol(static_cast<uint32_t>(mix(hash)), kWordWidth));
  }
  FeatureHeader header{};
  header.flags = symbols.empty() ? uint32_t{kFeatureNoText} : 0;
  return Features::build(header, {.blocks = blocks,
                                  .keys = {},
                                  .spots = {},
                                  .block_spots = {},
                                  .sentences = {},
                                  .symbols = symbols,
                                  .title = title,
                                  .url = {},
                                  .site = {},
                                  .text = {}});
}

// The counts of the page's parts, without those of `without`.
inline CountedPage counted(const SiteKnowledge& knowledge, uint64_t site, const Features& page,
                           const std::vector<const Features*>& without = {}) {
  std::vector<Vector<uint64_t>> parts;
  for (const Features* each : without)
    parts.push_back(counted_parts(*each));
  const std::vector<std::span<const uint64_t>> spans(parts.begin(), parts.end());
  CountedPage out;
  out.blocks = {77, 77};  // of the page before
  knowledge.count(site, page.blocks(), page.title(), {.others = spans}, out);
  return out;
}

// A site that has learned the page, and nine pages of nothing but these blocks.
inline SiteModel site_with_everywhere(const Features& page, std::vector<uint64_t> blocks) {
  std::ranges::sort(blocks);
  SiteModel site(1);
  site.learn(counted_parts(page), SiteModel::kPartsLimit);
  for (int i = 0; i < 9; ++i)
    site.learn(blocks, SiteModel::kPartsLimit);
  return site;
}

using Counts = std::vector<uint32_t>;

inline Counts block_counts(const SiteKnowledge& knowledge, uint64_t site, const std::vector<uint64_t>& hashes,
                           const std::vector<const Features*>& without = {}) {
  const CountedPage page = counted(knowledge, site, counted_page(hashes), without);
  return {page.blocks.begin(), page.blocks.end()};
}

inline uint32_t page_count(const SiteKnowledge& knowledge, uint64_t site) {
  return counted(knowledge, site, counted_page({1})).pages;
}

}  // namespace nd::engine
