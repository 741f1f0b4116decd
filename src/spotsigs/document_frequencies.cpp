// Counts in how many documents a signature occurs and freezes the counts, since a band that moved with every
// page would compare pages by different rules.
#include "spotsigs/document_frequencies.hpp"

#include <cmath>

namespace nd::spotsigs {
namespace {

// N^(1 - idf). The tolerance makes exact powers exact, whatever the last bit of the library's pow().
constexpr double kRounding = 1e-14;

double frequency_at(uint64_t documents, uint32_t idf) noexcept {
  return std::pow(static_cast<double>(documents), (1000.0 - idf) / 1000.0);
}

}  // namespace

FrequencyRange frequency_range(IdfBand band, uint64_t documents) noexcept {
  if (documents < 2) return {0, UINT64_MAX};
  const double least = std::ceil(frequency_at(documents, band.high) * (1 - kRounding));
  const double greatest = std::floor(frequency_at(documents, band.low) * (1 + kRounding));
  return {static_cast<uint64_t>(least), static_cast<uint64_t>(greatest)};
}

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
