// Counts and orders terms, the rarest first, so that prefixes are short and their lists are too.
#include "mwo/overlap_filters.hpp"

#include <algorithm>

namespace nd::mwo {

void TermOrder::count(ShareVector terms) {
  for (const Term& term : terms)
    ++frequencies_[term.hash];
}

void TermOrder::arrange(ShareVector terms, Vector<PlacedTerm>& out) const {
  out.clear();
  for (const Term& term : terms)
    out.push_back({term.hash, frequencies_.find(term.hash), term.share});
  std::sort(out.begin(), out.end(), [](const PlacedTerm& a, const PlacedTerm& b) {
    return a.frequency != b.frequency ? a.frequency < b.frequency : a.hash < b.hash;
  });
}

}  // namespace nd::mwo
