// The first pass of `ndc filter`, which groups the captures, and the choice of those that stay.
#include "filter_command.hpp"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "archives/byte_source.hpp"
#include "archives/input_kind.hpp"
#include "command_options.hpp"
#include "engine_pages.hpp"
#include "ordered_pipeline.hpp"
#include "output_file.hpp"
#include "output_place.hpp"
#include "terminal_text.hpp"
#include "verdict_records.hpp"

namespace ndc {
namespace {

constexpr size_t kNoPage = static_cast<size_t>(-1);

std::string text_of(const PayloadHash& hash) {
  return std::string(hash.begin(), hash.end());
}

std::string url_and_payload(const std::string& url, const PayloadHash& hash) {
  return url + '\n' + text_of(hash);
}

constexpr const char* kReadTwice = "filter reads its input twice; give a file, not standard input or a pipe";

bool is_warc(const std::string& path, std::string& looks_like) {
  std::string error;
  const std::unique_ptr<FileSource> source = FileSource::open(path, error);
  if (!source) return true;  // a failure is reported when the file is read
  InputStream stream(*source);
  const DetectedInput detected = detect_input(stream);
  if (detected.kind == InputKind::kWarc || detected.kind == InputKind::kEmpty) return true;
  looks_like = detected.kind == InputKind::kArc         ? "an ARC file"
               : detected.kind == InputKind::kJsonLines ? "JSON lines"
               : detected.kind == InputKind::kHtml      ? "an HTML page"
               : is_zip(stream.ahead())                 ? "a ZIP file"
                                                        : detected.looks_like;
  return false;
}

}  // namespace

FilterRun::FilterRun(const FilterSettings& settings, const nd_options* options, nd_engine* engine,
                     ArchiveReader& reader)
    : settings_(settings),
      page_options_(options_acting_on("pages", options)),
      engine_(engine),
      reader_(reader),
      progress_(is_terminal(STDERR_FILENO), reader.total_bytes()) {}

ExitCode FilterRun::run() {
  // An output that cannot be written shows before the work.
  OutputFile output;
  if (!output.open(settings_.output)) failure_ = output.error();
  if (failure_.empty()) read_pages();
  progress_.clear();
  damage_messages_.finish();
  if (failure_.empty()) failure_ = reader_.error();
  uint64_t output_bytes = 0;
  if (failure_.empty() && find_groups()) {
    choice_ = choose_kept(engine_, candidates_, keep_rule_named(settings_.keep, settings_.leave_out_parts));
    plan_.decide(choice_.kept, settings_.revisit);
    FilterCopy copy(plan_, output, VerdictRecords::is_compressed(settings_.output), settings_.revisit,
                    nd_version_string());
    for (size_t input = 0; input < reader_.input_count() && failure_.empty(); ++input) {
      if (!reader_.is_read(input)) continue;
      const std::string& path = reader_.path_of(input);
      const std::unique_ptr<FileSource> source = FileSource::open(path, failure_);
      if (source &&
          !copy.copy(input, *source, settings_.rules.max_page_bytes, settings_.rules.limits.max_expansion))
        failure_ = copy.error();
      if (!failure_.empty()) failure_ = path + ": " + failure_;
    }
    if (failure_.empty() && !copy.finish()) failure_ = copy.error();
    copied_ = copy.counts();
    if (failure_.empty() && !output.close()) failure_ = output.error();
    output_bytes = output.size();
  }
  if (!failure_.empty()) {
    print_message(failure_);
    return ExitCode::kError;
  }
  print_summary(output_bytes);
  return exit_code_of(counts_);
}

void FilterRun::read_pages() {
  std::vector<std::unique_ptr<Slot>> slots(read_ahead_slots());
  for (auto& slot : slots)
    slot = std::make_unique<Slot>();
  PipelineSteps steps;
  steps.produce = [&](size_t number) {
    Slot& slot = *slots[number];
    if (!read_item(reader_, slot.item)) return false;
    decode_item(settings_.rules, slot.item);
    if (slot.item.outcome == PageOutcome::kPage) slot.payload_hash = payload_hash_of(slot.item.record);
    return true;
  };
  steps.work = [](size_t) {};
  steps.consume = [&](size_t number) { return take(*slots[number]); };
  run_read_ahead(steps);
}

bool FilterRun::take(Slot& slot) {
  if (slot.item.outcome == PageOutcome::kPage && !add_page(slot)) return false;
  counts_.add(slot.item);
  if (slot.item.outcome == PageOutcome::kDamaged) {
    progress_.clear();
    damage_messages_.add(slot.item);
  }
  progress_.update({counts_.pages, counts_.page_bytes, std::nullopt, reader_.bytes_read()});
  return true;
}

// A page before this one that is in its group for certain: the same bytes at the same URL, or, of a revisit,
// what it refers to. kNoPage: there is none.
size_t FilterRun::same_capture(const Slot& slot) const {
  const WarcRecord& record = slot.item.record;
  if (record.block_cut) return kNoPage;
  if (record.is_revisit) {
    const auto found = first_with_.find(text_of(slot.payload_hash));
    return found == first_with_.end() ? kNoPage : found->second;
  }
  const auto found = first_at_.find(url_and_payload(slot.item.page.url, slot.payload_hash));
  return found == first_at_.end() ? kNoPage : found->second;
}

// An engine has one page a URL, and cannot be asked for one without; a fragment is no part of what it takes
// from a URL.
std::string FilterRun::own_url(const Slot& slot) const {
  const std::string& url = slot.item.page.url;
  std::string own = url;
  for (size_t number = plan_.pages().size(); own.empty() || urls_of_engine_.contains(own); ++number)
    own = url + "#capture-" + std::to_string(number);
  return own;
}

bool FilterRun::add_page(Slot& slot) {
  const WarcRecord& record = slot.item.record;
  const size_t number = plan_.pages().size();
  const size_t same = same_capture(slot);
  std::string url;
  if (same == kNoPage) {
    url = own_url(slot);
    nd_page page = library_page(slot.item.page);
    page.url = url.data();
    page.url_size = url.size();
    nd_result result = ND_RESULT_INIT;
    const nd_status status = nd_check_page(engine_, &page, &result);
    if (status != ND_OK) {
      // The record of a refused page stays: a page that cannot be compared matches none.
      failure_ = refuse_page(status, slot.item);
      return failure_.empty();
    }
    urls_of_engine_.insert(url);
  }
  KeepCandidate candidate;
  candidate.url = slot.item.page.url;
  candidate.fetched_at_ms = slot.item.page.fetched_at_ms;
  candidate.has_content = !record.is_revisit;
  if (settings_.keep == "canonical")
    candidate.canonical = canonical_url(library_page(slot.item.page), page_options_.get());
  FilteredPage page;
  page.input = slot.item.input;
  page.position = record.position;
  page.record_id = record.record_id;
  page.target_uri = record.target_uri;
  page.date = record.date;
  page.payload_digest = record.payload_digest;
  page.concurrent_to = record.concurrent_to;
  page.payload_hash = slot.payload_hash;
  page.whole = !record.block_cut;
  if (page.whole && candidate.has_content) {
    first_at_.try_emplace(url_and_payload(candidate.url, slot.payload_hash), number);
    first_with_.try_emplace(text_of(slot.payload_hash), number);
  }
  candidates_.push_back(std::move(candidate));
  checked_urls_.push_back(std::move(url));
  same_as_.push_back(same == kNoPage ? number : same);
  plan_.add(std::move(page));
  return true;
}

// The groups as they are after the last page.
bool FilterRun::find_groups() {
  if (const nd_status status = settle_pages(engine_, nullptr, nullptr); status != ND_OK) {
    failure_ = library_failure(status);
    return false;
  }
  for (size_t i = 0; i < candidates_.size(); ++i) {
    KeepCandidate& candidate = candidates_[i];
    if (same_as_[i] != i) {
      candidate.group_id = candidates_[same_as_[i]].group_id;
      candidate.page_id = candidates_[same_as_[i]].page_id;
      candidate.text_width = candidates_[same_as_[i]].text_width;
      continue;
    }
    nd_page_info info = ND_PAGE_INFO_INIT;
    const std::string& url = checked_urls_[i];
    if (const nd_status status = nd_find_page(engine_, url.data(), url.size(), &info); status != ND_OK) {
      failure_ = candidate.url + ": " + library_failure(status);
      return false;
    }
    candidate.group_id = info.group_id;
    candidate.page_id = info.page_id;
    candidate.text_width = info.text_width;
  }
  return true;
}

void FilterRun::print_summary(uint64_t output_bytes) const {
  std::string line = counted(counts_.pages, "page") + ", " + counted(choice_.preferred.size(), "group") +
                     "; " + counted(copied_.records, "record") + " read, " + with_separators(copied_.copied) +
                     " copied, left out: " + counted(copied_.pages_left_out, "page");
  if (copied_.others_left_out > 0) line += ", " + counted(copied_.others_left_out, "record") + " of theirs";
  line += also_kept_in_words(choice_.counts);
  if (settings_.revisit)
    line += "; in their place " + counted(copied_.revisits, "revisit record") + ", " +
            counted(copied_.notes, "metadata record");
  line += "; " + with_separators(copied_.bytes_read) + " bytes of records before, " +
          with_separators(copied_.bytes_written) +
          " after; file: " + with_separators(reader_.total_bytes().value_or(0)) + " before, " +
          with_separators(output_bytes) + " after";
  if (counts_.damaged > 0) line += "; " + counted(counts_.damaged, "damaged record") + " skipped";
  print_message(line);
}

CLI::App* FilterCommand::attach(CLI::App& app) {
  CLI::App* command = app.add_subcommand("filter", "Write WARC files without their near-duplicate pages");
  command->add_option("INPUT", settings_.inputs, "WARC files, plain, gzip or zstd; read twice")
      ->required()
      ->type_name("");
  command
      ->add_option("-o,--output", settings_.output,
                   "The WARC file to write; a name that ends in .gz is compressed, a gzip member a record")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--keep", settings_.keep,
                   "Which page of each group stays: the first of the input, the one with most text, the one "
                   "fetched last, or the one that canonical links name")
      ->check(one_of({"first", "longest", "newest", "canonical"}))
      ->type_name("first|longest|newest|canonical")
      ->capture_default_str();
  add_parts_flag(*command, settings_.leave_out_parts);
  command->add_flag("--revisit", settings_.revisit,
                    "Write a revisit record in the place of each page whose payload is that of the page that "
                    "stays, and a metadata record in the place of each other one");
  add_page_rules(*command, settings_.rules);
  add_library_options(*command, settings_.library_options);
  command->footer(
      "Records that stay are copied byte for byte, in their order. Requests and metadata go with their "
      "page.\n"
      "Exit codes: 0 done, 1 error (no output is written), 2 wrong usage, 3 done, but damaged records were\n"
      "left out.\n\n"
      "Examples:\n"
      "  ndc filter crawl.warc.gz -o small.warc.gz\n"
      "  ndc filter --keep newest monday.warc.gz tuesday.warc.gz -o both.warc.gz\n"
      "  ndc filter --revisit crawl.warc.gz -o small.warc.gz");
  return command;
}

