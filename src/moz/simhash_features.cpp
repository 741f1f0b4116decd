#include "moz/simhash_features.hpp"

#include <algorithm>
#include <cassert>

#include "core/hash.hpp"

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

namespace {

// Each step is a bijection of what stood before, so the order of the tokens counts.
uint64_t shingle_hash(std::span<const uint32_t> tokens) noexcept {
  uint64_t hash = tokens.size();
  for (const uint32_t token : tokens)
    hash = mix(hash ^ token);
  return hash;
}

}  // namespace

void append_shingles(std::span<const uint32_t> tokens, uint32_t length, Vector<uint64_t>& out) {
  assert(length != 0);
  if (tokens.empty()) return;
  const size_t size = std::clamp<size_t>(length, 1, tokens.size());
  const size_t count = tokens.size() - size + 1;
  const size_t before = out.size();
  out.resize(before + count);
  for (size_t i = 0; i < count; ++i)
    out[before + i] = shingle_hash(tokens.subspan(i, size));
}

}  // namespace nd::moz
