// What changes from one partition of the same pages to another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ndc {

// The groups of one page, by names that mean nothing beyond their own partition.
struct GroupPair {
  uint64_t before = 0;
  uint64_t after = 0;
};

enum class ChangeKind {
  kSplit,      // one group before, several after
  kMerged,     // several before, one after
  kRearranged  // several before and after
};

// Groups before and after that share pages with each other and with no other group.
struct GroupChange {
  ChangeKind kind = ChangeKind::kSplit;
  size_t groups_before = 0;
  size_t groups_after = 0;
  std::vector<size_t> pages;  // ascending
};

struct PagePlace {
  size_t first_before = 0;  // the first page of its group, which names the group
  size_t first_after = 0;
  bool moved = false;  // to another group: not with the pages that carry its old group on
};

struct PartitionChange {
  size_t groups_before = 0;
  size_t groups_after = 0;
  std::vector<PagePlace> places;     // of all pages
  std::vector<GroupChange> changes;  // in the order of their first pages
};

// `pages`: in the order in which they came; the first of a group is the one that is not left out.
//
// Which group after carries a group before on, is decided within a change: of all pairs of them the one that
// shares most pages (of equal ones the one whose first common page came first), then of those whose groups
// are both free yet, and so on. Pages of other pairs have moved. Cost: O(pages log pages).
PartitionChange compare_partitions(const std::vector<GroupPair>& pages);

}  // namespace ndc