ExitCode FilterCommand::run() const {
  const OptionsHandle options = make_library_options(settings_.library_options);
  if (!options) return ExitCode::kUsage;
  if (std::find(settings_.inputs.begin(), settings_.inputs.end(), "-") != settings_.inputs.end()) {
    print_message(kReadTwice);
    return ExitCode::kUsage;
  }
  if (settings_.output == "-") {
    print_message("filter writes a file, which gets its name when it is whole; standard output has no name");
    return ExitCode::kUsage;
  }
  if (settings_.output.ends_with(".zst")) {
    print_message("filter writes plain or gzip WARC files; zstd is only read");
    return ExitCode::kUsage;
  }
  ArchiveReader reader(settings_.inputs, settings_.rules.max_page_bytes, settings_.rules.limits);
  if (!reader.check()) {
    print_message(reader.error());
    return ExitCode::kError;
  }
  if (!reader.total_bytes()) {
    print_message(kReadTwice);
    return ExitCode::kUsage;
  }
  if (!are_separate({{"--output", settings_.output}}, reader.read_paths())) return ExitCode::kUsage;
  if (!has_fitting_files(reader)) return ExitCode::kError;
  const EngineHandle engine = open_engine(options);
  if (!engine) return ExitCode::kError;
  return FilterRun(settings_, options.get(), engine.get(), reader).run();
}

bool FilterCommand::has_fitting_files(const ArchiveReader& reader) const {
  for (const std::string& path : reader.file_paths()) {
    std::string looks_like;
    if (is_warc(path, looks_like)) continue;
    print_message(path + ": looks like " + looks_like + "; filter copies records of WARC files only");
    return false;
  }
  return true;
}

}  // namespace ndc
