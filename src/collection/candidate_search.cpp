// Counts shared keys, the rarest first, until the budget of postings is used up, and keeps the likeliest
// groups.
#include "collection/candidate_search.hpp"

#include <algorithm>
#include <bit>

namespace nd::engine {

namespace {

// The score of a match of spot signatures, measured in keys that no other group has: this much per shared
// signature, times the similarity. Many short pages have no more than one or two signatures in common.
constexpr double kSpotScore = 0.25;
constexpr double kGreatestSpotScore = 8;

// If a page has many keys, groups that share a single one and that spot signatures did not find are rarely
// right: the likeliest stand for them. If it has few keys, each is much of its text.
constexpr size_t kFewKeys = 16;
constexpr ptrdiff_t kMostOfOneKey = 2;

bool is_likelier(const RankedGroup& a, const RankedGroup& b) noexcept {
  return a.score != b.score ? a.score > b.score : a.group_id < b.group_id;
}

double score_of(const spotsigs::Overlap& overlap) noexcept {
  const double shared = static_cast<double>(overlap.shared);
  return std::min(kGreatestSpotScore, kSpotScore * shared) * shared / static_cast<double>(overlap.united);
}

}  // namespace

// [7] The groups that share keys with the page, the likeliest first.
std::span<const RankedGroup> CandidateSearch::search(const KeyIndex& index,
                                                     std::span<const spotsigs::SpotMatch> by_spots,
                                                     const Features& page, const IndexParameters& parameters,
                                                     bool& limited) {
  limited = false;
  found_.clear();
  candidates_.clear();
  work_ = page.keys().size();
  index.prefetch(page.keys());
  for (const uint64_t key : page.keys()) {
    const KeyIndex::Groups groups = index.find(key);
    work_ += groups.probes();
    if (!groups.empty()) found_.push_back({groups, static_cast<uint32_t>(found_.size())});
  }
  // Not std::stable_sort: it takes memory that nd_set_allocator does not see.
  std::sort(found_.begin(), found_.end(), [](const KeyGroups& a, const KeyGroups& b) {
    return a.groups.size() != b.groups.size() ? a.groups.size() < b.groups.size() : a.position < b.position;
  });
  size_t all_postings = 0;
  for (const KeyGroups& key : found_)
    all_postings += key.groups.size();
  begin_count(std::min<size_t>(all_postings, parameters.postings) + by_spots.size());
  size_t postings = 0;
  for (const KeyGroups& key : found_) {
    if (postings >= parameters.postings) {
      limited = true;
      break;
    }
    // From a long list, take the latest entries: a site's next article was added shortly after its previous
    // ones, and the copies of a story shortly after one another.
    const size_t room = std::min<size_t>(key.groups.size(), parameters.postings - postings);
    limited = limited || room < key.groups.size();
    const double score = 1.0 / static_cast<double>(key.groups.size());
    for (const uint64_t group_id : key.groups.numbers().last(room))
      count(group_id, score, 1);
    postings += room;
  }
  work_ += postings + by_spots.size();
  for (const spotsigs::SpotMatch& match : by_spots)
    count(match.id, score_of(match.overlap), 0).by_spots = true;
  if (page.keys().size() > kFewKeys && !parameters.all_of_one_key) drop_unlikely();
  const size_t kept = std::min<size_t>(candidates_.size(), parameters.candidates);
  const auto kept_end = candidates_.begin() + static_cast<ptrdiff_t>(kept);
  std::partial_sort(candidates_.begin(), kept_end, candidates_.end(), is_likelier);
  limited = limited || kept < candidates_.size();
  candidates_.resize(kept);
  return candidates_;
}

void CandidateSearch::begin_count(size_t most_groups) {
  const size_t wanted = std::bit_ceil(2 * most_groups + 1);
  if (++search_ == 0 || places_.size() < wanted) {
    places_.assign(std::max(wanted, places_.size()), Place{});
    search_ = 1;
  }
}

void CandidateSearch::drop_unlikely() {
  const auto of_one_key = std::partition(
      candidates_.begin(), candidates_.end(),
      [](const RankedGroup& candidate) { return candidate.shared_keys != 1 || candidate.by_spots; });
  if (candidates_.end() - of_one_key <= kMostOfOneKey) return;
  std::nth_element(of_one_key, of_one_key + kMostOfOneKey, candidates_.end(), is_likelier);
  candidates_.erase(of_one_key + kMostOfOneKey, candidates_.end());
}

RankedGroup& CandidateSearch::count(uint64_t group_id, double score, uint32_t shared_keys) {
  const size_t mask = places_.size() - 1;
  const size_t home = static_cast<size_t>(mix(group_id ^ secret_)) & mask;
  size_t at = home;
  while (places_[at].search == search_ && candidates_[places_[at].index].group_id != group_id)
    at = (at + 1) & mask;
  work_ += ((at - home) & mask) + 1;
  if (places_[at].search == search_) {
    RankedGroup& candidate = candidates_[places_[at].index];
    candidate.score += score;
    candidate.shared_keys += shared_keys;
    return candidate;
  }
  places_[at] = {search_, static_cast<uint32_t>(candidates_.size())};
  return candidates_.emplace_back(RankedGroup{group_id, shared_keys, score, false});
}

}  // namespace nd::engine
