#include "spotsigs/partitions.hpp"

#include <algorithm>

#include "spotsigs/threshold.hpp"

namespace nd::spotsigs {

uint64_t next_bound(uint64_t bound, uint32_t tau) noexcept {
  // p' - p > (1 - tau) p' is tau p' > p.
  const Wide next = Wide{bound} * kThresholdUnit / tau + 1;
  return next > UINT64_MAX ? UINT64_MAX : static_cast<uint64_t>(next);
}

Partitions::Partitions(uint32_t tau, uint64_t greatest_length) {
  if (tau == kThresholdUnit) return;
  for (uint64_t bound = 1; bound <= greatest_length && bound != UINT64_MAX; bound = next_bound(bound, tau))
    bounds_.push_back(bound);
}

uint64_t Partitions::of(uint64_t length) const noexcept {
  if (bounds_.empty()) return length - 1;
  const auto above = std::upper_bound(bounds_.begin(), bounds_.end(), length);
  return static_cast<uint64_t>(above - bounds_.begin()) - 1;
}

}  // namespace nd::spotsigs
