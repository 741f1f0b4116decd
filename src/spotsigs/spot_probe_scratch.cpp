#include "spotsigs/spot_probe_scratch.hpp"

#include <algorithm>

#include "core/hash.hpp"

namespace nd::spotsigs {

void SpotProbeScratch::SequenceSet::clear() noexcept {
  used_ = 0;
  probes_ = 0;
  if (++round_ >> (64 - kRoundShift) == 0) return;
  std::fill(places_.begin(), places_.end(), 0);
  round_ = 1;
}

bool SpotProbeScratch::SequenceSet::add(uint64_t sequence) {
  if ((used_ + 1) * 2 > places_.size()) grow();
  const uint64_t wanted = round_ << kRoundShift | sequence;
  const size_t mask = places_.size() - 1;
  const size_t home = mix(sequence ^ secret_) & mask;
  size_t at = home;
  while (places_[at] >> kRoundShift == round_ && places_[at] != wanted)
    at = (at + 1) & mask;
  probes_ += ((at - home) & mask) + 1;
  if (places_[at] == wanted) return false;
  places_[at] = wanted;
  ++used_;
  return true;
}

void SpotProbeScratch::SequenceSet::grow() {
  Vector<uint64_t> old(std::max<size_t>(64, places_.size() * 2));
  old.swap(places_);
  used_ = 0;
  for (const uint64_t place : old) {
    if (place >> kRoundShift == round_) add(place & ((uint64_t{1} << kRoundShift) - 1));
  }
}

}  // namespace nd::spotsigs
