// Runs reading, checking and writing as a pipeline, and keeps the order of rows that of the input. Where
// nothing is known of the pages' sites before, all pages are read in a first pipeline, and checked in a
// second one.
#include "dedup_run.hpp"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "command_options.hpp"
#include "engine_pages.hpp"
#include "ordered_pipeline.hpp"
#include "store_lines.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

std::optional<uint64_t> bytes_to_read(const ArchiveReader& reader) {
  const std::optional<uint64_t> total = reader.total_bytes();
  if (!total) return std::nullopt;
  return *total - std::min(*total, reader.bytes_read());
}

// Whether a store with these options waits for the disk.
bool is_synced(const nd_options* options) {
  std::string value(16, '\0');
  size_t size = value.size();
  return nd_options_get(options, "durability", value.data(), &size) == ND_OK &&
         value.substr(0, size) == "sync";
}

// Fills in the URLs of the pages that the row's result names by their ids.
void name_other_pages(nd_engine* engine, bool with_founder, Row& row) {
  const nd_result& result = row.result;
  const uint64_t representative = result.matched_page_id != 0 ? result.matched_page_id : result.group_id;
  row.representative = representative == result.page_id ? row.url : url_of(engine, representative);
  if (!with_founder) return;
  row.founder = result.group_id == result.page_id   ? row.url
                : result.group_id == representative ? row.representative
                                                    : url_of(engine, result.group_id);
}

// What a run has to know of a page when all have been read.
struct NotedPage {
  std::string url;
  RecordOrigin origin;
  std::string canonical;
  int64_t fetched_at_ms = 0;
};

void append_text(std::string_view text, std::string& note) {
  const uint64_t size = text.size();
  note.append(reinterpret_cast<const char*>(&size), sizeof size).append(text);
}

std::string_view take_text(std::string_view& note) {
  uint64_t size = 0;
  note.copy(reinterpret_cast<char*>(&size), sizeof size);
  const std::string_view text = note.substr(sizeof size, size);
  note.remove_prefix(sizeof size + size);
  return text;
}

std::string note_of(const NotedPage& page) {
  std::string note;
  for (const std::string& text : {page.url, page.origin.record_id, page.origin.date, page.canonical,
                                  std::to_string(page.origin.number), std::to_string(page.fetched_at_ms)})
    append_text(text, note);
  return note;
}

NotedPage page_of(std::string_view note) {
  NotedPage page;
  for (std::string* text : {&page.url, &page.origin.record_id, &page.origin.date, &page.canonical})
    *text = take_text(note);
  page.origin.number = std::stoull(std::string(take_text(note)));
  page.fetched_at_ms = std::stoll(std::string(take_text(note)));
  return page;
}

}  // namespace

DedupRun::DedupRun(const DedupSettings& settings, const OptionsHandle& options, nd_engine* engine,
                   ArchiveReader& reader, DedupOutputs& outputs, ResumableRun* resumable)
    : settings_(settings),
      options_(options),
      page_options_(options_acting_on(settings.order == "input" ? "pages" : "pages keys", options.get())),
      reader_(reader),
      outputs_(outputs),
      engine_(engine),
      resumable_(resumable),
      start_bytes_(reader.bytes_read()),
      progress_(is_terminal(STDERR_FILENO) && !outputs.is_shown_on_terminal(), bytes_to_read(reader)),
      batch_(settings.order == "fingerprints") {}

ExitCode DedupRun::run() {
  if (start()) run_pipeline();
  progress_.clear();
  damage_messages_.finish();
  if (failure_.empty()) failure_ = reader_.error();
  if (failure_.empty() && settings_.learns() && outputs_.ok()) check_learned();
  if (failure_.empty() && batch_ && outputs_.ok()) partition();
  if (failure_.empty() && !outputs_.end()) failure_ = outputs_.error();
  if (resumable_ != nullptr && failure_.empty() && !outputs_.sync()) failure_ = outputs_.error();
  if (resumable_ != nullptr && failure_.empty()) fail_with(resumable_->complete(totals()));
  if (!outputs_.close(failure_.empty()) && failure_.empty()) failure_ = outputs_.error();
  if (resumable_ != nullptr && failure_.empty()) fail_with(resumable_->named());
  if (settings_.stats) print_stats();
  if (!failure_.empty()) {
    print_message(failure_);
    return ExitCode::kError;
  }
  const bool nothing_but_left_out = counts_.pages == 0 && counts_.all_left_out() > 0;
  if (settings_.stats || nothing_but_left_out || is_terminal(STDERR_FILENO)) print_summary();
  return exit_code_of(counts_);
}

