#include "spotsigs/spot_probe_scratch.hpp"

#include <algorithm>

#include "core/hash.hpp"

namespace nd::spotsigs {

void SpotProbeScratch::SlotSet::clear() noexcept {
  used_ = 0;
  if (++round_ != 0) return;
  std::fill(places_.begin(), places_.end(), 0);
  round_ = 1;
}

bool SpotProbeScratch::SlotSet::add(uint32_t slot) {
  if ((used_ + 1) * 2 > places_.size()) grow();
  const uint64_t wanted = uint64_t{round_} << 32 | slot;
  const size_t mask = places_.size() - 1;
  for (size_t at = mix(slot) & mask;; at = (at + 1) & mask) {
    if (places_[at] == wanted) return false;
    if (places_[at] >> 32 == round_) continue;
    places_[at] = wanted;
    ++used_;
    return true;
  }
}

void SpotProbeScratch::SlotSet::grow() {
  Vector<uint64_t> old(std::max<size_t>(64, places_.size() * 2));
  old.swap(places_);
  used_ = 0;
  for (const uint64_t place : old) {
    if (place >> 32 == round_) add(static_cast<uint32_t>(place));
  }
}

}  // namespace nd::spotsigs
