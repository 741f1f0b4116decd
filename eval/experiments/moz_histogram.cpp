// Counts pairs by both differences, from which quadrants and tails are read.
#include "moz_histogram.hpp"

#include "moz/simhash.hpp"

namespace nd::eval {

void PairTally::add(const Likeness& likeness) noexcept {
  ++pairs;
  same_site += likeness.same_site;
  same_label += likeness.same_label == SameLabel::kYes;
  same_label_same_site += likeness.same_label == SameLabel::kYes && likeness.same_site;
  other_label += likeness.same_label == SameLabel::kNo;
  other_label_same_site += likeness.same_label == SameLabel::kNo && likeness.same_site;
}

void PairTally::add(const PairTally& other) noexcept {
  pairs += other.pairs;
  same_site += other.same_site;
  same_label += other.same_label;
  same_label_same_site += other.same_label_same_site;
  other_label += other.other_label;
  other_label_same_site += other.other_label_same_site;
}

Quadrant quadrant_of(uint32_t vector_difference, uint32_t simhash_difference) noexcept {
  const bool by_vector = vector_difference <= moz::kVectorDifference;
  if (simhash_difference <= moz::kSimhash64Distance) {
    return by_vector ? Quadrant::kBoth : Quadrant::kSimhashOnly;
  }
  return by_vector ? Quadrant::kVectorOnly : Quadrant::kNeither;
}

void MozHistogram::add(uint32_t vector_difference, uint32_t simhash_difference,
                       const Likeness& likeness) noexcept {
  cells_[vector_difference][simhash_difference].add(likeness);
}

PairTally MozHistogram::quadrant(Quadrant quadrant) const noexcept {
  PairTally sum;
  for (uint32_t v = 0; v < kVectorDifferences; ++v) {
    for (uint32_t s = 0; s < kSimhashDifferences; ++s) {
      if (quadrant_of(v, s) == quadrant) sum.add(cell(v, s));
    }
  }
  return sum;
}

PairTally MozHistogram::within(uint32_t simhash_difference) const noexcept {
  PairTally sum;
  for (uint32_t v = 0; v < kVectorDifferences; ++v) {
    for (uint32_t s = 0; s <= simhash_difference; ++s)
      sum.add(cell(v, s));
  }
  return sum;
}

int32_t MozHistogram::farthest_other(uint32_t simhash_difference) const noexcept {
  for (uint32_t v = kVectorDifferences; v > 0; --v) {
    if (cell(v - 1, simhash_difference).other_label != 0) return static_cast<int32_t>(v - 1);
  }
  return -1;
}

}  // namespace nd::eval
