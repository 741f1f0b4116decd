#include "spotsigs/spot_extractor.hpp"

#include <algorithm>

#include "core/hash.hpp"

namespace nd::spotsigs {

uint64_t signature_hash(std::span<const uint32_t> words) noexcept {
  uint64_t hash = words.size();
  for (uint32_t word : words)
    hash = mix(hash ^ word) + 0x9e3779b97f4a7c15ULL;
  return mix(hash) >> (64 - kSpotHashBits);
}

uint64_t SpotExtractor::append_spots(std::span<const SpotWord> words, const SpotParameters& parameters,
                                     Vector<Spot>& out) {
  const size_t count = words.size();
  next_content_.resize(count);
  auto next = static_cast<uint32_t>(count);
  for (size_t i = count; i-- > 0;) {
    if (words[i].kind == WordKind::kContent) next = static_cast<uint32_t>(i);
    next_content_[i] = next;
  }
  uint64_t steps = count;
  for (size_t i = 0; i < count; ++i) {
    if (words[i].kind != WordKind::kAntecedent) continue;
    signature_.assign(1, words[i].hash);
    size_t k = i + parameters.distance;
    while (k < count && signature_.size() <= parameters.chain) {
      ++steps;
      k = next_content_[k];
      if (k == count) break;
      signature_.push_back(words[k].hash);
      k += parameters.distance;
    }
    if (signature_.size() > parameters.chain) out.push_back({signature_hash(signature_), 1});
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
