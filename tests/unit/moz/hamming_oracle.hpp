// A Hamming index that compares with everything.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "moz/simhash.hpp"

namespace nd::moz::oracle {

using Match = std::tuple<uint32_t, uint64_t, uint64_t>;  // distance, sequence, id

template <typename Hash>
class HammingOracle {
 public:
  bool insert(uint64_t id, const Hash& hash) {
    if (hashes_.contains(id)) return false;
    hashes_[id] = {++last_, hash};
    return true;
  }
  bool remove(uint64_t id) { return hashes_.erase(id) != 0; }
  std::vector<Match> find(const Hash& hash, uint32_t most) const {
    std::vector<Match> found;
    for (const auto& [id, entry] : hashes_) {
      const uint32_t differing = distance(hash, entry.second);
      if (differing <= most) found.emplace_back(differing, entry.first, id);
    }
    std::sort(found.begin(), found.end());
    return found;
  }
  size_t size() const { return hashes_.size(); }
  const std::map<uint64_t, std::pair<uint64_t, Hash>>& hashes() const { return hashes_; }

 private:
  std::map<uint64_t, std::pair<uint64_t, Hash>> hashes_;
  uint64_t last_ = 0;
};

}  // namespace nd::moz::oracle
