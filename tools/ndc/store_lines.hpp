// The lines that commands print of a store: pages, groups, events and statistics, spelled alike in all of
// them.
#pragma once

#include <ndcapi.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "archives/archive_item.hpp"

namespace ndc {

// Rows of `ndc dump`, `ndc dump --groups` and `ndc events`. `kept`: the URL of the page that stays in its
// place; nullptr: the row has no such field.
std::string page_line(const nd_page_info& info, std::string_view url, const std::string* kept = nullptr);
std::string group_line(const nd_group_info& info);
std::string event_line(const nd_event& event);

// The counts of a store.
std::string stats_object(const nd_stats& stats);

// What `--stats` prints: names on the left, numbers aligned on the right.
class StatsTable {
 public:
  // `input_bytes`: as the files have them.
  void add_archive_counts(const ArchiveCounts& counts, uint64_t input_bytes);
  void add_engine_stats(const nd_stats& stats);

  // What a store holds, without the counts of the process that has opened it.
  void add_store_stats(const nd_stats& stats);

  // One more row.
  void add(std::string_view name, uint64_t number);

  // To standard error.
  void print() const;
  std::string text() const;

 private:
  std::vector<std::pair<std::string, std::string>> rows_;
};

}  // namespace ndc
