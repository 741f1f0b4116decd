// Opens the outputs under temporary names, passes each row to all of them, and names them when they are
// whole.
#include "dedup_outputs.hpp"

#include <cstdint>

namespace ndc {
namespace {

std::unique_ptr<RowWriter> make_writer(const std::string& format, bool with_kept, OutputFile& output) {
  if (format == "csv") return with_kept ? make_kept_csv_writer(output) : make_csv_writer(output);
  if (with_kept) return format == "jsonl" ? make_kept_jsonl_writer(output) : make_kept_tsv_writer(output);
  if (format == "jsonl") return make_jsonl_writer(output);
  if (format == "groups") return make_groups_writer(output);
  return make_tsv_writer(output);
}

bool name_file(const std::string& path, uint64_t size, std::string& error) {
  if (path.empty() || !OutputFile::appears_whole(path) || !OutputFile::unfinished_size(path)) return true;
  OutputFile file;
  if (file.reopen(path, size) && file.close()) return true;
  error = file.error();
  return false;
}

}  // namespace

bool DedupOutputs::open(const DedupSettings& settings) {
  make_writers(settings);
  if (kept_ != nullptr && !kept_->open()) return false;
  if (!rows_file_.open(settings.output)) return false;
  is_same_file_ = has_metadata() && rows_file_.is_written_as(settings.metadata_output);
  return !has_metadata() || (!is_same_file_ && metadata_file_.open(settings.metadata_output));
}

bool DedupOutputs::reopen(const DedupSettings& settings, const RunTotals& written) {
  make_writers(settings);
  return rows_file_.reopen(settings.output, written.output_bytes) &&
         (!has_metadata() || metadata_file_.reopen(settings.metadata_output, written.metadata_bytes));
}

void DedupOutputs::keep_unfinished() {
  rows_file_.keep_unfinished();
  metadata_file_.keep_unfinished();
}

bool DedupOutputs::name_what_is_left(const DedupSettings& settings, const RunTotals& written,
                                     std::string& error) {
  return name_file(settings.output, written.output_bytes, error) &&
         name_file(settings.metadata_output, written.metadata_bytes, error);
}

void DedupOutputs::make_writers(const DedupSettings& settings) {
  rows_ = make_writer(settings.format, settings.tells_kept(), rows_file_);
  if (settings.chooses_kept())
    kept_ = std::make_unique<KeptPages>(
        keep_rule_named(settings.keep, settings.leave_out_parts, settings.caution), settings.keep_list,
        settings.drop_list);
  if (settings.metadata_output.empty()) return;
  metadata_ = std::make_unique<VerdictRecords>(
      metadata_file_, VerdictRecords::is_compressed(settings.metadata_output), nd_version_string());
}

void DedupOutputs::begin() {
  if (rows_file_.size() == 0) rows_->begin();
  if (has_metadata() && metadata_file_.size() == 0) metadata_->begin();
}

void DedupOutputs::add(const Row& row, const RecordOrigin& origin) {
  if (row.result.page_id == row.result.group_id) ++founders_;
  rows_->add(row);
  if (has_metadata()) metadata_->add(row, origin);
}

bool DedupOutputs::end() {
  if (ok()) rows_->end();
  if (ok() && kept_ != nullptr) kept_->write();
  return ok();
}

const std::string& DedupOutputs::error_of_kept() const {
  static const std::string none;
  return kept_ == nullptr ? none : kept_->error();
}

bool DedupOutputs::flush() {
  return rows_file_.flush() && (!has_metadata() || metadata_file_.flush());
}

bool DedupOutputs::sync() {
  return rows_file_.sync() && (!has_metadata() || metadata_file_.sync());
}

bool DedupOutputs::close(bool is_whole) {
  // All are whole before the first of them gets its name.
  is_whole = flush() && is_whole;
  const bool rows_closed = rows_file_.close(is_whole);
  const bool lists_closed = kept_ == nullptr || !is_whole || kept_->close();
  return (!has_metadata() || metadata_file_.close(is_whole)) && rows_closed && lists_closed;
}

}  // namespace ndc
