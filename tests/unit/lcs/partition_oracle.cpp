// The partition by sets and loops, as the report words it.
#include "unit/lcs/partition_oracle.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace nd::lcs::oracle {

Groups partition(std::span<const PartitionDocument> documents, const PartitionParameters& parameters,
                 const Similarity& similarity) {
  Groups result;
  result.representatives.resize(documents.size());
  std::map<uint64_t, std::vector<uint64_t>> sites_of;
  for (const PartitionDocument& document : documents) {
    for (const uint64_t key : document.keys)
      sites_of[key].push_back(document.site);
  }
  std::set<uint64_t> deleted;
  for (const auto& [key, sites] : sites_of) {
    const std::set<uint64_t> distinct(sites.begin(), sites.end());
    if (sites.size() > parameters.fingerprint_limit ||
        (sites.size() > parameters.site_fingerprint_limit && distinct.size() <= parameters.few_sites)) {
      deleted.insert(key);
    }
  }
  result.counts.deleted_keys = deleted.size();
  const auto share_key = [&](uint32_t x, uint32_t y) {
    for (const uint64_t key : documents[x].keys) {
      if (deleted.contains(key)) continue;
      if (std::ranges::find(documents[y].keys, key) != documents[y].keys.end()) return true;
    }
    return false;
  };

  std::vector<uint32_t> left;
  for (uint32_t i = 0; i < documents.size(); ++i)
    left.push_back(i);
  std::ranges::stable_sort(left, std::greater(), [&](uint32_t i) { return documents[i].rank; });
  while (!left.empty()) {
    // In order, so that whoever may draw a document in has been decided before it.
    std::vector<uint32_t> set, others;
    for (const uint32_t document : left) {
      const bool drawn = set.empty() || std::ranges::any_of(set, [&](uint32_t member) {
                           return share_key(member, document);
                         });
      (drawn ? set : others).push_back(document);
    }
    ++result.counts.candidate_sets;
    std::vector<uint32_t> representatives;
    for (const uint32_t document : set) {
      double best = 0;
      uint32_t joined = document;
      for (const uint32_t representative : representatives) {
        ++result.counts.comparisons;
        const double its = similarity(representative, document);
        if (its > best) {
          best = its;
          joined = representative;
          if (parameters.first_similar) break;
        }
      }
      if (joined == document) {
        representatives.push_back(document);
        ++result.counts.groups;
      }
      result.representatives[document] = joined;
    }
    left = others;
  }
  return result;
}

}  // namespace nd::lcs::oracle
