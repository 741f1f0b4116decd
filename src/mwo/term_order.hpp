// The global order of terms: rare first, by the document frequencies of an epoch (MWO section 3).
#pragma once

#include <cstdint>

#include "core/flat_map.hpp"
#include "core/memory.hpp"
#include "mwo/share_vector.hpp"

namespace nd::mwo {

// A term at its place in the order of its page.
struct PlacedTerm {
  uint64_t hash;
  uint32_t frequency;  // documents of the epoch that have it
  uint32_t share;
};

// By frequency, then hash; a term that the epoch does not know is in none of its documents and comes first.
// Any fixed order would do for exactness; this one makes prefixes of terms that few others have. The paper
// would also allow an order by weight.
//
// Threads: filled once, then any number of readers.
class TermOrder {
 public:
  explicit TermOrder(uint64_t secret) noexcept : frequencies_(secret) {}

  // Counts a document of the epoch. Throws std::bad_alloc.
  void count(ShareVector terms);
  // Replaces `out` by the page's terms in order ("canonicalise").
  void arrange(ShareVector terms, Vector<PlacedTerm>& out) const;

  uint64_t term_count() const noexcept { return frequencies_.size(); }
  uint64_t memory_bytes() const noexcept { return frequencies_.memory_bytes(); }

 private:
  FlatMap<uint32_t> frequencies_;
};

}  // namespace nd::mwo
