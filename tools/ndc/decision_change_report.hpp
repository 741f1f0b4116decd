// The output of `ndc compare-decisions`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "output_file.hpp"

namespace ndc {

// The differences between two partitions of the same pages.
//
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
  bool moved = false;  // to another group: not with the pages that continue its old group
};

struct PartitionChange {
  size_t groups_before = 0;
  size_t groups_after = 0;
  std::vector<PagePlace> places;     // of all pages
  std::vector<GroupChange> changes;  // in the order of their first pages
};

// `pages`: in the order in which they came; the first of a group is the one that is not left out.
//
// Which group after continues which group before is decided within a change: first comes the pair that shares
// most pages (among equals, the one whose first common page came first), then the next such pair whose groups
// are both still free, and so on. Pages of other pairs have moved. Cost: O(pages log pages).
PartitionChange compare_partitions(const std::vector<GroupPair>& pages);

// What one of the two engines says about a page.
struct EnginePage {
  std::optional<std::string> representative;  // URL of the page it was verified against; nullopt: none
  double resemblance = 0;                     // of that comparison
  double containment = 0;
};

// A page of a change, from both engines.
struct ComparedPage {
  std::string url;
  EnginePage before;
  EnginePage after;
};

// One page at a time, by its index, so that only what is written is looked up.
class ComparedPages {
 public:
  ComparedPages() = default;
  virtual ~ComparedPages() = default;
  ComparedPages(const ComparedPages&) = delete;
  ComparedPages& operator=(const ComparedPages&) = delete;

  virtual const std::string& url(size_t page) const = 0;
  virtual ComparedPage page(size_t page) const = 0;
};

// A header line that begins with '#', then a row for each page that has moved or that is left out in one of
// both partitions only.
void write_change_rows(const PartitionChange& change, const ComparedPages& pages, OutputFile& output);

// For human readers: each change with all its pages.
void write_change_text(const PartitionChange& change, const ComparedPages& pages, OutputFile& output);

// The totals, without line ends: pages and groups, changes, pages left out.
std::vector<std::string> change_summary(const PartitionChange& change, const std::string& from,
                                        const std::string& to);

}  // namespace ndc
