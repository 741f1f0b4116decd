#include "engine/candidate_search.hpp"

#include <algorithm>

namespace nd::engine {

// [7] The groups that share keys with the page, the likeliest first.
std::span<const Candidate> CandidateSearch::search(const KeyIndex& index, const Features& page,
                                                   const IndexParameters& parameters, bool& limited) {
  limited = false;
  found_.clear();
  candidates_.clear();
  for (uint64_t key : page.keys()) {
    GroupSlot single = 0;
    const std::span<const GroupSlot> groups = index.find(key, single);
    if (groups.size() == 1) {
      found_.push_back({{}, groups.front()});
    } else if (!groups.empty()) {
      found_.push_back({groups, 0});
    }
  }
  std::stable_sort(found_.begin(), found_.end(),
                   [](const KeyGroups& a, const KeyGroups& b) { return a.groups.size() < b.groups.size(); });
  size_t postings = 0;
  const auto count = [&](GroupSlot group, double score) {
    for (Candidate& candidate : candidates_) {
      if (candidate.group == group) {
        candidate.score += score;
        ++candidate.shared_keys;
        return;
      }
    }
    candidates_.push_back({group, 1, score});
  };
  for (const KeyGroups& key : found_) {
    if (postings >= parameters.postings) {
      limited = true;
      break;
    }
    if (key.groups.empty()) {
      count(key.single, 1.0);
      ++postings;
      continue;
    }
    // Of a long list the latest: a site's next article stands near its last ones, a story near its copies.
    const size_t room = std::min<size_t>(key.groups.size(), parameters.postings - postings);
    limited = limited || room < key.groups.size();
    const double score = 1.0 / static_cast<double>(key.groups.size());
    for (GroupSlot group : key.groups.last(room))
      count(group, score);
    postings += room;
  }
  std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
    return a.score != b.score ? a.score > b.score : a.group < b.group;
  });
  if (candidates_.size() > parameters.candidates) {
    candidates_.resize(parameters.candidates);
    limited = true;
  }
  return candidates_;
}

}  // namespace nd::engine
