// Writes the archive, its first record and the list beside it, and says what has become of the pages.
#include "filter_run.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

#include "archives/byte_source.hpp"
#include "command_options.hpp"
#include "output_text.hpp"
#include "progress.hpp"
#include "store_lines.hpp"
#include "terminal_text.hpp"
#include "verdict_records.hpp"

namespace ndc {
namespace {

constexpr const char* kNowhere = "/dev/null";
constexpr const char* kListEnding = ".left-out.tsv";

// Whether a file is the same as before; nothing of one that is not there.
std::vector<int64_t> state_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  return {static_cast<int64_t>(status.st_ino), status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

std::string_view reason_word(DropReason::Why why) {
  return why == DropReason::Why::kSameContent ? "same-content"
         : why == DropReason::Why::kEqualText ? "equal-text"
         : why == DropReason::Why::kNear      ? "near-duplicate"
                                              : "judged";
}

}  // namespace

std::string list_of(const FilterSettings& settings) {
  return settings.list.empty() && !settings.dry_run ? settings.output + kListEnding : settings.list;
}

FilterRun::FilterRun(const FilterSettings& settings, const OptionsHandle& options, ArchiveReader& reader,
                     Decisions& decisions)
    : settings_(settings), reader_(reader), decisions_(decisions), choice_(settings, options, decisions) {}

ExitCode FilterRun::run() {
  for (size_t input = 0; input < reader_.input_count(); ++input)
    states_.push_back(state_of(reader_.path_of(input)));
  if (const ExitCode opened = choice_.open(); opened != ExitCode::kDone) return opened;
  // An output that cannot be written shows before the work.
  const bool done = open_outputs() && choose() && copy_records() && close_outputs();
  if (settings_.stats) print_stats();
  if (!done) {
    print_message(failure_);
    return ExitCode::kError;
  }
  for (const std::string& remark : decisions_.remarks())
    print_message(remark);
  if (choice_.overruled() > 0)
    print_message(counted(choice_.overruled(), "page") +
                  " judged leave-out stayed: revisits that were judged keep refer to them");
  if (!settings_.quiet) print_summary();
  return exit_code_of(choice_.counts());
}

bool FilterRun::open_outputs() {
  const std::string list = list_of(settings_);
  if (!output_.open(settings_.dry_run ? kNowhere : settings_.output)) failure_ = output_.error();
  if (failure_.empty() && !list.empty() && !list_.open(list)) failure_ = list_.error();
  return failure_.empty();
}

bool FilterRun::choose() {
  if (!choice_.read(reader_) || !choice_.decide()) failure_ = choice_.failure();
  return failure_.empty();
}

bool FilterRun::copy_records() {
  const bool compressed = settings_.output.empty() || VerdictRecords::is_compressed(settings_.output);
  StatusLine status(is_terminal(STDERR_FILENO) && !settings_.quiet);
  FilterCopy copy(choice_.plan(), output_, compressed, settings_.revisit, nd_version_string(), status);
  int64_t newest = 0;
  for (const KeepCandidate& candidate : choice_.candidates())
    newest = std::max(newest, candidate.fetched_at_ms);
  copy.write_info(about(), iso_time(newest));
  for (size_t input = 0; input < reader_.input_count() && failure_.empty(); ++input) {
    if (!reader_.is_read(input)) continue;
    const std::string& path = reader_.path_of(input);
    const std::unique_ptr<FileSource> source = FileSource::open(path, failure_);
    if (source &&
        !copy.copy(input, *source, settings_.rules.max_page_bytes, settings_.rules.limits.max_expansion))
      failure_ = copy.error();
    if (failure_.empty() && state_of(path) != states_[input]) failure_ = kHasChanged;
    if (!failure_.empty()) failure_ = path + ": " + failure_;
  }
  if (failure_.empty() && !copy.finish()) failure_ = copy.error();
  copied_ = copy.counts();
  left_out_ = copy.left_out().size();
  if (failure_.empty() && !list_of(settings_).empty()) write_list(copy.left_out());
  return failure_.empty();
}

WarcFields FilterRun::about() const {
  WarcFields about;
  about.add("software", std::string("ndc/") + nd_version_string());
  about.add("format", "WARC File Format 1.1");
  about.add("description", "what follows was copied by ndc filter, which has left out near-duplicate pages");
  if (const std::string list = list_of(settings_); !list.empty())
    about.add("nd-left-out", std::filesystem::path(list).filename().string());
  for (const std::string& path : reader_.file_paths())
    about.add("nd-input", std::filesystem::path(path).filename().string());
  about.add("nd-keep", settings_.keep);
  about.add("nd-caution", settings_.caution);
  for (const std::string& path : settings_.decisions)
    about.add("nd-decisions", std::filesystem::path(path).filename().string());
  return about;
}

void FilterRun::write_list(const std::vector<size_t>& left_out) {
  list_.write_line("#url\tfetched\tkept_url\tkept_fetched\tprobability\treason");
  const std::vector<FilteredPage>& pages = choice_.plan().pages();
  const std::vector<KeepCandidate>& candidates = choice_.candidates();
  std::string line;
  const auto add = [&line](std::string_view cell) {
    append_tsv_text(cell, line);
    line += '\t';
  };
  for (const size_t index : left_out) {
    const FilteredPage& page = pages[index];
    const DropReason& reason = choice_.choice().reasons[index];
    const bool is_judged = reason.why == DropReason::Why::kJudged;
    line.clear();
    add(candidates[index].url);
    add(page.date);
    add(page.kept == kNothingKept ? "-" : candidates[page.kept].url);
    add(page.kept == kNothingKept ? "-" : pages[page.kept].date);
    add(is_judged ? "-" : fixed(reason.probability, kScoreDigits));
    list_.write_line(line.append(reason_word(reason.why)));
  }
}

// Both are whole before the first of them gets its name.
bool FilterRun::close_outputs() {
  const bool has_list = !list_of(settings_).empty();
  if (!output_.flush()) failure_ = output_.error();
  if (failure_.empty() && has_list && (!list_.flush() || !list_.close())) failure_ = list_.error();
  if (failure_.empty() && !output_.close()) failure_ = output_.error();
  return failure_.empty();
}

void FilterRun::print_summary() const {
  const KeepChoice& choice = choice_.choice();
  std::string line = counted(choice_.counts().pages, "page") + ", " +
                     counted(choice.preferred.size() + choice.counts.lost_groups, "group") + "; " +
                     counted(copied_.records, "record") + " read, " + with_separators(copied_.copied) +
                     " copied, left out: " + counted(left_out_, "page");
  if (copied_.others_left_out > 0) line += ", " + counted(copied_.others_left_out, "record") + " of theirs";
  line += also_kept_in_words(choice.counts);
  if (choice_.undecided() > 0) line += "; " + counted(choice_.undecided(), "page") + " undecided";
  if (settings_.revisit)
    line += "; in their place " + counted(copied_.revisits, "revisit record") + ", " +
            counted(copied_.notes, "metadata record") + "; " +
            counted(copied_.file_revisits, "revisit record") + " in the place of other files";
  line += "; " + with_separators(copied_.bytes_read) + " bytes of records before, " +
          with_separators(copied_.bytes_written) +
          " after; file: " + with_separators(reader_.total_bytes().value_or(0)) + " before, " +
          with_separators(output_.size()) + " after";
  if (settings_.dry_run) line += "; nothing was written";
  if (choice_.counts().damaged > 0)
    line += "; " + counted(choice_.counts().damaged, "damaged record") + " skipped";
  print_message(line);
}

void FilterRun::print_stats() const {
  StatsTable table;
  table.add_archive_counts(choice_.counts(), reader_.bytes_read());
  table.add_engine_stats(choice_.stats());
  table.print();
}

}  // namespace ndc
