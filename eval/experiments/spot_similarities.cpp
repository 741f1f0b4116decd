// Inverts the signatures and adds up, for each document, what it shares with all before it.
#include "spot_similarities.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace nd::eval {
namespace {

struct Posting {
  uint32_t document;
  double count;
  double share;    // of the document's signatures
  double entropy;  // share · log2 share
};

struct Sums {
  double product = 0;  // of the counts
  double common = 0;   // p log2((p + q) / p) + q log2((p + q) / q)
};

double with_log(double share) {
  return share * std::log2(share);
}

}  // namespace

std::vector<MeasuredPair> measured_pairs(std::span<const spotsigs::SpotVector> documents, float least) {
  std::unordered_map<uint64_t, std::vector<Posting>> lists;
  std::vector<double> norms;
  std::vector<Sums> sums(documents.size());
  std::vector<MeasuredPair> pairs;
  for (uint32_t second = 0; second < documents.size(); ++second) {
    std::fill_n(sums.begin(), second, Sums{});
    const auto length = static_cast<double>(spotsigs::length(documents[second]));
    double squares = 0;
    for (const spotsigs::Spot& spot : documents[second]) {
      const double count = spot.count, share = count / length;
      const Posting own{second, count, share, with_log(share)};
      squares += count * count;
      std::vector<Posting>& list = lists[spot.hash];
      for (const Posting& other : list) {
        sums[other.document].product += other.count * count;
        sums[other.document].common += with_log(other.share + share) - other.entropy - own.entropy;
      }
      list.push_back(own);
    }
    norms.push_back(std::sqrt(squares));
    for (uint32_t first = 0; first < second; ++first) {
      if (sums[first].product == 0) continue;
      const auto cosine = static_cast<float>(sums[first].product / (norms[first] * norms[second]));
      const auto divergence = static_cast<float>(sums[first].common / 2);
      if (std::max(cosine, divergence) >= least)
        pairs.push_back({first, second, std::min(cosine, 1.0F), std::min(divergence, 1.0F)});
    }
  }
  return pairs;
}

}  // namespace nd::eval
