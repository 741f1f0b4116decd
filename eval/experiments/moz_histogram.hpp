// Pairs of pages by how much they differ by both fingerprints of Moz: the plot from which Moz read its
// threshold.
#pragma once

#include <array>
#include <cstdint>

#include "moz/fingerprint_vector.hpp"

namespace nd::eval {

inline constexpr uint32_t kVectorDifferences = moz::kVectorEntries + 1;
inline constexpr uint32_t kSimhashDifferences = 64 + 1;

enum class SameLabel : uint8_t { kUnknown, kYes, kNo };

struct Likeness {
  SameLabel same_label;
  bool same_site;
};

struct PairTally {
  uint64_t pairs = 0;
  uint64_t same_site = 0;
  uint64_t same_label = 0;
  uint64_t same_label_same_site = 0;
  uint64_t other_label = 0;            // pairs with a page without label are neither
  uint64_t other_label_same_site = 0;  // of them: these have boilerplate in common

  void add(const Likeness& likeness) noexcept;
  void add(const PairTally& other) noexcept;
};

// What Moz calls duplicates by the simhash, by the vector: the figure with the two lines.
enum class Quadrant : uint8_t {
  kBoth,         // lower left
  kSimhashOnly,  // lower right: where false duplicates would stand
  kVectorOnly,   // upper left: what the simhash misses
  kNeither,
};
inline constexpr uint32_t kQuadrants = 4;
// By the thresholds of src/moz: 6 unequal entries, 5 unequal bits.
Quadrant quadrant_of(uint32_t vector_difference, uint32_t simhash_difference) noexcept;

class MozHistogram {
 public:
  // Differences 0..128 and 0..64.
  void add(uint32_t vector_difference, uint32_t simhash_difference, const Likeness& likeness) noexcept;

  const PairTally& cell(uint32_t vector_difference, uint32_t simhash_difference) const noexcept {
    return cells_[vector_difference][simhash_difference];
  }
  PairTally all() const noexcept { return within(kSimhashDifferences - 1); }
  PairTally quadrant(Quadrant quadrant) const noexcept;
  // Pairs whose simhashes differ in so many bits at most.
  PairTally within(uint32_t simhash_difference) const noexcept;
  // The greatest vector difference among the pairs of other labels whose simhashes differ in just so many
  // bits; -1: there is none. Moz's circled dot stands at 6 bits, far to the right.
  int32_t farthest_other(uint32_t simhash_difference) const noexcept;

 private:
  std::array<std::array<PairTally, kSimhashDifferences>, kVectorDifferences> cells_{};
};

}  // namespace nd::eval
