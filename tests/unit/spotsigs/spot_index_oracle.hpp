// The spot index as brute force over the live documents.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "detectors/document_frequencies.hpp"
#include "spotsigs/spot_vector.hpp"

namespace nd::spotsigs::oracle {

class SpotIndexOracle {
 public:
  SpotIndexOracle(uint32_t tau, IdfBand band, uint64_t frequent_documents)
      : tau_(tau), band_(band), frequent_documents_(frequent_documents) {}

  void insert(uint64_t id, PackedSpots spots);
  bool remove(uint64_t id);
  void start_epoch();

  struct Match {
    uint64_t id;
    uint64_t shared, united;
    friend bool operator==(const Match&, const Match&) = default;
  };
  std::vector<Match> probe(PackedSpots spots) const;  // best first, older first among equals

  // Ids from the oldest on.
  const std::vector<uint64_t>& order() const { return order_; }
  size_t dropped() const { return dropped_.size(); }

 private:
  bool keeps(uint64_t hash) const;
  double idf(uint64_t frequency) const;
  std::vector<Spot> filtered(const std::vector<Spot>& spots) const;

  uint32_t tau_;
  IdfBand band_;
  uint64_t frequent_documents_;
  std::map<uint64_t, std::vector<Spot>> documents_;
  std::map<uint64_t, uint64_t> frequencies_;
  std::vector<uint64_t> order_;
  uint64_t epoch_documents_ = 0;
  std::set<uint64_t> dropped_;
};

}  // namespace nd::spotsigs::oracle
