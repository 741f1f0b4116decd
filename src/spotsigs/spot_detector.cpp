#include "spotsigs/spot_detector.hpp"

#include <utility>

namespace nd::spotsigs {

uint32_t SpotDetector::add(SpotVector spots) {
  documents_.emplace_back(spots.begin(), spots.end());
  try {
    frequencies_.add(spots);
  } catch (...) {
    documents_.pop_back();
    throw;
  }
  return static_cast<uint32_t>(documents_.size() - 1);
}

SpotDetection SpotDetector::detect() const {
  const Epoch epoch = frequencies_.freeze(band_);
  Vector<Vector<Spot>> filtered(documents_.size());
  Vector<SpotVector> views;
  views.reserve(documents_.size());
  for (size_t i = 0; i < documents_.size(); ++i) {
    epoch.filter(documents_[i], filtered[i]);
    views.emplace_back(filtered[i]);
  }
  JoinResult joined = batch_join(views, options_);
  Vector<uint32_t> groups = pair_groups(documents_.size(), joined.pairs);
  return {std::move(joined.pairs), std::move(groups), joined.counts};
}

}  // namespace nd::spotsigs
