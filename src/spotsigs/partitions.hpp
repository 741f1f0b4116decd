// Partitions by document length (SpotSigs, "Partitioning the Collection" and "Approximate Solution").
#pragma once

#include <cstdint>

#include "core/memory.hpp"

namespace nd::spotsigs {

// p0 = 1; the next bound is the smallest p' with p' - p > (1 - tau) p'. Two documents that can reach tau lie
// in one partition or in neighbours: with x in partition k, tau times the second bound after it is above x.
//
// Deviation: for tau = .7 the slide prints 1, 3, 6, 10, ..., 43, 59. That does not follow from its own rule,
// which gives 1, 2, 3, 5, 8, 12, 18, 26, 38, 55, 79; nor would it do: of the lengths 42 and 59, which can
// reach 42/59 > .7, one lies two partitions from the other. The rule holds here.
uint64_t next_bound(uint64_t bound, uint32_t tau) noexcept;

// The partitions of the lengths up to `greatest_length`. The table has about 1000 / (1000 - tau) times the
// logarithm of that length entries; tau = 1000, where every length is a partition, needs none.
class Partitions {
 public:
  Partitions(uint32_t tau, uint64_t greatest_length);

  // The partition of a length 1..greatest_length, counted from 0.
  uint64_t of(uint64_t length) const noexcept;

 private:
  Vector<uint64_t> bounds_;  // partition k holds the lengths bounds_[k] <= length < bounds_[k + 1]
};

}  // namespace nd::spotsigs
