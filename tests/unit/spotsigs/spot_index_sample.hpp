// A spot index that goes through snapshots, and what tests compare of its answers.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "spotsigs/spot_index.hpp"
#include "unit/spotsigs/spot_index_oracle.hpp"
#include "unit/store/memory_run.hpp"

namespace nd::spotsigs::sample {

inline std::vector<oracle::SpotIndexOracle::Match> matches_of(const SpotMatches& answer) {
  std::vector<oracle::SpotIndexOracle::Match> matches;
  for (const SpotMatch& match : answer.matches)
    matches.push_back({match.id, match.overlap.shared, match.overlap.united});
  return matches;
}

class StoredSpotIndex {
 public:
  StoredSpotIndex(uint64_t seed, const SpotIndexParameters& parameters)
      : random_(seed), parameters_(parameters), index_(std::make_unique<SpotIndex>(random_(), parameters)) {}

  SpotIndex& operator*() { return *index_; }
  SpotIndex* operator->() { return index_.get(); }

  // The next step of a snapshot, of all tables. False if a table did not do as it should.
  bool step() {
    bool succeeded = true;
    for (size_t i = 0; i < snapshots_.size(); ++i)
      succeeded = snapshots_[i].step(*index_->tables()[i], random_) && succeeded;
    return succeeded;
  }
  // Closes the index after a whole snapshot, and opens it with another secret.
  bool reopen() {
    bool succeeded = true;
    for (size_t i = 0; i < snapshots_.size(); ++i)
      succeeded = snapshots_[i].finish(*index_->tables()[i], random_) && succeeded;
    Vector<uint8_t> bytes;
    index_->state().write(bytes);
    const Result<SpotIndexState> state = SpotIndexState::parse(bytes);
    if (!state) return false;
    auto opened = std::make_unique<SpotIndex>(random_(), parameters_);
    for (size_t i = 0; i < snapshots_.size(); ++i)
      opened->tables()[i]->attach(snapshots_[i].runs(), index_->tables()[i]->size());
    opened->restore(*state);
    index_ = std::move(opened);
    return succeeded;
  }

 private:
  std::mt19937_64 random_;
  SpotIndexParameters parameters_;
  std::unique_ptr<SpotIndex> index_;
  std::array<store::sample::Snapshots, 4> snapshots_;
};

}  // namespace nd::spotsigs::sample
