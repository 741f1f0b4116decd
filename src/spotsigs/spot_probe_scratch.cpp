// A hash table from document to overlap that is emptied by walking its entries, because a probe touches few
// of its places.
#include "spotsigs/spot_probe_scratch.hpp"

#include <algorithm>

#include "core/hash.hpp"
#include "spotsigs/spot_posting.hpp"

namespace nd::spotsigs {

void SpotProbeScratch::HitDocuments::clear() noexcept {
  hits_.clear();
  probes_ = 0;
  if (++round_ != 0) return;
  std::ranges::fill(places_, Place{});
  round_ = 1;
}

SpotProbeScratch::HitDocuments::Place& SpotProbeScratch::HitDocuments::place_of(uint64_t sequence) noexcept {
  const size_t mask = places_.size() - 1;
  const size_t home = mix(sequence ^ secret_) & mask;
  size_t at = home;
  while (places_[at].round == round_ && places_[at].sequence != sequence)
    at = (at + 1) & mask;
  probes_ += ((at - home) & mask) + 1;
  return places_[at];
}

void SpotProbeScratch::HitDocuments::add(uint64_t posting, uint64_t shared) {
  if ((hits_.size() + 1) * 2 > places_.size()) grow();
  Place& place = place_of(sequence_of(posting));
  if (place.round == round_) {
    hits_[place.index].shared += shared;
    return;
  }
  hits_.push_back({posting, shared});
  place = {sequence_of(posting), round_, static_cast<uint32_t>(hits_.size() - 1)};
}

void SpotProbeScratch::HitDocuments::grow() {
  places_ = Vector<Place>(std::max<size_t>(64, places_.size() * 2));
  for (uint32_t index = 0; index < hits_.size(); ++index) {
    const uint64_t sequence = sequence_of(hits_[index].posting);
    place_of(sequence) = {sequence, round_, index};
  }
}

}  // namespace nd::spotsigs
