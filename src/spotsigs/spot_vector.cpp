// Length and overlap of two multi-sets, by one merge of their ascending hashes.
#include "spotsigs/spot_vector.hpp"

#include <algorithm>

namespace nd::spotsigs {

uint64_t length(SpotVector spots) noexcept {
  uint64_t sum = 0;
  for (const Spot& spot : spots)
    sum += spot.count;
  return sum;
}

Overlap overlap(SpotVector a, SpotVector b) noexcept {
  uint64_t shared = 0;
  for (size_t i = 0, k = 0; i < a.size() && k < b.size();) {
    if (a[i].hash < b[k].hash) {
      ++i;
    } else if (b[k].hash < a[i].hash) {
      ++k;
    } else {
      shared += std::min(a[i++].count, b[k++].count);
    }
  }
  return {shared, length(a) + length(b) - shared};
}

}  // namespace nd::spotsigs
