// The first pass of `ndc filter`, which groups the captures, and the choice of those that stay.
#include "filter_command.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "archives/byte_source.hpp"
#include "archives/input_kind.hpp"
#include "command_options.hpp"
#include "engine_pages.hpp"
#include "ordered_pipeline.hpp"
#include "output_place.hpp"
#include "output_text.hpp"
#include "terminal_text.hpp"
#include "verdict_records.hpp"

namespace ndc {
namespace {

constexpr size_t kNoPage = static_cast<size_t>(-1);
constexpr const char* kNowhere = "/dev/null";
constexpr const char* kHasChanged = "has changed while it was read";
constexpr size_t kMostRounds = 6;
constexpr size_t kNextToNothing = 2000;  // so many pages stay for one that would be decided otherwise
constexpr const char* kListEnding = ".left-out.tsv";

std::string text_of(const PayloadHash& hash) {
  return std::string(hash.begin(), hash.end());
}

std::string url_and_payload(const std::string& url, const PayloadHash& hash) {
  return url + '\n' + text_of(hash);
}

constexpr const char* kReadTwice =
    "filter reads its input several times; give a file, not standard input or a pipe";

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

KeepRule keep_rule_of(const FilterSettings& settings) {
  return keep_rule_named(settings.keep, settings.leave_out_parts, settings.caution);
}

std::string list_of(const FilterSettings& settings) {
  if (!settings.list.empty() || settings.dry_run || !OutputFile::appears_whole(settings.output))
    return settings.list;
  return settings.output + kListEnding;
}

}  // namespace

FilterRun::FilterRun(const FilterSettings& settings, const OptionsHandle& options, ArchiveReader& reader,
                     Decisions& decisions)
    : settings_(settings),
      options_(options),
      page_options_(options_acting_on("pages", options.get())),
      engine_(open_engine(options)),
      reader_(reader),
      decisions_(decisions),
      progress_(is_terminal(STDERR_FILENO), reader.total_bytes()) {}

ExitCode FilterRun::run() {
  for (size_t input = 0; input < reader_.input_count(); ++input)
    states_.push_back(state_of(reader_.path_of(input)));
  if (!engine_) return ExitCode::kError;
  // An output that cannot be written shows before the work.
  if (open_outputs()) read_pages(reader_, [this](Slot& slot) { return take(slot); });
  progress_.clear();
  damage_messages_.finish();
  if (failure_.empty()) failure_ = reader_.error();
  if (failure_.empty()) decide();
  if (failure_.empty()) plan_.decide(choice_.kept, settings_.revisit);
  if (!failure_.empty() || !copy_records() || !close_outputs()) {
    print_message(failure_);
    return ExitCode::kError;
  }
  for (const std::string& remark : decisions_.remarks())
    print_message(remark);
  print_summary();
  return exit_code_of(counts_);
}

bool FilterRun::open_outputs() {
  const std::string list = list_of(settings_);
  if (!output_.open(settings_.dry_run ? kNowhere : settings_.output)) failure_ = output_.error();
  if (failure_.empty() && !list.empty() && !list_.open(list)) failure_ = list_.error();
  return failure_.empty();
}

bool FilterRun::copy_records() {
  const bool compressed = settings_.output.empty() || VerdictRecords::is_compressed(settings_.output);
  FilterCopy copy(plan_, output_, compressed, settings_.revisit, nd_version_string());
  WarcFields about;
  about.add("software", std::string("ndc/") + nd_version_string());
  about.add("format", "WARC File Format 1.1");
  about.add("description",
            "what follows was copied by ndc filter, which has left out near-duplicate pages; their list has "
            "the ending .left-out.tsv");
  for (const std::string& path : reader_.file_paths())
    about.add("nd-input", std::filesystem::path(path).filename().string());
  about.add("nd-keep", settings_.keep);
  about.add("nd-caution", settings_.caution);
  for (const std::string& path : settings_.decisions)
    about.add("nd-decisions", std::filesystem::path(path).filename().string());
  int64_t newest = 0;
  for (const KeepCandidate& candidate : candidates_)
    newest = std::max(newest, candidate.fetched_at_ms);
  copy.write_info(about, iso_time(newest));
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

void FilterRun::write_list(const std::vector<size_t>& left_out) {
  list_.write_line("#url\tfetched\tkept_url\tkept_fetched\tprobability\treason");
  std::string line;
  const auto add = [&line](std::string_view cell) {
    append_tsv_text(cell, line);
    line += '\t';
  };
  for (const size_t index : left_out) {
    const FilteredPage& page = plan_.pages()[index];
    const DropReason& reason = choice_.reasons[index];
    const bool is_judged = reason.why == DropReason::Why::kJudged;
    line.clear();
    add(candidates_[index].url);
    add(page.date);
    add(page.kept == kNothingKept ? "-" : candidates_[page.kept].url);
    add(page.kept == kNothingKept ? "-" : plan_.pages()[page.kept].date);
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

void FilterRun::decide() {
  if (!find_groups()) return;
  if (!decisions_.empty() && !decisions_.apply(candidates_)) {
    failure_ = decisions_.error();
    return;
  }
  choice_ = choose_kept(engine_.get(), candidates_, keep_rule_of(settings_));
  first_at_.clear();
  first_with_.clear();
  for (size_t round = 0; round < kMostRounds && choice_.counts.left_out > 0 && failure_.empty(); ++round) {
    size_t staying = 0;
    for (size_t i = 0; i < candidates_.size(); ++i)
      staying += stays(i) ? 1 : 0;
    if (decide_again() * kNextToNothing <= staying) break;
  }
}

// Returns how many pages stand otherwise now.
size_t FilterRun::decide_again() {
  std::vector<size_t> staying;
  for (size_t i = 0; i < candidates_.size(); ++i) {
    if (!stays(i)) continue;
    staying.push_back(i);
    if (same_as_[i] == i || stays(same_as_[i])) continue;
    same_as_[i] = i;
    checked_urls_[i] = own_url(candidates_[i].url, i);
    urls_of_engine_.insert(checked_urls_[i]);
  }
  engine_.reset();
  engine_ = open_engine(options_);
  ArchiveReader reader(settings_.inputs, settings_.rules.max_page_bytes, settings_.rules.limits);
  if (!engine_ || !reader.check()) {
    failure_ = engine_ ? reader.error() : "no second engine could be opened";
    return 0;
  }
  size_t next = 0;
  read_pages(reader, [&](Slot& slot) { return check_again(slot, next); });
  if (failure_.empty()) failure_ = reader.error();
  if (failure_.empty() && next != candidates_.size()) failure_ = kHasChanged;
  if (!failure_.empty() || !find_groups()) return 0;
  std::vector<KeepCandidate> candidates;
  candidates.reserve(staying.size());
  for (const size_t number : staying)
    candidates.push_back(candidates_[number]);
  if (!decisions_.empty()) decisions_.apply(candidates);
  return take_over(choose_kept(engine_.get(), candidates, keep_rule_of(settings_)), staying);
}

bool FilterRun::check_again(Slot& slot, size_t& next) {
  if (slot.item.outcome != PageOutcome::kPage || next == candidates_.size()) return true;
  const FilteredPage& known = plan_.pages()[next];
  const InputPosition& position = slot.item.record.position;
  if (known.input != slot.item.input || known.position.file_offset != position.file_offset ||
      known.position.member_offset != position.member_offset)
    return true;  // a page that was refused
  const size_t number = next++;
  if (!stays(number) || same_as_[number] != number) return true;
  nd_page page = library_page(slot.item.page);
  page.url = checked_urls_[number].data();
  page.url_size = checked_urls_[number].size();
  nd_result result = ND_RESULT_INIT;
  if (const nd_status status = nd_check_page(engine_.get(), &page, &result); status != ND_OK)
    failure_ = candidates_[number].url + ": " + library_failure(status);
  return failure_.empty();
}

size_t FilterRun::take_over(const KeepChoice& chosen, const std::vector<size_t>& staying) {
  size_t changed = 0, returned = 0;
  for (size_t i = 0; i < staying.size(); ++i) {
    if (chosen.kept[i] == i) continue;
    ++changed;
    choice_.kept[staying[i]] = chosen.kept[i] == kNothingKept ? kNothingKept : staying[chosen.kept[i]];
    choice_.reasons[staying[i]] = chosen.reasons[i];
  }
  for (size_t i = 0; i < candidates_.size(); ++i) {
    const size_t kept = choice_.kept[i];
    if (kept == kNothingKept || choice_.kept[kept] == kept) continue;
    DropReason& reason = choice_.reasons[i];
    if (reason.why == DropReason::Why::kNear) {
      // It was compared with a page that does not stay; the next decision may find another one.
      choice_.kept[i] = i;
      ++returned;
      continue;
    }
    choice_.kept[i] = choice_.kept[kept];
    if (reason.why != DropReason::Why::kJudged) reason = choice_.reasons[kept];
  }
  if (changed + returned == 0) return 0;  // the first decision holds, and so does what it counted
  const uint64_t lost = choice_.counts.lost_groups + chosen.counts.lost_groups;
  choice_.counts = chosen.counts;
  choice_.counts.lost_groups = lost;
  choice_.counts.others += returned;
  choice_.preferred = chosen.preferred;
  return changed + returned;
}

void FilterRun::read_pages(ArchiveReader& reader, const std::function<bool(Slot&)>& take) {
  std::vector<std::unique_ptr<Slot>> slots(read_ahead_slots());
  for (auto& slot : slots)
    slot = std::make_unique<Slot>();
  PipelineSteps steps;
  steps.produce = [&](size_t number) {
    Slot& slot = *slots[number];
    if (!read_item(reader, slot.item)) return false;
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
std::string FilterRun::own_url(const std::string& url, size_t number) const {
  std::string own = url;
  for (; own.empty() || urls_of_engine_.contains(own); ++number)
    own = url + "#capture-" + std::to_string(number);
  return own;
}

bool FilterRun::add_page(Slot& slot) {
  const WarcRecord& record = slot.item.record;
  const size_t number = plan_.pages().size();
  const size_t same = same_capture(slot);
  std::string url;
  if (same == kNoPage) {
    url = own_url(slot.item.page.url, number);
    nd_page page = library_page(slot.item.page);
    page.url = url.data();
    page.url_size = url.size();
    nd_result result = ND_RESULT_INIT;
    const nd_status status = nd_check_page(engine_.get(), &page, &result);
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
  if (const nd_status status = settle_pages(engine_.get(), nullptr, nullptr); status != ND_OK) {
    failure_ = library_failure(status);
    return false;
  }
  for (size_t i = 0; i < candidates_.size(); ++i) {
    if (!stays(i)) continue;
    KeepCandidate& candidate = candidates_[i];
    if (same_as_[i] != i) {
      candidate.group_id = candidates_[same_as_[i]].group_id;
      candidate.page_id = candidates_[same_as_[i]].page_id;
      candidate.text_width = candidates_[same_as_[i]].text_width;
      continue;
    }
    nd_page_info info = ND_PAGE_INFO_INIT;
    const std::string& url = checked_urls_[i];
    if (const nd_status status = nd_find_page(engine_.get(), url.data(), url.size(), &info);
        status != ND_OK) {
      failure_ = candidate.url + ": " + library_failure(status);
      return false;
    }
    candidate.group_id = info.group_id;
    candidate.page_id = info.page_id;
    candidate.text_width = info.text_width;
  }
  return true;
}

void FilterRun::print_summary() const {
  std::string line = counted(counts_.pages, "page") + ", " +
                     counted(choice_.preferred.size() + choice_.counts.lost_groups, "group") + "; " +
                     counted(copied_.records, "record") + " read, " + with_separators(copied_.copied) +
                     " copied, left out: " + counted(left_out_, "page");
  if (copied_.others_left_out > 0) line += ", " + counted(copied_.others_left_out, "record") + " of theirs";
  line += also_kept_in_words(choice_.counts);
  if (settings_.revisit)
    line += "; in their place " + counted(copied_.revisits, "revisit record") + ", " +
            counted(copied_.notes, "metadata record");
  line += "; " + with_separators(copied_.bytes_read) + " bytes of records before, " +
          with_separators(copied_.bytes_written) +
          " after; file: " + with_separators(reader_.total_bytes().value_or(0)) + " before, " +
          with_separators(output_.size()) + " after";
  if (settings_.dry_run) line += "; nothing was written";
  if (counts_.damaged > 0) line += "; " + counted(counts_.damaged, "damaged record") + " skipped";
  print_message(line);
}

CLI::App* FilterCommand::attach(CLI::App& app) {
  CLI::App* command = app.add_subcommand("filter", "Write WARC files without their near-duplicate pages");
  command->add_option("INPUT", settings_.inputs, "WARC files, plain, gzip or zstd; read several times")
      ->required()
      ->type_name("");
  command
      ->add_option("-o,--output", settings_.output,
                   "The WARC file to write; a name that ends in .gz is compressed, a gzip member a record")
      ->type_name("FILE");
  command->add_flag("--dry-run", settings_.dry_run, "Write no WARC file, but say what would come of it");
  command
      ->add_option(
          "--dropped", settings_.list,
          "Where the list of the pages that are left out goes; else beside the output, with the ending "
          ".left-out.tsv")
      ->type_name("FILE");
  command
      ->add_option("--keep", settings_.keep,
                   "Which page of each group stays: the first of the input, the one with most text, the one "
                   "fetched last, or the one that canonical links name")
      ->check(one_of({"first", "longest", "newest", "canonical"}))
      ->type_name("first|longest|newest|canonical")
      ->capture_default_str();
  add_parts_flag(*command, settings_.leave_out_parts);
  add_caution(*command, settings_.caution);
  command
      ->add_option("--decisions", settings_.decisions,
                   "What people have decided: decisions.tsv or labels.tsv of a report, or a list of URLs to "
                   "keep; may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
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
      "  ndc filter --caution careful --dry-run crawl.warc.gz --dropped pages.tsv\n"
      "  ndc filter --decisions decisions.tsv crawl.warc.gz -o judged.warc.gz\n"
      "  ndc filter --keep newest monday.warc.gz tuesday.warc.gz -o both.warc.gz\n"
      "  ndc filter --revisit crawl.warc.gz -o small.warc.gz");
  return command;
}

ExitCode FilterCommand::run() const {
  const OptionsHandle options = make_library_options(settings_.library_options);
  if (!options) return ExitCode::kUsage;
  if (!has_fitting_output()) return ExitCode::kUsage;
  ArchiveReader reader(settings_.inputs, settings_.rules.max_page_bytes, settings_.rules.limits);
  if (!reader.check()) {
    print_message(reader.error());
    return ExitCode::kError;
  }
  if (!reader.total_bytes()) {
    print_message(kReadTwice);
    return ExitCode::kUsage;
  }
  std::vector<std::string> read = reader.read_paths();
  read.insert(read.end(), settings_.decisions.begin(), settings_.decisions.end());
  if (!are_separate({{"--output", settings_.output}, {"--dropped", list_of(settings_)}}, read))
    return ExitCode::kUsage;
  if (!has_fitting_files(reader)) return ExitCode::kError;
  Decisions decisions;
  for (const std::string& path : settings_.decisions) {
    if (decisions.read(path)) continue;
    print_message(decisions.error());
    return ExitCode::kError;
  }
  return FilterRun(settings_, options, reader, decisions).run();
}

bool FilterCommand::has_fitting_output() const {
  const auto& inputs = settings_.inputs;
  const std::string& output = settings_.output;
  const char* fault =
      std::find(inputs.begin(), inputs.end(), "-") != inputs.end() ? kReadTwice
      : output.empty() && !settings_.dry_run ? "give --output, or --dry-run to see what would come of it"
      : !output.empty() && settings_.dry_run ? "--dry-run writes no --output"
      : output == "-"
          ? "filter writes a file, which gets its name when it is whole; standard output has no name"
      : output.ends_with(".zst")  ? "filter writes plain or gzip WARC files; zstd is only read"
      : output.ends_with(".wacz") ? "filter writes WARC files; make a WACZ of them with another tool"
      : settings_.list == "-"     ? "--dropped goes to a file"
                                  : nullptr;
  if (fault != nullptr) print_message(fault);
  return fault == nullptr;
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
