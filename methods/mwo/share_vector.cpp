// Makes shares of weights in whole units that add up exactly, by the largest remainders.
#include "mwo/share_vector.hpp"

#include <algorithm>
#include <cstddef>

namespace nd::mwo {
namespace {

using Wide = unsigned __int128;

bool by_hash(const WeighedTerm& a, const WeighedTerm& b) noexcept {
  return a.hash < b.hash;
}

bool heavier(const WeighedTerm& a, const WeighedTerm& b) noexcept {
  return a.weight != b.weight ? a.weight > b.weight : a.hash < b.hash;
}

// Merges equal hashes and drops those without a weight. Returns the sum of the weights.
uint64_t unite(Vector<WeighedTerm>& terms) {
  std::sort(terms.begin(), terms.end(), by_hash);
  uint64_t total = 0;
  size_t kept = 0;
  for (size_t i = 0; i < terms.size();) {
    WeighedTerm united = terms[i++];
    while (i < terms.size() && terms[i].hash == united.hash)
      united.weight += terms[i++].weight;
    if (united.weight == 0) continue;
    total += united.weight;
    terms[kept++] = united;
  }
  terms.resize(kept);
  return total;
}

// How many of the terms, which are sorted by weight, reach the dynamic threshold: terms of equal weight are
// kept or dropped together.
size_t count_above_threshold(std::span<const WeighedTerm> terms, uint64_t total, uint32_t light) noexcept {
  size_t kept = terms.size();
  uint64_t dropped = 0;
  while (kept > 0) {
    size_t first = kept;
    uint64_t with_these = dropped;
    while (first > 0 && terms[first - 1].weight == terms[kept - 1].weight)
      with_these += terms[--first].weight;
    if (Wide{with_these} * 1000 > Wide{total} * light) break;
    dropped = with_these;
    kept = first;
  }
  return kept;
}

// Appends the whole units of the terms' exact shares; the remainders replace the weights.
uint64_t take_whole_units(Vector<WeighedTerm>& terms, Vector<Term>& out) {
  uint64_t total = 0;
  for (const WeighedTerm& term : terms)
    total += term.weight;
  uint64_t given = 0;
  for (WeighedTerm& term : terms) {
    const Wide scaled = Wide{term.weight} * kShareUnit;
    const auto share = static_cast<uint32_t>(scaled / total);
    out.push_back({term.hash, share});
    term.weight = static_cast<uint64_t>(scaled % total);
    given += share;
  }
  return given;
}

}  // namespace

DroppedTerms make_shares(Vector<WeighedTerm>& terms, const ShareParameters& parameters, Vector<Term>& out) {
  out.clear();
  const uint64_t total = unite(terms);
  std::sort(terms.begin(), terms.end(), heavier);
  DroppedTerms dropped;
  const size_t above = count_above_threshold(terms, total, parameters.light);
  dropped.light = terms.size() - above;
  terms.resize(std::min<size_t>(above, parameters.terms));
  dropped.cut = above - terms.size();
  if (terms.empty()) return dropped;

  std::sort(terms.begin(), terms.end(), by_hash);
  const uint64_t missing = kShareUnit - take_whole_units(terms, out);
  std::sort(terms.begin(), terms.end(), heavier);  // by remainder
  for (size_t i = 0; i < missing; ++i) {
    const auto at = std::lower_bound(out.begin(), out.end(), terms[i].hash,
                                     [](const Term& term, uint64_t hash) { return term.hash < hash; });
    ++at->share;
  }
  std::erase_if(out, [](const Term& term) { return term.share == 0; });
  return dropped;
}

uint32_t minimum_weight_overlap(ShareVector a, ShareVector b) noexcept {
  uint32_t overlap = 0;
  for (size_t i = 0, k = 0; i < a.size() && k < b.size();) {
    if (a[i].hash == b[k].hash) overlap += std::min(a[i].share, b[k].share);
    const bool next_a = a[i].hash <= b[k].hash;
    const bool next_b = b[k].hash <= a[i].hash;
    i += next_a;
    k += next_b;
  }
  return overlap;
}

}  // namespace nd::mwo
