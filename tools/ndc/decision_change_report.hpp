// What `ndc compare-decisions` writes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "output_file.hpp"
#include "partition_change.hpp"

namespace ndc {

// What one of two engines says of a page.
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

// For people: each change with all its pages.
void write_change_text(const PartitionChange& change, const ComparedPages& pages, OutputFile& output);

// The totals, without line ends: pages and groups, changes, pages left out.
std::vector<std::string> change_summary(const PartitionChange& change, const std::string& from,
                                        const std::string& to);

}  // namespace ndc
