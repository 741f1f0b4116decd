// The spot index as brute force over the live documents, with the frequencies of the epoch in a map.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "spotsigs/document_frequencies.hpp"
#include "spotsigs/spot_vector.hpp"

namespace nd::spotsigs::oracle {

class SpotIndexOracle {
 public:
  SpotIndexOracle(uint32_t tau, IdfBand band) : tau_(tau), band_(band) {}

  void insert(uint32_t slot, SpotVector spots);
  bool remove(uint32_t slot);
  void start_epoch();

  struct Match {
    uint32_t slot;
    uint64_t shared, united;
    friend bool operator==(const Match&, const Match&) = default;
  };
  std::vector<Match> probe(SpotVector spots) const;  // best first, older first among equals

  // Slots from the oldest on.
  const std::vector<uint32_t>& order() const { return order_; }
  size_t dropped() const;

 private:
  bool keeps(uint64_t hash) const;
  std::vector<Spot> filtered(SpotVector spots) const;

  uint32_t tau_;
  IdfBand band_;
  std::map<uint32_t, std::vector<Spot>> documents_;
  std::vector<uint32_t> order_;
  std::map<uint64_t, uint64_t> epoch_frequencies_;
  uint64_t epoch_documents_ = 0;
};

}  // namespace nd::spotsigs::oracle
