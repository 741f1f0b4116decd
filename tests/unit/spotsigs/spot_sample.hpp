// Random multi-sets of signatures: few frequent signatures, many rare ones, lengths from one to some
// hundreds, and changed copies of earlier documents, so that there are pairs at every threshold.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "core/hash.hpp"
#include "core/memory.hpp"
#include "spotsigs/spot_vector.hpp"

namespace nd::spotsigs::sample {

using Spots = Vector<Spot>;

inline Spots spots(const std::map<uint64_t, uint32_t>& counts) {
  Spots made;
  for (const auto& [hash, count] : counts)
    made.push_back({hash, count});
  return made;
}

inline std::vector<SpotVector> views(const std::vector<Spots>& documents) {
  return {documents.begin(), documents.end()};
}

inline Vector<PackedSpot> packed(SpotVector spots) {
  Vector<PackedSpot> made;
  for (const Spot& spot : spots)
    made.push_back(make_packed_spot(spot));
  return made;
}
inline Vector<PackedSpot> packed(const std::map<uint64_t, uint32_t>& counts) {
  return packed(spots(counts));
}

class Random {
 public:
  explicit Random(uint64_t seed) : generator_(seed) {}

  uint64_t below(uint64_t end) { return generator_() % end; }

  // Signature i of `vocabulary` with a probability that falls as 1 / i.
  uint64_t signature(uint64_t vocabulary) {
    const double at = std::pow(static_cast<double>(vocabulary), unit()) - 1;
    return mix(static_cast<uint64_t>(at) + 1) >> (64 - kSpotHashBits);
  }

  Spots document(uint64_t vocabulary, uint64_t longest) {
    std::map<uint64_t, uint32_t> counts;
    const auto length = static_cast<uint64_t>(std::pow(static_cast<double>(longest), unit()));
    for (uint64_t i = 0; i < std::max<uint64_t>(length, 1); ++i)
      ++counts[signature(vocabulary)];
    if (below(10) == 0) counts.begin()->second += static_cast<uint32_t>(below(400));
    return spots(counts);
  }

  // With some of its signatures gone, new or of another count.
  Spots changed(const Spots& document, uint64_t vocabulary) {
    std::map<uint64_t, uint32_t> counts;
    for (const Spot& spot : document)
      counts[spot.hash] = spot.count;
    const uint64_t changes = below(document.size() / 3 + 1);
    for (uint64_t i = 0; i < changes; ++i) {
      const uint64_t hash = document[below(document.size())].hash;
      switch (below(3)) {
        case 0:
          if (counts.size() > 1) counts.erase(hash);
          break;
        case 1:
          counts[hash] += static_cast<uint32_t>(below(3) + 1);
          break;
        default:
          ++counts[signature(vocabulary)];
      }
    }
    return spots(counts);
  }

  // A new document, or a changed copy of one of `earlier`.
  Spots next(const std::vector<Spots>& earlier, uint64_t vocabulary, uint64_t longest) {
    if (earlier.empty() || below(2) == 0) return document(vocabulary, longest);
    return changed(earlier[below(earlier.size())], vocabulary);
  }

  std::vector<Spots> collection(size_t count, uint64_t vocabulary, uint64_t longest) {
    std::vector<Spots> documents;
    while (documents.size() < count)
      documents.push_back(next(documents, vocabulary, longest));
    return documents;
  }

 private:
  double unit() { return std::uniform_real_distribution<double>(0, 1)(generator_); }
  std::mt19937_64 generator_;
};

// Whether two documents of these lengths can reach tau.
constexpr bool lengths_fit(uint64_t a, uint64_t b, uint32_t tau) noexcept {
  return a < b ? a >= least_length(b, tau) : b >= least_length(a, tau);
}

}  // namespace nd::spotsigs::sample
