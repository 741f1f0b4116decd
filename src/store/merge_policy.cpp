// Chooses adjacent runs of one tier, the cheapest first, within what a snapshot may spend on merging.
#include "store/merge_policy.hpp"

#include <algorithm>

namespace nd::store {
namespace {

constexpr uint64_t kNewRunsFactor = 8;  // about what it costs to merge all tiers at once
constexpr uint64_t kStoreFraction = 32;
constexpr uint64_t kSmallBudgetBytes = uint64_t{16} << 20;

uint32_t tier_of(uint64_t bytes, uint32_t base) noexcept {
  uint32_t tier = 0;
  for (; bytes >= base; bytes /= base)
    ++tier;
  return tier;
}

uint64_t sum_of(std::span<const uint64_t> sizes) noexcept {
  uint64_t sum = 0;
  for (const uint64_t bytes : sizes)
    sum += std::min(bytes, ~uint64_t{0} - sum);
  return sum;
}

// All of [first, end), or the cheapest `count` adjacent runs in it.
std::optional<MergeRange> within_budget(std::span<const uint64_t> run_bytes, size_t first, size_t end,
                                        size_t count, uint64_t budget_bytes) noexcept {
  if (sum_of(run_bytes.subspan(first, end - first)) <= budget_bytes) return MergeRange{first, end - first};
  std::optional<MergeRange> best;
  uint64_t least = budget_bytes;
  for (size_t at = first; at + count <= end; ++at) {
    const uint64_t bytes = sum_of(run_bytes.subspan(at, count));
    if (bytes > least) continue;
    least = bytes;
    best = MergeRange{at, count};
  }
  return best;
}

}  // namespace

std::optional<MergeRange> next_merge(std::span<const uint64_t> run_bytes, uint32_t merge_count,
                                     uint64_t budget_bytes) noexcept {
  const uint32_t base = std::max(merge_count, 2U);
  size_t end = run_bytes.size();
  uint32_t tier = 0;
  for (size_t at = run_bytes.size(); at-- > 0;) {
    // Tiers only rise towards the oldest run, so that one tier's runs are neighbours.
    const uint32_t here = std::max(tier, tier_of(run_bytes[at], base));
    if (here != tier) end = at + 1;
    tier = here;
    const bool last_of_tier = at == 0 || tier_of(run_bytes[at - 1], base) > tier;
    if (!last_of_tier || end - at < base) continue;
    if (const std::optional<MergeRange> range = within_budget(run_bytes, at, end, base, budget_bytes))
      return range;
  }
  return std::nullopt;
}

uint64_t merge_budget_bytes(uint64_t new_run_bytes, uint64_t store_bytes) noexcept {
  const uint64_t by_new =
      new_run_bytes > ~uint64_t{0} / kNewRunsFactor ? ~uint64_t{0} : new_run_bytes * kNewRunsFactor;
  return std::max(by_new, store_bytes / kStoreFraction + kSmallBudgetBytes);
}

}  // namespace nd::store
