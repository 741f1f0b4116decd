// What callers see of an engine's pages and groups: copies, valid without its lock.
#pragma once

#include <cstdint>

#include "core/memory.hpp"
#include "engine/answer.hpp"
#include "store/store.hpp"

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
  uint64_t pages, groups, keys, hot_keys, spots_dropped, method_dropped;
  uint64_t unfinished_merges, aliases;
  uint64_t bytes_spots;  // of bytes_index
  uint64_t bytes_index, bytes_features, bytes_pages, bytes_events, bytes_scratch;
  uint64_t generation, snapshots, bytes_disk, bytes_journal;  // of a store
  store::StoreCounts store;
  uint64_t texts = 0;  // that pages and groups have
};

}  // namespace nd::engine
