#include "dedup_outputs.hpp"

#include <cerrno>
#include <cstdint>
#include <system_error>
#include <type_traits>

namespace ndc {
namespace {

// By its URL if it has one: a page that has moved has another id.
void renew_ids(nd_engine* engine, Row& row) {
  nd_page_info info = ND_PAGE_INFO_INIT;
  const nd_status found = row.url.empty() ? nd_get_page(engine, row.result.page_id, &info, nullptr, nullptr)
                                          : nd_find_page(engine, row.url.data(), row.url.size(), &info);
  if (found == ND_OK) {
    row.result.page_id = info.page_id;
    row.result.group_id = info.group_id;
    return;
  }
  uint64_t current = 0;
  if (nd_resolve_group(engine, row.result.group_id, &current) == ND_OK) row.result.group_id = current;
}

std::unique_ptr<RowWriter> make_writer(const std::string& format, bool with_kept, OutputFile& output) {
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

bool FinalRows::open() {
  file_.reset(std::tmpfile());
  if (file_ == nullptr) fail("cannot make a temporary file: ");
  return error_.empty();
}

void FinalRows::put(std::string_view text) {
  const uint64_t size = text.size();
  if (std::fwrite(&size, sizeof size, 1, file_.get()) != 1 ||
      (size != 0 && std::fwrite(text.data(), size, 1, file_.get()) != 1)) {
    fail("cannot write a temporary file: ");
  }
}

void FinalRows::add(const Row& row) {
  static_assert(std::is_trivially_copyable_v<nd_result>);
  if (!error_.empty()) return;
  if (std::fwrite(&row.result, sizeof row.result, 1, file_.get()) != 1)
    fail("cannot write a temporary file: ");
  put(row.url);
  put(row.representative ? "1" + *row.representative : "0");
  ++count_;
}

bool FinalRows::take(std::string& text) {
  uint64_t size = 0;
  if (std::fread(&size, sizeof size, 1, file_.get()) != 1) return false;
  text.resize(size);
  return size == 0 || std::fread(text.data(), size, 1, file_.get()) == 1;
}

bool FinalRows::read(Row& row) {
  std::string representative;
  if (std::fread(&row.result, sizeof row.result, 1, file_.get()) != 1 || !take(row.url) ||
      !take(representative) || representative.empty()) {
    return false;
  }
  row.representative.reset();
  if (representative[0] == '1') row.representative = representative.substr(1);
  return true;
}

bool FinalRows::write(nd_engine* engine, const KeptPages* kept, RowWriter& output) {
  if (error_.empty() && (std::fflush(file_.get()) != 0 || std::fseek(file_.get(), 0, SEEK_SET) != 0))
    fail("cannot write a temporary file: ");
  Row row;
  for (uint64_t i = 0; i < count_ && error_.empty(); ++i) {
    if (!read(row)) {
      fail("cannot read a temporary file: ");
    } else {
      renew_ids(engine, row);
      if (kept != nullptr) {
        row.kept = kept->kept_instead_of(row.url);
        row.is_left_out = kept->is_left_out(row.url);
      }
      output.add(row);
    }
  }
  return error_.empty();
}

void FinalRows::fail(const char* what) {
  if (error_.empty()) error_ = what + std::generic_category().message(errno);
}

bool DedupOutputs::open(const DedupSettings& settings) {
  make_writers(settings);
  if (waiting_ != nullptr && !waiting_->open()) return false;
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
    kept_ = std::make_unique<KeptPages>(keep_rule_named(settings.keep, settings.leave_out_parts),
                                        settings.keep_list, settings.drop_list);
  if (settings.final_groups || kept_ != nullptr) waiting_ = std::make_unique<FinalRows>();
  if (settings.metadata_output.empty()) return;
  metadata_ = std::make_unique<VerdictRecords>(
      metadata_file_, VerdictRecords::is_compressed(settings.metadata_output), nd_version_string());
}

void DedupOutputs::begin() {
  if (rows_file_.size() == 0) rows_->begin();
  if (has_metadata() && metadata_file_.size() == 0) metadata_->begin();
}

void DedupOutputs::add(const Row& row, const RecordOrigin& origin) {
  if (waiting_ != nullptr) {
    waiting_->add(row);
  } else {
    rows_->add(row);
  }
  if (has_metadata()) metadata_->add(row, origin);
}

bool DedupOutputs::end(nd_engine* engine) {
  if (kept_ != nullptr) kept_->choose(engine);
  if (waiting_ != nullptr) waiting_->write(engine, kept_.get(), *rows_);
  if (ok()) rows_->end();
  if (ok() && kept_ != nullptr) kept_->write();
  return ok();
}

const std::string& DedupOutputs::error_of_waiting() const {
  static const std::string none;
  return waiting_ == nullptr ? none : waiting_->error();
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
