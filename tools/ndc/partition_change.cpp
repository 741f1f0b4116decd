#include "partition_change.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace ndc {
namespace {

// The pages that a group before and a group after share.
struct Overlap {
  size_t first_before = 0;
  size_t first_after = 0;
  size_t begin = 0;  // in the sorted pages of the change
  size_t count = 0;
};

// The first page of each page's group.
std::vector<size_t> first_pages(const std::vector<GroupPair>& pages, uint64_t GroupPair::*group) {
  std::unordered_map<uint64_t, size_t> firsts;
  std::vector<size_t> result(pages.size());
  for (size_t page = 0; page < pages.size(); ++page)
    result[page] = firsts.emplace(pages[page].*group, page).first->second;
  return result;
}

// Sets of pages that grow together; the smallest page of a set names it.
class JoinedPages {
 public:
  explicit JoinedPages(size_t count) : parents_(count) {
    for (size_t page = 0; page < count; ++page)
      parents_[page] = page;
  }

  size_t find(size_t page) {
    while (parents_[page] != page) {
      parents_[page] = parents_[parents_[page]];
      page = parents_[page];
    }
    return page;
  }

  void join(size_t page, size_t other) {
    const size_t a = find(page);
    const size_t b = find(other);
    parents_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<size_t> parents_;
};

std::vector<Overlap> overlaps_of(const std::vector<size_t>& sorted, const std::vector<PagePlace>& places) {
  std::vector<Overlap> overlaps;
  for (size_t i = 0; i < sorted.size(); ++i) {
    const PagePlace& place = places[sorted[i]];
    if (overlaps.empty() || overlaps.back().first_before != place.first_before ||
        overlaps.back().first_after != place.first_after) {
      overlaps.push_back({place.first_before, place.first_after, i, 0});
    }
    ++overlaps.back().count;
  }
  return overlaps;
}

void mark_moved(const GroupChange& change, std::vector<PagePlace>& places) {
  std::vector<size_t> sorted = change.pages;
  const auto key = [&](size_t page) {
    return std::tuple(places[page].first_before, places[page].first_after, page);
  };
  std::sort(sorted.begin(), sorted.end(), [&](size_t a, size_t b) { return key(a) < key(b); });
  std::vector<Overlap> overlaps = overlaps_of(sorted, places);
  std::sort(overlaps.begin(), overlaps.end(), [&](const Overlap& a, const Overlap& b) {
    return a.count != b.count ? a.count > b.count : sorted[a.begin] < sorted[b.begin];
  });
  // By the page that names the group: whether another group carries it on, or it carries another one on.
  std::unordered_map<size_t, bool> taken_before;
  std::unordered_map<size_t, bool> taken_after;
  for (const Overlap& overlap : overlaps) {
    bool& before = taken_before[overlap.first_before];
    bool& after = taken_after[overlap.first_after];
    if (!before && !after) {
      before = after = true;
      continue;
    }
    for (size_t i = 0; i < overlap.count; ++i)
      places[sorted[overlap.begin + i]].moved = true;
  }
}

}  // namespace

PartitionChange compare_partitions(const std::vector<GroupPair>& pages) {
  const std::vector<size_t> before = first_pages(pages, &GroupPair::before);
  const std::vector<size_t> after = first_pages(pages, &GroupPair::after);
  PartitionChange result;
  result.places.resize(pages.size());
  JoinedPages joined(pages.size());
  for (size_t page = 0; page < pages.size(); ++page) {
    result.places[page] = {before[page], after[page], false};
    joined.join(page, before[page]);
    joined.join(page, after[page]);
  }
  std::vector<GroupChange> sets(pages.size());
  for (size_t page = 0; page < pages.size(); ++page) {
    GroupChange& set = sets[joined.find(page)];
    set.pages.push_back(page);
    if (before[page] == page) ++set.groups_before;
    if (after[page] == page) ++set.groups_after;
  }
  for (GroupChange& set : sets) {
    result.groups_before += set.groups_before;
    result.groups_after += set.groups_after;
    if (set.groups_before <= 1 && set.groups_after <= 1) continue;
    set.kind = set.groups_before == 1  ? ChangeKind::kSplit
               : set.groups_after == 1 ? ChangeKind::kMerged
                                       : ChangeKind::kRearranged;
    mark_moved(set, result.places);
    result.changes.push_back(std::move(set));
  }
  return result;
}

}  // namespace ndc
