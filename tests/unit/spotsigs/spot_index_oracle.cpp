// The spot index by brute force: every document compared with the query.
#include "unit/spotsigs/spot_index_oracle.hpp"

#include <algorithm>
#include <cmath>

#include "unit/spotsigs/join_oracle.hpp"

namespace nd::spotsigs::oracle {
namespace {

std::vector<Spot> unpacked(PackedSpots spots) {
  std::vector<Spot> made;
  for (const PackedSpot packed : spots)
    made.push_back(spot_of(packed));
  return made;
}

}  // namespace

void SpotIndexOracle::insert(uint64_t id, PackedSpots spots) {
  documents_[id] = unpacked(spots);
  for (const Spot& spot : documents_[id])
    ++frequencies_[spot.hash];
  order_.push_back(id);
}

bool SpotIndexOracle::remove(uint64_t id) {
  std::erase(order_, id);
  const auto removed = documents_.extract(id);
  if (removed.empty()) return false;
  for (const Spot& spot : removed.mapped())
    --frequencies_[spot.hash];
  return true;
}

double SpotIndexOracle::idf(uint64_t frequency) const {
  const double n = static_cast<double>(epoch_documents_);
  return 1000 * std::log(n / static_cast<double>(frequency)) / std::log(n);
}

void SpotIndexOracle::start_epoch() {
  epoch_documents_ = documents_.size();
  dropped_.clear();
  if (epoch_documents_ < 2) return;
  for (const auto& [hash, frequency] : frequencies_) {
    if (frequency >= frequent_documents_ && idf(frequency) < band_.low - 1e-6) dropped_.insert(hash);
  }
}

bool SpotIndexOracle::keeps(uint64_t hash) const {
  if (dropped_.contains(hash)) return false;
  if (epoch_documents_ < 2 || idf(1) <= band_.high + 1e-6) return true;
  const auto found = frequencies_.find(hash);
  return found != frequencies_.end() && found->second > 0 && idf(found->second) <= band_.high + 1e-6;
}

std::vector<Spot> SpotIndexOracle::filtered(const std::vector<Spot>& spots) const {
  std::vector<Spot> kept;
  for (const Spot& spot : spots) {
    if (keeps(spot.hash)) kept.push_back(spot);
  }
  return kept;
}

std::vector<SpotIndexOracle::Match> SpotIndexOracle::probe(PackedSpots spots) const {
  const std::vector<Spot> asked = filtered(unpacked(spots));
  std::vector<Match> found;
  for (const uint64_t id : order_) {
    const std::vector<Spot> held = filtered(documents_.at(id));
    const auto similarity = jaccard(asked, held);
    if (reaches(similarity, tau_)) found.push_back({id, similarity.first, similarity.second});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Match& a, const Match& b) { return a.shared * b.united > b.shared * a.united; });
  return found;
}

}  // namespace nd::spotsigs::oracle
