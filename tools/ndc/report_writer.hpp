// The data of a report, group by group (docs/report_format.md).
#pragma once

#include <ndcapi.h>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "keep_rule.hpp"
#include "page_text.hpp"
#include "report_columns.hpp"
#include "report_command.hpp"
#include "report_folder.hpp"
#include "report_pages.hpp"
#include "report_pair.hpp"
#include "report_review.hpp"
#include "report_tallies.hpp"

namespace ndc {

// A page of a group.
struct ReportMember {
  nd_page_info info = ND_PAGE_INFO_INIT;
  std::string url;
  const PageNote* note = nullptr;  // NULL: no archive has it
  bool kept = false;               // not left out for another one
  bool represents = false;
};

// Memory: 28 bytes for each group of two pages or more, 4 for each host of it beside the first, and one
// group's pages at a time.
class ReportWriter {
 public:
  // Everything must outlive it.
  ReportWriter(const ReportSettings& settings, nd_engine* engine, ReportPages& pages, ReportFolder& folder)
      : settings_(settings), engine_(engine), pages_(pages), folder_(folder) {}

  // False: error() says why.
  bool write();
  const std::string& error() const { return error_; }

  const ReportTallies& tallies() const { return tallies_; }
  const KeepCounts& kept() const { return kept_; }
  uint64_t texts_left_out() const { return texts_left_out_; }

 private:
  // The text of a page, as long as it is needed.
  std::optional<PageText> text_of(const ReportMember& member, bool& other_text);
  // What the pages of a group are compared with.
  struct Base {
    uint64_t page_id = 0;  // of the engine
    uint64_t page = 0;     // of the report
    int64_t part = 0;      // where its text stands; below 0: nowhere
    std::optional<PageText> text;
    uint64_t compared_id = 0;  // of the engine: the page that it was compared with so far; 0: none
    ReportPair compared{};
  };

  bool write_group(const nd_group_info& group, std::vector<ReportMember>& members);
  void search_near_misses(const std::vector<nd_group_info>& groups, NearMisses& misses);
  uint64_t row_of(uint64_t page_id, uint64_t own);
  bool write_near_miss(const NearMiss& miss);
  void add_base_text(const std::vector<ReportMember>& members, Base& base);
  bool write_member(const ReportMember& member, uint64_t votes, Base& base, ReportGroup& row);
  void note_pair(const ReportMember& member, const ReportPair& pair, const Base& base, ReportGroup& row);
  void choose(std::vector<ReportMember>& members);
  // `rule`: the number of the one that put the page into its group; -1: none.
  bool add_page(const ReportMember& member, uint64_t votes, const ReportPair& pair, int64_t rule,
                int64_t text_part);
  int64_t add_difference(const ReportMember& member, const ReportPair& pair, const Base& base);
  int64_t add_text(std::string entry);
  bool flush_pages();
  bool flush_texts();
  bool write_meta();
  uint64_t without_own_text() const;
  bool fail_with_engine(nd_status status);
  bool fail(const std::string& reason);

  const ReportSettings& settings_;
  nd_engine* engine_;
  ReportPages& pages_;
  ReportFolder& folder_;
  ReportColumns columns_;
  ReportTallies tallies_;
  KeepCounts kept_;
  ReportReview review_;
  std::string page_names_;  // of the part that is being written
  std::string page_rows_;
  uint64_t pages_in_part_ = 0;
  uint64_t page_count_ = 0;        // of all parts
  uint64_t group_page_count_ = 0;  // of them those of groups, which come first
  uint64_t page_parts_ = 0;
  std::unordered_map<uint64_t, uint64_t> row_of_;  // of the pages of near misses
  uint64_t searched_groups_ = 0;                   // for near misses
  std::string texts_;
  uint64_t text_bytes_ = 0;
  uint64_t text_parts_ = 0;
  uint64_t texts_left_out_ = 0;  // by the limit
  uint64_t other_texts_ = 0;     // of pages whose archives have another text than the store
  std::string error_;
};

}  // namespace ndc
