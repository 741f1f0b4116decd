// Extends the chain behind each antecedent; the words are sorted by kind beforehand without branches, which
// would be mispredicted.
#include "spotsigs/spot_extractor.hpp"

#include <algorithm>

#include "core/hash.hpp"

namespace nd::spotsigs {

namespace {

// A signature's hash starts from the number of its words, is extended by the antecedent and its chain, in
// this order, and reduced below 2^kSpotHashBits, so that a count fits beside it.
uint64_t extended(uint64_t hash, uint32_t word) noexcept {
  return mix(hash ^ word) + 0x9e3779b97f4a7c15ULL;
}
uint64_t finished(uint64_t hash) noexcept {
  return mix(hash) >> (64 - kSpotHashBits);
}

}  // namespace

uint64_t SpotExtractor::append_spots(std::span<const SpotWord> words, const SpotParameters& parameters,
                                     Vector<Spot>& out) {
  const auto count = static_cast<uint32_t>(words.size());
  content_before_.resize(words.size());
  content_.resize(words.size());
  antecedents_.resize(words.size());
  // Without branches: the kind of the next word cannot be predicted.
  uint32_t content = 0;
  uint32_t antecedents = 0;
  for (uint32_t i = 0; i < count; ++i) {
    content_before_[i] = content;
    content_[content] = {words[i].hash, i};
    antecedents_[antecedents] = i;
    content += is_content(words[i].kind) ? 1 : 0;
    antecedents += begins_signature(words[i].kind) ? 1 : 0;
  }
  uint64_t steps = count;
  for (uint32_t a = 0; a < antecedents; ++a) {
    const uint32_t i = antecedents_[a];
    uint64_t hash = extended(uint64_t{parameters.chain} + 1, words[i].hash);
    uint32_t links = 0;
    for (uint64_t k = uint64_t{i} + parameters.distance; k < count && links < parameters.chain; ++links) {
      ++steps;
      const uint32_t next = content_before_[k];
      if (next == content) break;
      hash = extended(hash, content_[next].hash);
      k = uint64_t{content_[next].place} + parameters.distance;
    }
    if (links == parameters.chain) out.push_back({finished(hash), 1});
  }
  return steps;
}

bool unite(Vector<Spot>& spots, size_t limit) {
  std::sort(spots.begin(), spots.end(), [](const Spot& a, const Spot& b) { return a.hash < b.hash; });
  size_t kept = 0;
  for (size_t i = 0; i < spots.size(); ++i) {
    if (kept > 0 && spots[kept - 1].hash == spots[i].hash) {
      const uint64_t sum = uint64_t{spots[kept - 1].count} + spots[i].count;
      spots[kept - 1].count = static_cast<uint32_t>(std::min<uint64_t>(sum, UINT32_MAX));
    } else if (kept == limit) {
      spots.resize(kept);
      return true;
    } else {
      spots[kept++] = spots[i];
    }
  }
  spots.resize(kept);
  return false;
}

}  // namespace nd::spotsigs
