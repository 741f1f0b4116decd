// Counts and orders terms, the rarest first, so that prefixes are short and their lists are too.
#include "mwo/overlap_filters.hpp"

#include <algorithm>

namespace nd::mwo {

void TermOrder::count(ShareVector terms) {
  for (const Term& term : terms)
    ranks_[term.hash] += order_ == Order::kFrequency ? 1 : term.share;
}

void TermOrder::arrange(ShareVector terms, Vector<PlacedTerm>& out) const {
  out.clear();
  for (const Term& term : terms)
    out.push_back({term.hash, ranks_.find(term.hash), term.share});
  std::sort(out.begin(), out.end(), [](const PlacedTerm& a, const PlacedTerm& b) {
    return a.rank != b.rank ? a.rank < b.rank : a.hash < b.hash;
  });
}

}  // namespace nd::mwo
