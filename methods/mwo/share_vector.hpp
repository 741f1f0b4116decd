// The form in which MWO compares pages: terms with their shares of the page's total weight (MWO section 3,
// the columns of the TDW matrix).
#pragma once

#include <cstdint>
#include <span>

#include "core/memory.hpp"

namespace nd::mwo {

// The whole of a page. Shares are integers, so that sums, bounds and comparisons are exact; the sum of any
// two fits in 32 bits.
inline constexpr uint32_t kShareUnit = uint32_t{1} << 30;

struct WeighedTerm {
  uint64_t hash;    // stable hash of the stem
  uint64_t weight;  // in thousandths
};

struct Term {
  uint64_t hash;
  uint32_t share;  // 1..kShareUnit
  friend bool operator==(const Term&, const Term&) = default;
};

// Ascending by hash, each hash once; the shares add up to kShareUnit.
using ShareVector = std::span<const Term>;

struct ShareParameters {
  // The dynamic threshold T drops the lightest terms as long as all dropped terms together have at most this
  // part of the page's weight, in thousandths 0..999. Why: docs/mwo.md.
  uint32_t light = 100;
  uint32_t terms = 4096;  // kept per page: the heaviest
};

struct DroppedTerms {
  uint64_t light = 0;  // distinct terms below T
  uint64_t cut = 0;    // beyond `terms`
};

// Replaces `out` by the shares of the terms; a hash that occurs more than once has the sum of its weights,
// which all together are below 2^64. `terms` is overwritten. Shares are rounded down; the units that are
// missing from kShareUnit go to those with the largest remainders, one each, so that no share is off by a
// whole unit. A term whose share is 0 units is left out. Empty if no term has a weight. Cost: O(n log n).
DroppedTerms make_shares(Vector<WeighedTerm>& terms, const ShareParameters& parameters, Vector<Term>& out);

// MWO: the sum of the smaller shares, 0..kShareUnit (MWO section 3, table 3). Cost: O(|a| + |b|).
uint32_t minimum_weight_overlap(ShareVector a, ShareVector b) noexcept;

// The smallest overlap that reaches the threshold t, in thousandths 0..1000. At least one unit: t = 0
// requires a common term (MWO section 3).
constexpr uint32_t least_overlap(uint32_t t) noexcept {
  const uint64_t units = (uint64_t{kShareUnit} * t + 999) / 1000;
  return units == 0 ? 1 : static_cast<uint32_t>(units);
}

}  // namespace nd::mwo
