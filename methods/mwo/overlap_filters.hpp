// Which terms of a page must be looked up, and which pages that share one need not be read: the filters of
// the paper, and bounds that are valid for shares. Proofs: docs/mwo.md.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/hash_map.hpp"
#include "core/memory.hpp"
#include "mwo/share_vector.hpp"

namespace nd::mwo {

// A term with its place in the order of its page.
struct PlacedTerm {
  uint64_t hash;
  uint64_t rank;  // see TermOrder
  uint32_t share;
};

// By what terms are ordered, the least first (MWO section 3).
enum class Order : uint8_t {
  kFrequency,  // the documents that have the term
  kWeight,     // its shares in all documents together: the "irrelevant tokens" first
};

// The global order of terms, by the documents of an epoch, then by hash; a term that the epoch does not know
// comes first. With the safe filter any fixed order is exact, and that by frequency makes prefixes of terms
// that few other pages have; with the published filter the order decides which pairs are lost.
//
// Threads: filled once, then any number of readers.
class TermOrder {
 public:
  explicit TermOrder(uint64_t secret, Order order = Order::kFrequency) noexcept
      : ranks_(secret), order_(order) {}

  // Counts a document of the epoch. Throws std::bad_alloc.
  void count(ShareVector terms);
  // Replaces `out` by the page's terms in order ("canonicalise").
  void arrange(ShareVector terms, Vector<PlacedTerm>& out) const;

  Order by() const noexcept { return order_; }
  uint64_t term_count() const noexcept { return ranks_.size(); }
  uint64_t memory_bytes() const noexcept { return ranks_.memory_bytes(); }

 private:
  HashMap<uint64_t> ranks_;
  Order order_;
};

enum class Filter : uint8_t {
  kSafe,   // by mass: exact
  kPaper,  // by number of terms, as published: right for the Jaccard of sets, not for shares
};

// The shortest prefix behind which there is less than `least` of the page's mass. Two pages that overlap by
// `least` share a term that is in both prefixes.
inline size_t prefix_by_mass(std::span<const PlacedTerm> terms, uint32_t least) noexcept {
  uint32_t behind = 0;
  size_t length = terms.size();
  while (length > 0 && behind + terms[length - 1].share < least)
    behind += terms[--length].share;
  return length;
}

// The mass behind a prefix is below this: nine tenths of the threshold rather than all of it. A match must
// then share a tenth of the threshold within the prefixes, and most pages that share only a rare word or two
// are not read. Lists are longer by a quarter at t = .5; docs/mwo.md has the measurement.
constexpr uint32_t prefix_rest(uint32_t least) noexcept {
  return std::max<uint32_t>(1, static_cast<uint32_t>(uint64_t{least} * 9 / 10));
}

// MWO, formula (1): |r| - floor(t |r|) + 1, at most |r|. `t` in thousandths.
constexpr size_t prefix_by_count(size_t size, uint32_t t) noexcept {
  return std::min<size_t>(size, size - static_cast<size_t>(uint64_t{size} * t / 1000) + 1);
}

// MWO, formulas (2) and (3), for a common term at place p of r and q of ri, both from 1:
// 1 + min(|r| - p, |ri| - q) >= t / (1 + t) (|r| + |ri|).
constexpr bool places_fit(size_t r, size_t p, size_t ri, size_t q, uint32_t t) noexcept {
  const uint64_t bound = 1 + std::min<uint64_t>(r - p, ri - q);
  return bound * (1000 + uint64_t{t}) >= (uint64_t{r} + ri) * t;
}

}  // namespace nd::mwo
