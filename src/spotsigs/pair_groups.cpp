#include "spotsigs/pair_groups.hpp"

#include <algorithm>
#include <numeric>

namespace nd::spotsigs {
namespace {

// Path halving; a root is always the least of its set, so the answer needs no second naming.
uint32_t root(Vector<uint32_t>& parents, uint32_t document) noexcept {
  while (parents[document] != document) {
    parents[document] = parents[parents[document]];
    document = parents[document];
  }
  return document;
}

}  // namespace

Vector<uint32_t> pair_groups(size_t documents, std::span<const SimilarPair> pairs) {
  Vector<uint32_t> parents(documents);
  std::iota(parents.begin(), parents.end(), 0U);
  for (const SimilarPair& pair : pairs) {
    const uint32_t a = root(parents, pair.first);
    const uint32_t b = root(parents, pair.second);
    parents[std::max(a, b)] = std::min(a, b);
  }
  for (uint32_t document = 0; document < documents; ++document)
    parents[document] = root(parents, document);
  return parents;
}

}  // namespace nd::spotsigs
