// Counts in how many documents a signature occurs and freezes the counts, since a band that moved with every
// page would compare pages by different rules.
#include "detectors/document_frequencies.hpp"

namespace nd::spotsigs {
uint64_t Epoch::frequency(uint64_t hash) const noexcept {
  return frequencies_.find(hash);
}

bool Epoch::keeps(uint64_t hash) const noexcept {
  const uint64_t known = frequency(hash);
  return known == 0 || range_.contains(known);
}

void Epoch::filter(SpotVector spots, Vector<Spot>& out) const {
  out.clear();
  for (const Spot& spot : spots) {
    if (keeps(spot.hash)) out.push_back(spot);
  }
}

void DocumentFrequencies::add(SpotVector spots) {
  size_t added = 0;
  try {
    for (; added < spots.size(); ++added)
      ++frequencies_[spots[added].hash];
  } catch (...) {
    drop(spots.first(added));
    throw;
  }
  ++documents_;
}

void DocumentFrequencies::remove(SpotVector spots) noexcept {
  drop(spots);
  --documents_;
}

void DocumentFrequencies::drop(SpotVector spots) noexcept {
  for (const Spot& spot : spots) {
    uint32_t* frequency = frequencies_.entry(spot.hash);
    if (*frequency == 1) {
      frequencies_.erase(spot.hash);
    } else {
      --*frequency;
    }
  }
}

Epoch DocumentFrequencies::freeze(IdfBand band) const {
  Epoch epoch(secret_);
  epoch.frequencies_ = frequencies_;
  epoch.documents_ = documents_;
  epoch.range_ = frequency_range(band, documents_);
  return epoch;
}

uint64_t DocumentFrequencies::frequency(uint64_t hash) const noexcept {
  return frequencies_.find(hash);
}

}  // namespace nd::spotsigs
