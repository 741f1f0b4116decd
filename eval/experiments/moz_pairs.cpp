// Compares all pairs or a sample, and lists first the pairs of different labels that the vectors take for
// equal.
#include "moz_pairs.hpp"

#include <algorithm>
#include <tuple>

#include "collection.hpp"
#include "moz/simhash.hpp"
#include "pair_sample.hpp"

namespace nd::eval {
namespace {

constexpr size_t kLongestList = 100'000;  // before all but the first are dropped

Likeness likeness(const MozPage& a, const MozPage& b) noexcept {
  const bool same_site = a.site == b.site;
  if (a.label == kNoLabel || b.label == kNoLabel) return {SameLabel::kUnknown, same_site};
  return {a.label == b.label ? SameLabel::kYes : SameLabel::kNo, same_site};
}

// Which of two comes first in the list.
bool tells_more(const MozPair& x, const MozPair& y) noexcept {
  const auto order = [](const MozPair& pair) {
    return std::tuple(pair.likeness.same_label != SameLabel::kNo, kVectorDifferences - pair.vector_difference,
                      pair.a, pair.b);
  };
  return order(x) < order(y);
}

void keep_first(std::vector<MozPair>& pairs, size_t kept) {
  kept = std::min(kept, pairs.size());
  std::partial_sort(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(kept), pairs.end(),
                    tells_more);
  pairs.resize(kept);
}

}  // namespace

MozPairs compare_pairs(std::span<const MozPage> pages, uint64_t limit, uint64_t seed, size_t listed) {
  MozPairs out;
  auto& list = out.simhash_only;
  for_each_pair(pages.size(), limit, seed, [&](uint32_t b, uint32_t a) {
    const MozPair pair{pages[a].page, pages[b].page, moz::difference(pages[a].vector, pages[b].vector),
                       moz::distance(pages[a].simhash, pages[b].simhash), likeness(pages[a], pages[b])};
    out.histogram.add(pair.vector_difference, pair.simhash_difference, pair.likeness);
    if (quadrant_of(pair.vector_difference, pair.simhash_difference) != Quadrant::kSimhashOnly) return;
    list.push_back(pair);
    if (list.size() > kLongestList + listed) keep_first(list, listed);
  });
  keep_first(list, listed);
  return out;
}

}  // namespace nd::eval
