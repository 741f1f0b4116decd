// The arguments of callers of an engine, and what they see of its pages and groups: copies, valid without its
// lock.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/memory.hpp"
#include "decision/answer.hpp"
#include "store/store_parameters.hpp"

namespace nd::engine {

struct PageView {
  Answer answer;
  String url;
  int64_t first_fetched_at_ms;
  int64_t last_fetched_at_ms;
  uint64_t width;
  uint64_t text_hash;
};

struct GroupView {
  uint64_t id;
  uint64_t representative_page_id;
  uint64_t page_count;
};

struct Sizes {
  uint64_t pages, groups, keys, hot_keys, spots_dropped, method_dropped, sites_dropped;
  uint64_t bytes_spots;  // of bytes_index
  uint64_t bytes_index, bytes_features, bytes_pages, bytes_events, bytes_scratch;
  uint64_t generation, snapshots, bytes_disk, bytes_journal;  // of a store
  store::StoreCounts store;
  uint64_t texts = 0;  // texts of pages and groups
};

// Arguments of callers.
struct PageInput {
  std::string_view url;
  std::span<const uint8_t> body;
  std::string_view content_type;
  int64_t fetched_at_ms = 0;  // 0: now
  bool truncated = false;
};

struct RemovalFilter {
  std::string_view url_prefix;
  std::string_view site;
  int64_t fetched_before_ms = 0;
  bool purge = false;  // texts of removed pages represent no group
};

// The result of a search for the pages that resemble a page most.
//
// The most pages that a search can be asked for.
inline constexpr uint32_t kSimilarPagesLimit = 1000;

struct SimilarPage {
  PageView page;
  double score;  // by the engine's detector, 0..1; with the LCS partition the resemblance
};

struct SimilarPages {
  Vector<SimilarPage> pages;  // best first, older first among equals
  bool limited = false;       // a limit was reached: others may be as similar
};

}  // namespace nd::engine
