#include "dedup_run.hpp"

#include <unistd.h>

#include <memory>
#include <optional>

#include "command_options.hpp"
#include "ordered_pipeline.hpp"
#include "stats_table.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

constexpr size_t kUsualUrlBytes = 512;

// The URL of a page of the engine; nullopt: it is no page any more.
std::optional<std::string> url_of(nd_engine* engine, uint64_t page_id) {
  std::string url(kUsualUrlBytes, '\0');
  for (;;) {
    nd_page_info info = ND_PAGE_INFO_INIT;
    size_t size = url.size();
    const nd_status status = nd_get_page(engine, page_id, &info, url.data(), &size);
    if (status == ND_ERR_LIMIT && size >= url.size()) {
      // Room for the NUL, which `size` does not count.
      url.resize(size + 1);
      continue;
    }
    if (status != ND_OK) return std::nullopt;
    url.resize(size);
    return url;
  }
}

// Such a failure is about the page at hand; any other would meet the next page as well.
bool is_about_page(nd_status status) {
  return status == ND_ERR_INVALID_ARGUMENT || status == ND_ERR_LIMIT || status == ND_ERR_UNSUPPORTED_VERSION;
}

}  // namespace

DedupRun::DedupRun(const DedupSettings& settings, const OptionsHandle& options, ArchiveReader& reader,
                   OutputFile& output, RowWriter& writer)
    : settings_(settings),
      options_(options),
      reader_(reader),
      output_(output),
      writer_(writer),
      progress_(is_terminal(STDERR_FILENO) && !output.is_shown_on_terminal(), reader.total_bytes()),
      batch_(settings.order == "fingerprints") {}

ExitCode DedupRun::run() {
  if (!batch_) {
    engine_ = open_engine(options_);
    if (!engine_) return ExitCode::kError;
  }
  writer_.begin();
  const std::vector<std::unique_ptr<Slot>> slots = [this] {
    std::vector<std::unique_ptr<Slot>> created(pipeline_slots(settings_.threads));
    for (auto& slot : created)
      slot = std::make_unique<Slot>();
    return created;
  }();
  PipelineSteps steps;
  steps.produce = [&](size_t slot) { return read_item(reader_, slots[slot]->item); };
  steps.work = [&](size_t slot) { work(*slots[slot]); };
  steps.consume = [&](size_t slot) { return consume(*slots[slot]); };
  run_in_order(settings_.threads, steps);
  progress_.clear();

  if (failure_.empty()) failure_ = reader_.error();
  if (failure_.empty() && batch_ && output_.ok()) partition();
  if (failure_.empty()) writer_.end();
  if (!output_.close() && failure_.empty()) failure_ = output_.error();
  if (settings_.stats) print_stats();
  if (!failure_.empty()) {
    report(failure_);
    return ExitCode::kError;
  }
  if (settings_.stats || is_terminal(STDERR_FILENO)) print_summary();
  return exit_code_of(counts_);
}

void DedupRun::work(Slot& slot) {
  decode_item(settings_.rules, slot.item);
  if (slot.item.outcome != PageOutcome::kPage) return;
  if (batch_) {
    compute_features(slot);
  } else {
    check_page(slot);
  }
}

void DedupRun::check_page(Slot& slot) {
  const nd_page page = library_page(slot.item.page);
  Row& row = slot.row;
  row.result = nd_result ND_RESULT_INIT;
  const nd_status status = nd_check_page(engine_.get(), &page, &row.result);
  if (status != ND_OK) {
    note_failure(status, slot);
    return;
  }
  row.url = slot.item.page.url;
  const uint64_t representative =
      row.result.matched_page_id != 0 ? row.result.matched_page_id : row.result.group_id;
  if (representative == row.result.page_id) {
    row.representative = row.url;
  } else {
    row.representative = url_of(engine_.get(), representative);
  }
}

void DedupRun::compute_features(Slot& slot) {
  const nd_page page = library_page(slot.item.page);
  const nd_status status = nd_features_compute(&page, options_.get(), slot.features.get());
  if (status != ND_OK) note_failure(status, slot);
}

void DedupRun::note_failure(nd_status status, Slot& slot) {
  const std::string reason = library_failure(status);
  if (is_about_page(status)) {
    slot.item.outcome = PageOutcome::kDamaged;
    slot.item.damage = {slot.item.record.position, "the page was refused (" + reason + ")"};
  } else {
    slot.failure = slot.item.page.url + ": " + reason;
  }
}

bool DedupRun::consume(Slot& slot) {
  if (!slot.failure.empty()) {
    failure_ = slot.failure;
    return false;
  }
  counts_.add(slot.item);
  if (slot.item.outcome == PageOutcome::kDamaged) {
    progress_.clear();
    report_damage(slot.item);
  } else if (slot.item.outcome == PageOutcome::kPage && batch_) {
    collection_.add(slot.item.page.url, slot.features.text());
  } else if (slot.item.outcome == PageOutcome::kPage) {
    write_row(slot.row);
  }
  progress_.update({counts_.pages, counts_.page_bytes, duplicates_, reader_.bytes_read()});
  return output_.ok();
}

void DedupRun::write_row(const Row& row) {
  if (is_duplicate(row.result)) ++duplicates_;
  if (row.result.page_id == row.result.group_id) ++founders_;
  writer_.add(row);
}

void DedupRun::partition() {
  const nd_status status = collection_.partition(options_.get());
  if (status != ND_OK) {
    failure_ = library_failure(status);
    return;
  }
  for (size_t index = 0; index < collection_.size() && output_.ok(); ++index)
    write_row(collection_.row(index));
}

uint64_t DedupRun::group_count() const {
  if (batch_) return founders_;
  nd_stats stats{};
  stats.struct_size = sizeof stats;
  return nd_get_stats(engine_.get(), &stats) == ND_OK ? stats.groups : 0;
}

void DedupRun::print_summary() const {
  const double seconds = progress_.seconds();
  std::string line = counted(counts_.pages, "page") + ", " + counted(group_count(), "group") + ", " +
                     counted(duplicates_, "duplicate") + " in " + fixed(seconds, 1) + " s (" +
                     fixed(megabytes_per_second(counts_.page_bytes, seconds), 1) + " MB/s)";
  if (counts_.damaged > 0) line += "; " + counted(counts_.damaged, "damaged record") + " skipped";
  report(line);
}

void DedupRun::print_stats() const {
  StatsTable table;
  table.add_archive_counts(counts_, reader_.bytes_read());
  nd_stats stats{};
  stats.struct_size = sizeof stats;
  if (engine_ && nd_get_stats(engine_.get(), &stats) == ND_OK) table.add_engine_stats(stats);
  table.print();
}

}  // namespace ndc
