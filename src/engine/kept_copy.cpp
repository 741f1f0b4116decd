// Ranks the copies of a page by the caller's rule: first, longest, newest, or the one that their canonical
// links name.
#include "engine/kept_copy.hpp"

#include <algorithm>
#include <tuple>

namespace nd::engine {
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

String joined(std::string_view beginning, std::string_view end) {
  String url;
  url.reserve(beginning.size() + end.size());
  return url.append(beginning).append(end);
}

// How many copies name a URL in their canonical links.
class CanonicalVotes {
 public:
  explicit CanonicalVotes(std::span<const Copy> copies) {
    for (const Copy& each : copies) {
      if (!each.canonical_url.empty()) ++votes_[without_fragment(each.canonical_url)];
    }
  }

  uint64_t of(std::string_view url) const {
    const auto found = votes_.find(without_fragment(url));
    return found == votes_.end() ? 0 : found->second;
  }

 private:
  UnorderedMap<std::string_view, uint64_t> votes_;
};

// The higher, the better.
using Rank = std::tuple<bool, uint64_t, uint64_t>;

// 0 only if the time is unknown; times before 1970 are valid.
uint64_t rank_of_time(int64_t time_ms) {
  constexpr uint64_t kLeast = uint64_t{1} << 63;
  return time_ms == 0 ? 0 : std::max<uint64_t>(static_cast<uint64_t>(time_ms) + kLeast, 1);
}

}  // namespace

size_t choose_copy(std::span<const Copy> copies, KeepRule rule) {
  const CanonicalVotes votes(rule == KeepRule::kCanonical ? copies : std::span<const Copy>());
  const auto rank = [&](const Copy& each) -> Rank {
    switch (rule) {
      case KeepRule::kFirst:
        break;
      case KeepRule::kLongest:
        return {each.has_content, each.text_width, 0};
      case KeepRule::kNewest:
        return {each.has_content, rank_of_time(each.fetched_at_ms), 0};
      case KeepRule::kCanonical:
        return {each.has_content, votes.of(each.url), UINT64_MAX - each.url.size()};
    }
    return {each.has_content, 0, 0};
  };
  size_t best = 0;
  Rank best_rank = rank(copies[0]);
  for (size_t i = 1; i < copies.size(); ++i) {
    const Rank own = rank(copies[i]);
    if (own > best_rank) std::tie(best, best_rank) = std::pair(i, own);
  }
  return best;
}

String resolve_link(std::string_view url, std::string_view reference) {
  reference = without_fragment(reference);
  if (reference.empty()) return {};
  if (authority_start(reference) != std::string_view::npos) return String(reference);
  const size_t authority = authority_start(url);
  if (authority == std::string_view::npos || has_dot_segment(reference)) return {};
  if (reference.starts_with("//")) return joined(url.substr(0, authority - 2), reference);
  const size_t path = std::min(url.find_first_of("/?#", authority), url.size());
  if (reference.starts_with('/')) return joined(url.substr(0, path), reference);
  const size_t query = std::min(url.find_first_of("?#", path), url.size());
  if (reference.starts_with('?')) return joined(url.substr(0, query), reference);
  const size_t slash = url.substr(0, query).rfind('/');
  if (slash == std::string_view::npos || slash < path) {
    String own_folder = joined(url.substr(0, path), "/");
    return own_folder.append(reference);
  }
  return joined(url.substr(0, slash + 1), reference);
}

}  // namespace nd::engine
