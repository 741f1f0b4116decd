#include "moz/simhash_features.hpp"

#include <algorithm>

namespace nd::moz {
namespace {

// What keeps a word, a character and two characters with equal hashes apart: the first digits of the
// fractions of sqrt(2), sqrt(3) and sqrt(5), taken because nothing is hidden in them.
constexpr uint64_t kWord = 0x6a09e667f3bcc908;
constexpr uint64_t kCharacter = 0xbb67ae8584caa73b;
constexpr uint64_t kPair = 0x3c6ef372fe94f82b;

uint64_t pair_hash(uint32_t first, uint32_t second) noexcept {
  return mix(mix(kPair ^ first) ^ second);
}

}  // namespace

void append_features(std::span<const WeightedToken> run, Vector<WeightedFeature>& out) {
  const auto append = [&](uint64_t hash, uint32_t weight) {
    if (weight != 0) out.push_back({hash, weight});
  };
  for (size_t i = 0; i < run.size(); ++i) {
    const WeightedToken& token = run[i];
    if (!token.is_character) {
      append(mix(kWord ^ token.hash), token.weight);
      continue;
    }
    if (i + 1 < run.size() && run[i + 1].is_character) {
      append(pair_hash(token.hash, run[i + 1].hash), std::min(token.weight, run[i + 1].weight));
    } else if (i == 0 || !run[i - 1].is_character) {
      append(mix(kCharacter ^ token.hash), token.weight);
    }
  }
}

WeightedFeature128 widened(const WeightedFeature& feature) noexcept {
  return {{feature.hash, mix(feature.hash ^ kPair)}, feature.weight};
}

}  // namespace nd::moz
