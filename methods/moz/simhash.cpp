// Sums the weighted bits of features in lanes, since a counter a bit would take most of the time.
#include "moz/simhash.hpp"

#include <algorithm>
#include <cassert>

#include "core/hash.hpp"

namespace nd::moz {
namespace {

// These distinguish a word, a character and a pair of characters with equal hashes: the first digits of the
// fractional parts of sqrt(2), sqrt(3) and sqrt(5), which are nothing-up-my-sleeve numbers.
constexpr uint64_t kWord = 0x6a09e667f3bcc908;
constexpr uint64_t kCharacter = 0xbb67ae8584caa73b;
constexpr uint64_t kPair = 0x3c6ef372fe94f82b;

uint64_t pair_hash(uint32_t first, uint32_t second) noexcept {
  return mix(mix(kPair ^ first) ^ second);
}

// Adds three bits of each lane; the sum is a number of two bits.
struct Sum {
  uint64_t low;
  uint64_t high;
};
Sum sum_of(uint64_t a, uint64_t b, uint64_t c) noexcept {
  const uint64_t unequal = a ^ b;
  return {unequal ^ c, (a & b) | (unequal & c)};
}

uint64_t half_of(uint64_t weight) noexcept {
  return weight / 2 + weight % 2;
}

template <typename Features, typename Widen>
std::optional<Hash128> wide_simhash(const Features& features, Widen&& widen) noexcept {
  LaneCounters low;
  LaneCounters high;
  uint64_t total = 0;
  for (const auto& feature : features) {
    const WeightedFeature128 wide = widen(feature);
    low.add(wide.hash.low, wide.weight);
    high.add(wide.hash.high, wide.weight);
    total += wide.weight;
  }
  if (total == 0) return std::nullopt;
  return Hash128{low.at_least(half_of(total)), high.at_least(half_of(total))};
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

// Each step is a bijection of the hash so far, so the order of the tokens counts.
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

void LaneCounters::carry(uint32_t plane) noexcept {
  std::array<uint64_t, kWaiting>& lanes = waiting_[plane];
  std::fill(lanes.begin() + counts_[plane], lanes.end(), 0);
  counts_[plane] = 0;

  const Sum first = sum_of(lanes[0], lanes[1], lanes[2]);
  const Sum second = sum_of(lanes[3], lanes[4], lanes[5]);
  const Sum third = sum_of(lanes[6], lanes[7], first.low);
  const Sum ones = sum_of(third.low, second.low, 0);
  const Sum twos = sum_of(first.high, second.high, third.high);
  const Sum more_twos = sum_of(twos.low, ones.high, 0);
  const Sum fours = sum_of(twos.high, more_twos.high, 0);
  const std::array<uint64_t, 4> number{ones.low, more_twos.low, fours.low, fours.high};

  uint64_t carry = 0;
  for (const uint64_t digit : number) {
    const Sum sum = sum_of(planes_[plane], digit, carry);
    planes_[plane++] = sum.low;
    carry = sum.high;
  }
  for (; carry != 0 && plane < planes_.size(); ++plane) {
    const uint64_t held = planes_[plane];
    planes_[plane] = held ^ carry;
    carry &= held;
  }
}

uint64_t LaneCounters::at_least(uint64_t bound) noexcept {
  for (uint32_t plane = 0; plane < kWeightBits; ++plane) {
    if (counts_[plane] != 0) carry(plane);
  }
  uint64_t above = 0;
  uint64_t level = ~uint64_t{0};  // lanes equal to the bound in all planes so far
  for (size_t plane = planes_.size(); plane-- > 0;) {
    const uint64_t held = planes_[plane];
    if ((bound >> plane & 1) != 0) {
      level &= held;
    } else {
      above |= level & held;
      level &= ~held;
    }
  }
  return above | level;
}

std::optional<uint64_t> simhash64(std::span<const WeightedFeature> features) noexcept {
  LaneCounters votes;
  uint64_t total = 0;
  for (const WeightedFeature& feature : features) {
    votes.add(feature.hash, feature.weight);
    total += feature.weight;
  }
  if (total == 0) return std::nullopt;
  return votes.at_least(half_of(total));
}

std::optional<Hash128> simhash128(std::span<const WeightedFeature128> features) noexcept {
  return wide_simhash(features, [](const WeightedFeature128& feature) { return feature; });
}

std::optional<Hash128> simhash128(std::span<const WeightedFeature> features) noexcept {
  return wide_simhash(features, widened);
}

}  // namespace nd::moz
