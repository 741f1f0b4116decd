// The rows of `ndc dedup` in their formats, one class for each, so that a new format touches nothing else.
#pragma once

#include <ndcapi.h>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "output_file.hpp"

namespace ndc {

// What a row says of one page.
struct Row {
  std::string url;
  std::optional<std::string> representative;  // URL; nullopt: the representative is no page any more
  std::optional<std::string>
      founder;               // URL of the page whose id is the group's; nullopt: no page, or not asked for
  std::string kept;          // URL of the page that stays in its place, where one is chosen
  bool is_left_out = false;  // likewise
  // probability: NaN if it is not known any more; group_id: 0 of a text that is in no group (LearnedPages)
  nd_result result = ND_RESULT_INIT;
};

// "new", "unchanged", "exact", "near", "no-text".
std::string_view verdict_word(int32_t verdict);

// "recrawl", "changed", ... of ND_FLAG_*, in the order of their bits.
std::vector<std::string_view> words_of_flags(uint32_t flags);

// Whether the ratios of the result are those of a comparison.
bool is_matched(const nd_result& result);

// Whether the page repeats another one.
bool is_duplicate(const nd_result& result);

// One thread at a time.
class RowWriter {
 public:
  RowWriter() = default;
  virtual ~RowWriter() = default;
  RowWriter(const RowWriter&) = delete;
  RowWriter& operator=(const RowWriter&) = delete;

  virtual void begin() {}
  virtual void add(const Row& row) = 0;
  virtual void end() {}
};

// A header line that begins with '#', then eight columns a row. "-" where there is no match, no URL, no
// group or no known probability. Bytes that would break the table (tab, line feed, carriage return) are
// percent-encoded; a URL of a WARC file is otherwise kept byte by byte.
std::unique_ptr<RowWriter> make_tsv_writer(OutputFile& output);
// And a ninth column, `kept`.
std::unique_ptr<RowWriter> make_kept_tsv_writer(OutputFile& output);

// The same for spreadsheets: commas, no '#', texts as append_csv_text() gives them, and nothing instead of
// "-".
std::unique_ptr<RowWriter> make_csv_writer(OutputFile& output);
std::unique_ptr<RowWriter> make_kept_csv_writer(OutputFile& output);

// A JSON object a line with the same names, and `related_group_id`; null in the place of "-", and where there
// is no such group. Bytes that are no UTF-8 become U+FFFD.
std::unique_ptr<RowWriter> make_jsonl_writer(OutputFile& output);
std::unique_ptr<RowWriter> make_kept_jsonl_writer(OutputFile& output);

// For people: every group of two pages or more, the representative first, and a line of totals, by the
// `is_left_out` of the rows. Written by end(), from memory: about two URLs and 100 bytes per page.
std::unique_ptr<RowWriter> make_groups_writer(OutputFile& output);

}  // namespace ndc
