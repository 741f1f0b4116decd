// Draws sets, finds the page that stands for each, and counts the pages of its label around it.
#include "lcs_sampled_sets.hpp"

#include <map>

#include "lcs_candidates.hpp"

namespace nd::eval::partition {
namespace {

struct Around {
  uint64_t pages = 0;    // labelled, in the group
  uint64_t similar = 0;  // of them, those of the label
};

Around count_around(std::span<const PageTruth> pages, uint32_t page, std::span<const uint64_t> groups,
                    bool within_sites) {
  Around found;
  for (size_t i = 0; i < pages.size(); ++i) {
    if (groups[i] != groups[page] || pages[i].label == kNoLabel) continue;
    if (within_sites && pages[i].site != pages[page].site) continue;
    ++found.pages;
    found.similar += pages[i].label == pages[page].label;
  }
  return found;
}

// The first page of the most frequent label; of several, of the one that comes first.
uint32_t representative_of(std::span<const PageTruth> pages, std::span<const uint32_t> set) {
  std::map<uint32_t, size_t> counts;
  for (const uint32_t page : set)
    ++counts[pages[page].label];
  uint32_t best = set.front();
  for (const uint32_t page : set)
    if (counts[pages[page].label] > counts[pages[best].label]) best = page;
  return best;
}

}  // namespace

std::vector<uint32_t> representative_pages(std::span<const PageTruth> pages, std::span<const uint64_t> groups,
                                           size_t least_pages, size_t wanted, uint64_t seed) {
  std::map<uint64_t, std::vector<uint32_t>> sets;
  for (uint32_t i = 0; i < pages.size(); ++i)
    if (pages[i].label != kNoLabel) sets[groups[i]].push_back(i);
  std::vector<uint32_t> representatives;
  for (const auto& [group, set] : sets)
    if (set.size() >= least_pages) representatives.push_back(representative_of(pages, set));
  return draw(representatives, wanted, seed);
}

std::optional<SampledSets> measure_sampled_sets(std::span<const PageTruth> pages,
                                                std::span<const uint32_t> representatives,
                                                std::span<const uint64_t> groups,
                                                std::span<const uint64_t> base, bool within_sites) {
  if (representatives.empty()) return std::nullopt;
  SampledSets sums{};
  for (const uint32_t page : representatives) {
    const Around own = count_around(pages, page, groups, within_sites);
    const Around other = count_around(pages, page, base, within_sites);
    sums.precision += static_cast<double>(own.similar) / static_cast<double>(own.pages);
    sums.recall_ratio += static_cast<double>(own.similar) / static_cast<double>(other.similar);
  }
  const auto count = static_cast<double>(representatives.size());
  return SampledSets{sums.precision / count, sums.recall_ratio / count};
}

}  // namespace nd::eval::partition
