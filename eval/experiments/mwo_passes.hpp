// A collection searched by MWO page after page: each looks for those before it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/memory.hpp"
#include "mwo/overlap_filters.hpp"
#include "mwo/share_vector.hpp"
#include "scores.hpp"

namespace nd::eval {

struct MwoPage {
  uint32_t label;  // kNoLabel: in no score
  uint32_t site;
  Vector<mwo::Term> terms;  // none: the page is like no other
};

struct MwoPass {
  uint64_t searches = 0;  // of pages with terms; the sums below are over them
  uint64_t terms = 0;     // of these pages
  uint64_t pages = 0;     // in the index when they began
  // Pages that are left by each filter, and the postings that were looked at for it.
  uint64_t after_prefix = 0, after_position = 0, after_overlap = 0, postings = 0;
  double cpu_seconds = 0;        // of searches, insertions and epochs
  uint64_t index_bytes = 0;      // at the end
  PairCounts pairs;              // matched, by the labels
  PairCounts groups;             // the same where each page joins the group of its best match
  PairCounts cross_site_groups;  // of these, the pairs of two sites
};

// No limits, by the safe filter; the terms are ordered again from 256 documents on, and whenever they have
// doubled. `threshold` in thousandths, 0..1000.
MwoPass run_safe_pass(std::span<const MwoPage> pages, uint32_t threshold);
// By the published filter, with the order of a repository of all pages, as the document makes it before it
// searches.
MwoPass run_published_pass(std::span<const MwoPage> pages, uint32_t threshold, mwo::Order order);

}  // namespace nd::eval
