#include "unit/spotsigs/spot_index_oracle.hpp"

#include <algorithm>
#include <cmath>

#include "unit/spotsigs/join_oracle.hpp"

namespace nd::spotsigs::oracle {

void SpotIndexOracle::insert(uint32_t slot, SpotVector spots) {
  documents_[slot].assign(spots.begin(), spots.end());
  order_.push_back(slot);
}

bool SpotIndexOracle::remove(uint32_t slot) {
  std::erase(order_, slot);
  const auto removed = documents_.extract(slot);
  if (removed.empty()) return false;
  // A signature that no document has is forgotten.
  for (const Spot& spot : removed.mapped()) {
    const bool is_left = std::any_of(documents_.begin(), documents_.end(), [&](const auto& document) {
      return std::any_of(document.second.begin(), document.second.end(),
                         [&](const Spot& other) { return other.hash == spot.hash; });
    });
    if (!is_left) epoch_frequencies_.erase(spot.hash);
  }
  return true;
}

void SpotIndexOracle::start_epoch() {
  epoch_frequencies_.clear();
  for (const auto& [slot, spots] : documents_) {
    for (const Spot& spot : spots)
      ++epoch_frequencies_[spot.hash];
  }
  epoch_documents_ = documents_.size();
}

bool SpotIndexOracle::keeps(uint64_t hash) const {
  const auto found = epoch_frequencies_.find(hash);
  if (found == epoch_frequencies_.end() || epoch_documents_ < 2) return true;
  const double n = static_cast<double>(epoch_documents_);
  const double idf = std::log(n / static_cast<double>(found->second)) / std::log(n);
  return idf * 1000 >= band_.low - 1e-6 && idf * 1000 <= band_.high + 1e-6;
}

size_t SpotIndexOracle::dropped() const {
  return static_cast<size_t>(std::count_if(epoch_frequencies_.begin(), epoch_frequencies_.end(),
                                           [&](const auto& entry) { return !keeps(entry.first); }));
}

std::vector<Spot> SpotIndexOracle::filtered(SpotVector spots) const {
  std::vector<Spot> kept;
  for (const Spot& spot : spots) {
    if (keeps(spot.hash)) kept.push_back(spot);
  }
  return kept;
}

std::vector<SpotIndexOracle::Match> SpotIndexOracle::probe(SpotVector spots) const {
  const std::vector<Spot> asked = filtered(spots);
  std::vector<Match> found;
  for (const uint32_t slot : order_) {
    const std::vector<Spot> held = filtered(documents_.at(slot));
    const auto similarity = jaccard(asked, held);
    if (reaches(similarity, tau_)) found.push_back({slot, similarity.first, similarity.second});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Match& a, const Match& b) { return a.shared * b.united > b.shared * a.united; });
  return found;
}

}  // namespace nd::spotsigs::oracle
