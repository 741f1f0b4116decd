#include "keep_rule.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace ndc {
namespace {

// What follows the scheme and "://"; npos: it has none.
size_t authority_start(std::string_view url) {
  const size_t at = url.find("://");
  if (at == std::string_view::npos || at == 0) return std::string_view::npos;
  const bool scheme = std::all_of(url.begin(), url.begin() + static_cast<std::ptrdiff_t>(at), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
           c == '-' || c == '.';
  });
  return scheme ? at + 3 : std::string_view::npos;
}

std::string_view without_fragment(std::string_view url) {
  return url.substr(0, url.find('#'));
}

bool has_dot_segment(std::string_view path) {
  path = path.substr(0, path.find('?'));
  while (!path.empty()) {
    const std::string_view segment = path.substr(0, path.find('/'));
    if (segment == "." || segment == "..") return true;
    path.remove_prefix(std::min(path.size(), segment.size() + 1));
  }
  return false;
}

using GroupAndUrl = std::pair<uint64_t, std::string>;

struct GroupAndUrlHash {
  size_t operator()(const GroupAndUrl& key) const {
    return std::hash<std::string>{}(key.second) ^ (std::hash<uint64_t>{}(key.first) * 31);
  }
};

// How many members of a group name a URL in their canonical links.
class CanonicalVotes {
 public:
  explicit CanonicalVotes(const std::vector<KeepCandidate>& candidates) {
    for (const KeepCandidate& each : candidates) {
      if (!each.canonical.empty()) ++votes_[{each.group_id, each.canonical}];
    }
  }

  int64_t of(const KeepCandidate& candidate) const {
    const auto found = votes_.find({candidate.group_id, std::string(without_fragment(candidate.url))});
    return found == votes_.end() ? 0 : found->second;
  }

 private:
  std::unordered_map<GroupAndUrl, int64_t, GroupAndUrlHash> votes_;
};

// The higher, the better.
using Rank = std::tuple<bool, int64_t, int64_t>;

}  // namespace

KeepRule keep_rule_named(std::string_view word) {
  if (word == "longest") return KeepRule::kLongest;
  if (word == "newest") return KeepRule::kNewest;
  if (word == "canonical") return KeepRule::kCanonical;
  return KeepRule::kFirst;
}

std::vector<size_t> choose_kept(const std::vector<KeepCandidate>& candidates, KeepRule rule) {
  const CanonicalVotes votes(rule == KeepRule::kCanonical ? candidates : std::vector<KeepCandidate>());
  const auto rank = [&](const KeepCandidate& each) -> Rank {
    switch (rule) {
      case KeepRule::kFirst:
        break;
      case KeepRule::kLongest:
        return {each.has_content, static_cast<int64_t>(each.text_width), 0};
      case KeepRule::kNewest:
        // 0 stands for an unknown time, and times before 1970 are known.
        return {each.has_content,
                each.fetched_at_ms == 0 ? std::numeric_limits<int64_t>::min() : each.fetched_at_ms, 0};
      case KeepRule::kCanonical:
        return {each.has_content, votes.of(each), -static_cast<int64_t>(each.url.size())};
    }
    return {each.has_content, 0, 0};
  };
  struct Best {
    size_t index;
    Rank rank;
  };
  std::unordered_map<uint64_t, Best> best;
  for (size_t i = 0; i < candidates.size(); ++i) {
    const Rank own = rank(candidates[i]);
    const auto [entry, added] = best.try_emplace(candidates[i].group_id, Best{i, own});
    if (!added && own > entry->second.rank) entry->second = {i, own};
  }
  std::vector<size_t> kept;
  kept.reserve(candidates.size());
  for (const KeepCandidate& each : candidates)
    kept.push_back(best.at(each.group_id).index);
  return kept;
}

std::string resolve_link(std::string_view url, std::string_view reference) {
  reference = without_fragment(reference);
  if (reference.empty()) return {};
  if (authority_start(reference) != std::string_view::npos) return std::string(reference);
  const size_t authority = authority_start(url);
  if (authority == std::string_view::npos || has_dot_segment(reference)) return {};
  if (reference.starts_with("//")) return std::string(url.substr(0, authority - 2)).append(reference);
  const size_t path = std::min(url.find_first_of("/?#", authority), url.size());
  if (reference.starts_with('/')) return std::string(url.substr(0, path)).append(reference);
  const size_t query = std::min(url.find_first_of("?#", path), url.size());
  if (reference.starts_with('?')) return std::string(url.substr(0, query)).append(reference);
  const size_t slash = url.substr(0, query).rfind('/');
  if (slash == std::string_view::npos || slash < path)
    return std::string(url.substr(0, path)).append("/").append(reference);
  return std::string(url.substr(0, slash + 1)).append(reference);
}

}  // namespace ndc
