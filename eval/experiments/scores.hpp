// How good a grouping, or a list of pairs, is by the labels.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collection.hpp"

namespace nd::eval {

// Unordered pairs of scored pages: said to be near-duplicates and are, said but are not, are but not said.
// The measures of no pairs are 1, so that computations go through; tables leave them empty (score_cells.hpp).
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

// What the labels say of a page.
struct PageTruth {
  uint32_t label;  // kNoLabel: in no score
  uint32_t site;
};
// Of these pages, in their order; of all.
std::vector<PageTruth> truths_of(const Collection& collection, std::span<const uint32_t> pages);
std::vector<PageTruth> truths_of(const Collection& collection);

struct Score {
  PairCounts all, same_site, cross_site;
  uint64_t scored_pages = 0;  // with a label: without one the means below are of nothing
  double b_cubed_precision = 1;
  double b_cubed_recall = 1;
  // The mean over the label groups of two pages or more of the F1 of the pairs with a page of the group:
  // our reading of the "Macro-Avg. F1" by which SpotSigs scores its Gold Set; it does not say of what.
  double macro_f1 = 1;

  double b_cubed_f1() const;
};

struct PagePair {
  uint32_t a;
  uint32_t b;  // indexes of the pages that are scored
};

// `groups`, by page: pages of one number are one group.
Score score_groups(std::span<const PageTruth> pages, std::span<const uint64_t> groups);
Score score_groups(const Collection& collection, std::span<const uint64_t> groups);
// Each pair at most once, in either order. B-cubed is that of the pages' neighbours.
Score score_pairs(std::span<const PageTruth> pages, std::span<const PagePair> pairs);

// By page: the pages connected by the pairs have one number.
std::vector<uint64_t> connected_groups(size_t pages, std::span<const PagePair> pairs);

}  // namespace nd::eval
