// MWO by brute force: every page's overlap with every other.
#include "unit/mwo/mwo_oracle.hpp"

#include <algorithm>

namespace nd::mwo::oracle {

void MwoOracle::insert(uint64_t id, ShareVector terms) {
  Record& record = records_[id];
  for (const Term& term : terms)
    record[term.hash] = term.share;
  order_.push_back(id);
}

bool MwoOracle::remove(uint64_t id) {
  std::erase(order_, id);
  return records_.erase(id) != 0;
}

void MwoOracle::start_epoch() {
  ranks_.clear();
  for (const auto& [id, record] : records_) {
    for (const auto& [hash, share] : record)
      ranks_[hash] += order_by_ == Order::kWeight ? share : 1;
  }
}

std::vector<uint64_t> MwoOracle::canonical(const Record& record) const {
  std::vector<std::pair<uint64_t, uint64_t>> terms;
  for (const auto& [hash, share] : record) {
    const auto rank = ranks_.find(hash);
    terms.emplace_back(rank == ranks_.end() ? 0 : rank->second, hash);
  }
  std::sort(terms.begin(), terms.end());
  std::vector<uint64_t> hashes;
  for (const auto& [rank, hash] : terms)
    hashes.push_back(hash);
  return hashes;
}

// MWO, algorithm 3.1.3.
bool MwoOracle::passes(const Record& r, const Record& ri) const {
  const std::vector<uint64_t> a = canonical(r);
  const std::vector<uint64_t> b = canonical(ri);
  const uint64_t prefix_a = std::min<uint64_t>(a.size(), a.size() - t_ * a.size() / 1000 + 1);
  const uint64_t prefix_b = std::min<uint64_t>(b.size(), b.size() - t_ * b.size() / 1000 + 1);
  for (uint64_t p = 1; p <= prefix_a; ++p) {
    for (uint64_t q = 1; q <= prefix_b; ++q) {
      if (a[p - 1] != b[q - 1]) continue;
      const uint64_t bound = 1 + std::min(a.size() - p, b.size() - q);
      if (bound * (1000 + t_) >= t_ * (a.size() + b.size())) return true;
    }
  }
  return false;
}

std::vector<MwoOracle::Match> MwoOracle::find(ShareVector terms) const {
  Record r;
  for (const Term& term : terms)
    r[term.hash] = term.share;
  std::vector<Match> matches;
  for (const uint64_t id : order_) {
    const Record& ri = records_.at(id);
    uint64_t overlap = 0;
    for (const auto& [hash, share] : r) {
      if (ri.contains(hash)) overlap += std::min(share, ri.at(hash));
    }
    if (overlap == 0 || overlap * 1000 < t_ * kShareUnit) continue;
    if (filter_ == Filter::kSafe || passes(r, ri)) matches.push_back({id, overlap});
  }
  std::stable_sort(matches.begin(), matches.end(),
                   [](const Match& a, const Match& b) { return a.overlap > b.overlap; });
  return matches;
}

}  // namespace nd::mwo::oracle
