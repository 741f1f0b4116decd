// `ndc dedup` over a store, to be continued by the same command after a crash.
//
// The store keeps two things together: its pages, and a bookmark that says how far the run is. Before a page
// is checked, the bookmark names its place in the archives, the size of the output so far, and what the store
// knew of the page's URL. After a crash that one page was checked or not: if the store knows another text of
// it by now, it was, and the store remembers the answer; else it is checked (again), which changes nothing
// where the text is what it was.
//
// With several threads up to pipeline_slots() pages are on their way. Each has such a bookmark of its own,
// another one says up to where rows are written, and pages of one URL wait for each other. A page's bookmark
// stays until its row is written, whatever number of threads continues after a crash.
#pragma once

#include <ndcapi.h>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "archives/archive_item.hpp"
#include "dedup_command.hpp"
#include "dedup_mark.hpp"
#include "mark_slots.hpp"
#include "url_turns.hpp"

namespace ndc {

class ResumableRun {
 public:
  enum class Start { kFailed, kFresh, kContinued, kComplete };

  // Both must outlive the run.
  ResumableRun(nd_engine* engine, const DedupSettings& settings);

  // Reads the store's bookmark, and reports on standard error what follows from it.
  Start find_start();

  // Where to go on, after kContinued; what there was in all, after kComplete.
  const DedupMark& mark() const { return mark_; }

  // After kFresh: before the output is emptied, and when it has its first bytes.
  nd_status forget_earlier();
  nd_status begin(const RunTotals& totals);

  // In the order of reading.
  void queue(uint64_t number, const ArchiveItem& item);

  // Right before a page is checked. `totals`: of all before it, with everything written; not looked at with
  // several threads. `recalled`: the answer, where the page was checked before the crash.
  nd_status before_check(uint64_t number, const ArchiveItem& item, const RunTotals& totals,
                         std::optional<nd_result>& recalled);

  // In the order of reading, for every item; `totals` with the item, its row written.
  nd_status after_row(uint64_t number, const ArchiveItem& item, const RunTotals& totals);

  // Everything is done and written.
  nd_status complete(const RunTotals& totals);
  // And the outputs have their names.
  nd_status named();

  // Lets go of the threads that wait, since the run has failed.
  void stop() { turns_.stop(); }

 private:
  // The output, rows or WARC metadata, that is shorter than the mark says; empty: neither is.
  std::string output_that_lacks(const DedupMark& earlier) const;
  Start start_anew(const std::string& reason);
  bool read_page_marks();
  bool make_room_for_page_marks();
  nd_status find(const std::string& url, nd_page_info& info) const;
  nd_status write_mark() const;
  void report_unreadable(const std::string& mark_name) const;

  nd_engine* engine_;
  const DedupSettings& settings_;
  const bool parallel_;
  DedupMark mark_;
  std::unordered_map<uint64_t, KnownText> in_doubt_;  // pages that may have been checked before the crash
  MarkSlots page_slots_;
  UrlTurns turns_;
};

}  // namespace ndc
