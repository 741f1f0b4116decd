// Random pages as MWO compares them: few frequent terms, many rare ones, some heavy, and changed copies of
// earlier pages, so that there are pairs at every threshold.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "core/hash.hpp"
#include "core/memory.hpp"
#include "mwo/share_vector.hpp"

namespace nd::mwo::sample {

using Weights = std::map<uint64_t, uint64_t>;
using Terms = Vector<Term>;

// The shares of all terms, none dropped.
inline Terms shares(const Weights& weights) {
  Vector<WeighedTerm> weighed;
  for (const auto& [hash, weight] : weights)
    weighed.push_back({hash, weight});
  Terms made;
  make_shares(weighed, {0, UINT32_MAX}, made);
  return made;
}

class Random {
 public:
  explicit Random(uint64_t seed) : generator_(seed) {}

  uint64_t below(uint64_t end) { return generator_() % end; }

  Weights page(uint64_t vocabulary, uint64_t longest) {
    Weights weights;
    const auto length = static_cast<uint64_t>(std::pow(static_cast<double>(longest), unit()));
    for (uint64_t i = 0; i < length + 1; ++i)
      weights[term(vocabulary)] += weight();
    return weights;
  }

  Weights changed(Weights weights, uint64_t vocabulary) {
    const uint64_t changes = below(weights.size() / 2 + 1);
    for (uint64_t i = 0; i < changes; ++i) {
      auto at = weights.begin();
      std::advance(at, below(weights.size()));
      switch (below(3)) {
        case 0:
          if (weights.size() > 1) weights.erase(at);
          break;
        case 1:
          at->second += weight();
          break;
        default:
          weights[term(vocabulary)] += weight();
      }
    }
    return weights;
  }

  Weights next(const std::vector<Weights>& earlier, uint64_t vocabulary, uint64_t longest) {
    if (earlier.empty() || below(2) == 0) return page(vocabulary, longest);
    return changed(earlier[below(earlier.size())], vocabulary);
  }

 private:
  // Term i of the vocabulary with a probability that falls as 1 / i.
  uint64_t term(uint64_t vocabulary) {
    return mix(static_cast<uint64_t>(std::pow(static_cast<double>(vocabulary), unit())));
  }
  // As table 1 has them, occasionally that of a term which fills a page.
  uint64_t weight() {
    static constexpr uint64_t kWeights[] = {500, 1000, 1000, 1000, 2000, 3000};
    return below(40) == 0 ? below(200000) + 1 : kWeights[below(std::size(kWeights))];
  }
  double unit() { return std::uniform_real_distribution<double>(0, 1)(generator_); }
  std::mt19937_64 generator_;
};

}  // namespace nd::mwo::sample
