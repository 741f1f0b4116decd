// What a store remembers about an unfinished `ndc dedup`: bookmarks, as JSON texts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "archives/archive_item.hpp"
#include "archives/archive_reader.hpp"

namespace ndc {

// What the store knew of a URL before its page was checked. If it knows another text after a crash, the check
// was done.
struct KnownText {
  bool known = false;
  uint64_t hash = 0;  // nd_page_info.text_hash and text_width
  uint64_t width = 0;

  friend bool operator==(const KnownText&, const KnownText&) = default;
};

// The progress of a run.
struct RunTotals {
  ArchiveCounts counts;
  uint64_t duplicates = 0;
  uint64_t output_bytes = 0;
  uint64_t metadata_bytes = 0;  // of the WARC metadata; 0 without
};

// Where a run stands. Items (records, and damage between them) are numbered in the order of reading.
struct DedupMark {
  uint64_t identity = 0;  // of the command: inputs, output and what decides on the rows
  uint64_t run = 0;       // tells runs of the same command apart
  uint64_t slots = 1;     // bound of the numbers of PageMarks that may be there
  uint64_t item = 0;      // the number of the item at `place`
  ArchivePlace place;
  bool behind = false;              // the item at `place` is done, and the run continues behind it
  bool complete = false;            // everything is done and written
  bool named = false;               // and the outputs have their names
  RunTotals totals;                 // of all that is done
  std::optional<KnownText> before;  // the check of the page at `place` may have been done, or not
};

// With several threads: a page whose check may have been done, or not.
struct PageMark {
  uint64_t run = 0;
  uint64_t item = 0;
  KnownText before;
};

std::string to_text(const DedupMark& mark);
std::string to_text(const PageMark& mark);

// nullopt for anything that to_text() did not write.
std::optional<DedupMark> parse_dedup_mark(std::string_view text);
std::optional<PageMark> parse_page_mark(std::string_view text);

}  // namespace ndc
