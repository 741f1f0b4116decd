// How good a grouping, or a list of pairs, is by the labels.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collection.hpp"

namespace nd::eval {

// Unordered pairs of scored pages: said to be near-duplicates and are, said but are not, are but not said.
struct PairCounts {
  uint64_t right = 0;
  uint64_t wrong = 0;
  uint64_t missed = 0;

  double precision() const { return right + wrong == 0 ? 1.0 : ratio(right, right + wrong); }
  double recall() const { return right + missed == 0 ? 1.0 : ratio(right, right + missed); }
  double f1() const;

 private:
  static double ratio(uint64_t part, uint64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
  }
};

struct Score {
  PairCounts all, same_site, cross_site;
  double b_cubed_precision = 1;
  double b_cubed_recall = 1;
  // The mean over the label groups of two pages or more of the F1 of the pairs with a page of the group: how
  // the Gold Set of SpotSigs is scored.
  double macro_f1 = 1;

  double b_cubed_f1() const;
};

struct PagePair {
  uint32_t a;
  uint32_t b;  // indexes of pages
};

// `groups` [pages of the collection]: pages of one number are one group.
Score score_groups(const Collection& collection, std::span<const uint64_t> groups);
// Each pair at most once, in either order. B-cubed is that of the pages' neighbours.
Score score_pairs(const Collection& collection, std::span<const PagePair> pairs);

// By page: the pages connected by the pairs have one number.
std::vector<uint64_t> connected_groups(size_t pages, std::span<const PagePair> pairs);

}  // namespace nd::eval
