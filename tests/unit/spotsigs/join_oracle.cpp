// The SpotSigs join by comparing all pairs, with Jaccard as the paper defines it.
#include "unit/spotsigs/join_oracle.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace nd::spotsigs::oracle {

std::pair<uint64_t, uint64_t> jaccard(SpotVector a, SpotVector b) {
  std::map<uint64_t, std::pair<uint64_t, uint64_t>> counts;
  for (const Spot& spot : a)
    counts[spot.hash].first = spot.count;
  for (const Spot& spot : b)
    counts[spot.hash].second = spot.count;
  uint64_t shared = 0, united = 0;
  for (const auto& [hash, count] : counts) {
    shared += std::min(count.first, count.second);
    united += std::max(count.first, count.second);
  }
  return {shared, united};
}

bool reaches(std::pair<uint64_t, uint64_t> similarity, uint32_t tau) {
  return similarity.second > 0 && similarity.first * 1000 >= similarity.second * tau;
}

Pairs join(const std::vector<SpotVector>& documents, uint32_t tau) {
  Pairs pairs;
  for (uint32_t first = 0; first < documents.size(); ++first) {
    for (uint32_t second = first + 1; second < documents.size(); ++second) {
      const auto similarity = jaccard(documents[first], documents[second]);
      if (reaches(similarity, tau)) pairs.insert({first, second, similarity.first, similarity.second});
    }
  }
  return pairs;
}

std::vector<uint32_t> components(size_t documents, const Pairs& pairs) {
  std::vector<uint32_t> labels(documents);
  std::iota(labels.begin(), labels.end(), 0U);
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [first, second, shared, united] : pairs) {
      const uint32_t least = std::min(labels[first], labels[second]);
      changed = changed || labels[first] != least || labels[second] != least;
      labels[first] = labels[second] = least;
    }
  }
  return labels;
}

}  // namespace nd::spotsigs::oracle
