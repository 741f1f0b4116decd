#include "keep_rule.hpp"

#include <ndcapi.h>
#include <algorithm>
#include <new>
#include <numeric>

namespace ndc {
namespace {

nd_copy copy_of(const KeepCandidate& candidate) {
  nd_copy copy = ND_COPY_INIT;
  if (!candidate.has_content) copy.flags = ND_COPY_WITHOUT_CONTENT;
  copy.url = candidate.url.data();
  copy.url_size = candidate.url.size();
  copy.canonical_url = candidate.canonical.data();
  copy.canonical_url_size = candidate.canonical.size();
  copy.fetched_at_ms = candidate.fetched_at_ms;
  copy.text_width = candidate.text_width;
  return copy;
}

}  // namespace

int32_t keep_rule_named(std::string_view word) {
  if (word == "longest") return ND_KEEP_LONGEST;
  if (word == "newest") return ND_KEEP_NEWEST;
  if (word == "canonical") return ND_KEEP_CANONICAL;
  return ND_KEEP_FIRST;
}

std::vector<size_t> choose_kept(const std::vector<KeepCandidate>& candidates, int32_t rule) {
  std::vector<size_t> by_group(candidates.size());
  std::iota(by_group.begin(), by_group.end(), size_t{0});
  std::stable_sort(by_group.begin(), by_group.end(),
                   [&](size_t x, size_t y) { return candidates[x].group_id < candidates[y].group_id; });
  std::vector<size_t> kept(candidates.size());
  std::vector<nd_copy> copies;
  for (size_t begin = 0; begin < by_group.size(); begin += copies.size()) {
    copies.clear();
    const uint64_t group_id = candidates[by_group[begin]].group_id;
    for (size_t i = begin; i < by_group.size() && candidates[by_group[i]].group_id == group_id; ++i)
      copies.push_back(copy_of(candidates[by_group[i]]));
    size_t chosen = 0;
    // The only possible failure here is lack of memory.
    if (nd_choose_copy(copies.data(), copies.size(), rule, &chosen) != ND_OK) throw std::bad_alloc();
    for (size_t i = 0; i < copies.size(); ++i)
      kept[by_group[begin + i]] = by_group[begin + chosen];
  }
  return kept;
}

}  // namespace ndc
