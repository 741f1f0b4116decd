// The trustable region by listing every range of blocks and weighing it as the figures of the report do.
#include "unit/lcs/trustable_oracle.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace nd::lcs::oracle {
namespace {

struct BaseRegion {
  int i, j;
  int weight;
};

}  // namespace

Region trustable_region(uint32_t length, std::span<const Edit> edits, const TrustableParameters& parameters) {
  if (length == 0) return {};
  const int size = static_cast<int>(length);
  std::vector<double> d(length + 1, 0);  // edits up to each position
  for (const Edit& edit : edits)
    d[std::min(edit.position, length - 1) + 1] += edit.amount;
  for (size_t x = 1; x <= length; ++x)
    d[x] += d[x - 1];
  const auto slope = [&](int begin, int end) {
    return (d[static_cast<size_t>(end)] - d[static_cast<size_t>(begin)]) / (end - begin);
  };

  int s = static_cast<int>(parameters.block_width);
  while ((size + s - 1) / s > static_cast<int>(parameters.blocks_limit))
    ++s;
  const int k = (size + s - 1) / s;
  const int middle = (k + 1) / 2;
  const auto weight = [&](int i) { return middle - std::abs(middle - i); };
  const auto begin_of = [&](int i) { return (i - 1) * s; };
  const auto end_of = [&](int j) { return std::min(j * s, size); };

  std::vector<BaseRegion> base;
  for (int i = 1; i <= k; ++i) {
    for (int j = i; j <= k; ++j) {
      if (slope(begin_of(i), end_of(j)) > parameters.slope) continue;
      int sum = 0;
      for (int t = i; t <= j; ++t)
        sum += weight(t);
      base.push_back({i, j, sum});
    }
  }
  int largest = -1;
  for (const BaseRegion& region : base)
    largest = std::max(largest, region.weight);
  std::erase_if(base, [&](const BaseRegion& region) { return region.weight < largest; });
  int fewest = k + 1;
  for (const BaseRegion& region : base)
    fewest = std::min(fewest, region.j - region.i + 1);
  std::erase_if(base, [&](const BaseRegion& region) { return region.j - region.i + 1 > fewest; });

  Region best;
  for (const BaseRegion& region : base) {
    int left = begin_of(region.i);
    int right = end_of(region.j);
    for (int x = std::max(left - (s - 1), 0); x < begin_of(region.i); ++x) {
      if (slope(x, right) < parameters.slope) {
        left = x;
        break;
      }
    }
    for (int x = std::min(right + s - 1, size); x > end_of(region.j); --x) {
      if (slope(left, x) < parameters.slope) {
        right = x;
        break;
      }
    }
    if (right - left > static_cast<int>(best.end - best.begin)) {
      best = {static_cast<uint32_t>(left), static_cast<uint32_t>(right)};
    }
  }
  return best;
}

}  // namespace nd::lcs::oracle