// Writes what stands before the first row, or goes to where an earlier run has stopped.
bool DedupRun::start() {
  if (resumable_ == nullptr) {
    outputs_.begin();
    return true;
  }
  sync_output_ = is_synced(options_.get());
  const DedupMark& mark = resumable_->mark();
  next_number_ = mark.item;
  counts_ = mark.totals.counts;
  duplicates_ = mark.totals.duplicates;
  start_page_bytes_ = counts_.page_bytes;
  outputs_.begin();
  if (!flush_output()) return false;
  if (mark.behind) {
    ArchiveItem done;
    if (!read_item(reader_, done)) return false;
    ++next_number_;
  } else if (mark.item == 0) {
    fail_with(resumable_->begin(totals()));
  }
  return failure_.empty();
}

void DedupRun::run_pipeline() {
  // The next data of a pipe may never come, and the end must not wait for it.
  const bool reads_ahead = settings_.threads == 1 && reader_.total_bytes().has_value();
  const std::vector<std::unique_ptr<Slot>> slots = [&] {
    std::vector<std::unique_ptr<Slot>> created(reads_ahead ? read_ahead_slots()
                                                           : pipeline_slots(settings_.threads));
    for (auto& slot : created)
      slot = std::make_unique<Slot>();
    return created;
  }();
  // A thread that waits for another page of its URL must not outlive the others.
  const auto releasing = [this](auto step) {
    try {
      return step();
    } catch (...) {
      if (resumable_ != nullptr) resumable_->stop();
      throw;
    }
  };
  PipelineSteps steps;
  if (reads_ahead) {
    steps.produce = [&](size_t slot) {
      if (!produce(*slots[slot])) return false;
      decode_item(settings_.rules, slots[slot]->item);
      return true;
    };
    steps.work = [&](size_t slot) { work(*slots[slot]); };
  } else {
    steps.produce = [&](size_t slot) { return releasing([&] { return produce(*slots[slot]); }); };
    steps.work = [&](size_t slot) {
      releasing([&] {
        decode_item(settings_.rules, slots[slot]->item);
        work(*slots[slot]);
      });
    };
  }
  steps.consume = [&](size_t slot) {
    const bool goes_on = releasing([&] { return consume(*slots[slot]); });
    if (!goes_on && resumable_ != nullptr) resumable_->stop();
    return goes_on;
  };
  reads_ahead ? run_read_ahead(steps) : run_in_order(settings_.threads, steps);
}

bool DedupRun::produce(Slot& slot) {
  if (!read_item(reader_, slot.item)) return false;
  slot.number = next_number_++;
  if (resumable_ != nullptr) resumable_->queue(slot.number, slot.item);
  return true;
}

// Checks the page of a decoded item.
void DedupRun::work(Slot& slot) {
  if (slot.item.outcome != PageOutcome::kPage) return;
  if (batch_ || settings_.learns()) {
    compute_features(slot);
  } else {
    check_page(slot);
  }
}

void DedupRun::check_page(Slot& slot) {
  const nd_page page = library_page(slot.item.page);
  Row& row = slot.row;
  row.result = nd_result ND_RESULT_INIT;
  std::optional<nd_result> recalled;
  nd_status status = ND_OK;
  if (resumable_ != nullptr) {
    const bool alone = settings_.threads == 1;
    if (alone && !flush_output()) {
      slot.failure = outputs_.error();
      return;
    }
    // Other threads may see the totals only as the consumer does.
    status = resumable_->before_check(slot.number, slot.item, alone ? totals() : RunTotals(), recalled);
  }
  if (status == ND_OK && !recalled) status = nd_check_page(engine_, &page, &row.result);
  if (status != ND_OK) {
    slot.failure = refuse_page(status, slot.item);
    return;
  }
  if (recalled) row.result = *recalled;
  row.url = slot.item.page.url;
  name_other_pages(engine_, outputs_.has_metadata(), row);
}

void DedupRun::compute_features(Slot& slot) {
  const nd_page page = library_page(slot.item.page);
  const nd_status status = batch_ ? nd_features_compute(&page, page_options_.get(), slot.features.get())
                                  : nd_read_page(engine_, &page, slot.features.get());
  if (status != ND_OK) {
    slot.failure = refuse_page(status, slot.item);
  } else if (settings_.keep == "canonical") {
    slot.canonical = canonical_url(page, page_options_.get());
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
    damage_messages_.add(slot.item);
  } else if (slot.item.outcome == PageOutcome::kPage) {
    if (outputs_.has_metadata()) slot.origin = origin_of(slot.item.record, slot.number);
    if (settings_.learns()) {
      if (!learn(slot)) return false;
    } else if (batch_) {
      collection_.add(slot.item.page.url, slot.features.text());
      if (outputs_.has_metadata()) origins_.push_back(slot.origin);
    } else {
      write_row(slot.row, slot.origin);
    }
  }
  if (resumable_ != nullptr && settings_.threads > 1 && flush_output())
    fail_with(resumable_->after_row(slot.number, slot.item, totals()));
  progress_.update({counts_.pages, counts_.page_bytes - start_page_bytes_,
                    settings_.learns() ? std::nullopt : std::optional(duplicates_),
                    reader_.bytes_read() - start_bytes_});
  return outputs_.ok() && failure_.empty();
}

