// The output of `ndc dedup`: rows, and WARC metadata if requested.
#pragma once

#include <ndcapi.h>

#include <memory>
#include <string>

#include "dedup_command.hpp"
#include "dedup_mark.hpp"
#include "engine_pages.hpp"
#include "output_file.hpp"
#include "row_writer.hpp"
#include "verdict_records.hpp"

namespace ndc {

// One thread at a time.
class DedupOutputs {
 public:
  // False: error() says why, or are_same_file().
  bool open(const DedupSettings& settings);
  // Appends to what an earlier run has left unfinished; a pipe or a device starts again.
  bool reopen(const DedupSettings& settings, const RunTotals& written);
  // For a run that may be continued: what is written stays for reopen().
  void keep_unfinished();
  // After an earlier run that has written everything and may not have come to name its files.
  static bool name_what_is_left(const DedupSettings& settings, const RunTotals& written, std::string& error);

  // Rows and metadata were meant to go into one file, under names that the file system takes for one.
  bool are_same_file() const { return is_same_file_; }

  bool has_metadata() const { return metadata_ != nullptr; }
  bool is_shown_on_terminal() const { return rows_file_.is_shown_on_terminal(); }

  // Writes the header before the first row, in each file that is still empty.
  void begin();
  void add(const Row& row, const RecordOrigin& origin);
  // Which pages to keep; NULL if that was not requested.
  KeptPages* kept() { return kept_.get(); }
  // After the last row. False: error() says why.
  bool end();
  // Rows of pages that found a group.
  uint64_t founder_count() const { return founders_; }

  // As those of OutputFile, for all files.
  bool flush();
  bool sync();
  bool close(bool is_whole = true);
  bool ok() const { return rows_file_.ok() && metadata_file_.ok() && error_of_kept().empty(); }
  const std::string& error() const {
    if (!rows_file_.ok()) return rows_file_.error();
    if (!metadata_file_.ok()) return metadata_file_.error();
    return error_of_kept();
  }

  uint64_t row_bytes() const { return rows_file_.size(); }
  uint64_t metadata_bytes() const { return metadata_file_.size(); }

 private:
  void make_writers(const DedupSettings& settings);
  const std::string& error_of_kept() const;

  bool is_same_file_ = false;
  OutputFile rows_file_;
  OutputFile metadata_file_;
  std::unique_ptr<RowWriter> rows_;
  std::unique_ptr<VerdictRecords> metadata_;
  std::unique_ptr<KeptPages> kept_;  // null: not asked for
  uint64_t founders_ = 0;
};

}  // namespace ndc
