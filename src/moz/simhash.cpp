#include "moz/simhash.hpp"

#include "moz/lane_counters.hpp"

namespace nd::moz {
namespace {

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