bool DedupRun::learn(Slot& slot) {
  const ArchivePage& page = slot.item.page;
  const NotedPage noted{page.url, slot.origin, std::move(slot.canonical), page.fetched_at_ms};
  if (learned_.add(page.url, note_of(noted), slot.features.text())) return true;
  failure_ = learned_.error();
  return false;
}

void DedupRun::check_learned() {
  const bool visible = is_terminal(STDERR_FILENO) && !outputs_.is_shown_on_terminal();
  Progress progress(visible, std::nullopt, "deciding: ");
  uint64_t pages = 0;
  const auto done = [&] { progress.update({++pages, 0, std::nullopt, 0}); };
  const bool is_done = learned_.learn(engine_) && learned_.check(engine_, settings_.threads, done) &&
                       learned_.query_earlier_texts(engine_) && choose_kept() && write_learned();
  if (!is_done) failure_ = learned_.error();
}

bool DedupRun::choose_kept() {
  KeptPages* kept = outputs_.kept();
  if (kept == nullptr) return true;
  const auto take = [kept](std::string_view note, const nd_result& answer) {
    NotedPage page = page_of(note);
    kept->note(page.url, answer, page.fetched_at_ms, std::move(page.canonical));
    return true;
  };
  if (!learned_.each(take)) return false;
  kept->choose(engine_);
  return true;
}

bool DedupRun::write_learned() {
  return learned_.each([this](std::string_view note, const nd_result& answer) {
    NotedPage page = page_of(note);
    Row row;
    row.url = std::move(page.url);
    row.result = answer;
    name_other_pages(engine_, outputs_.has_metadata(), row);
    if (const KeptPages* kept = outputs_.kept()) {
      row.kept = kept->kept_instead_of(row.url);
      row.is_left_out = kept->is_left_out(row.url);
    }
    write_row(row, page.origin);
    return outputs_.ok();
  });
}

void DedupRun::fail_with(nd_status status) {
  if (status != ND_OK) failure_ = settings_.store + ": " + library_failure(status);
}

// What a bookmark says about the output must be true when it is read.
bool DedupRun::flush_output() {
  return sync_output_ ? outputs_.sync() : outputs_.flush();
}

RunTotals DedupRun::totals() const {
  return {counts_, duplicates_, outputs_.row_bytes(), outputs_.metadata_bytes()};
}

void DedupRun::write_row(const Row& row, const RecordOrigin& origin) {
  if (is_duplicate(row.result)) ++duplicates_;
  outputs_.add(row, origin);
}

void DedupRun::partition() {
  const OptionsHandle options = options_acting_on("comparisons decisions groups partitions", options_.get());
  const nd_status status = collection_.partition(options.get());
  if (status != ND_OK) {
    failure_ = library_failure(status);
    return;
  }
  const KeepRule rule = keep_rule_named(settings_.keep, settings_.leave_out_parts, settings_.caution);
  for (size_t index = 0; index < collection_.size() && outputs_.ok(); ++index)
    write_row(collection_.row(index, rule), outputs_.has_metadata() ? origins_[index] : RecordOrigin());
}

uint64_t DedupRun::group_count() const {
  if (batch_) return outputs_.founder_count();
  nd_stats stats{};
  stats.struct_size = sizeof stats;
  return nd_get_stats(engine_, &stats) == ND_OK ? stats.groups : 0;
}

void DedupRun::print_summary() const {
  const double seconds = progress_.seconds();
  std::string line = counted(counts_.pages, "page") + ", " + counted(group_count(), "group") + ", " +
                     counted(duplicates_, "duplicate") + " in " + fixed(seconds, 1) + " s (" +
                     fixed(megabytes_per_second(counts_.page_bytes - start_page_bytes_, seconds), 1) +
                     " MB/s)";
  if (const KeptPages* kept = outputs_.kept()) {
    const KeepCounts& kept_counts = kept->choice().counts;
    line += "; could be left out: " + counted(kept_counts.left_out, "page") + also_kept_in_words(kept_counts);
  }
  if (counts_.damaged > 0) line += "; " + counted(counts_.damaged, "damaged record") + " skipped";
  if (counts_.all_left_out() > 0) line += "; left out: " + left_out_in_words(counts_);
  print_message(line);
}

void DedupRun::print_stats() const {
  StatsTable table;
  table.add_archive_counts(counts_, reader_.bytes_read());
  nd_stats stats{};
  stats.struct_size = sizeof stats;
  if (engine_ != nullptr && nd_get_stats(engine_, &stats) == ND_OK) table.add_engine_stats(stats);
  table.print();
}

}  // namespace ndc
