// Reads the arguments of `ndc dedup`, refuses those that exclude each other, and opens what the run needs.
#include "dedup_command.hpp"

#include <algorithm>
#include <optional>

#include "archives/archive_reader.hpp"
#include "command_options.hpp"
#include "dedup_outputs.hpp"
#include "dedup_run.hpp"
#include "output_place.hpp"
#include "resumable_run.hpp"
#include "store_access.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

// Each thread needs some bookmarks of the store, which has a thousand.
constexpr size_t kMaxStoreThreads = 128;

ExitCode report_outputs(const DedupOutputs& outputs) {
  print_message(outputs.are_same_file() ? "--warc-metadata and --output are the same file" : outputs.error());
  return outputs.are_same_file() ? ExitCode::kUsage : ExitCode::kError;
}

bool reads_standard_input(const DedupSettings& settings) {
  return std::find(settings.inputs.begin(), settings.inputs.end(), "-") != settings.inputs.end();
}

// Options with a name of their own here come last, since they are more specific.
std::vector<std::string> library_settings(const DedupSettings& settings) {
  std::vector<std::string> all = settings.library_options;
  if (!settings.detector.empty()) all.push_back("detector=" + settings.detector);
  if (!settings.decide.empty()) all.push_back("decide=" + settings.decide);
  return all;
}

}  // namespace

CLI::App* DedupCommand::attach(CLI::App& app) {
  CLI::App* command = app.add_subcommand("dedup", "Find the near-duplicate pages of web archives");
  command->add_option("INPUT", settings_.inputs, kInputsHelp)->required()->type_name("");
  command->add_option("-o,--output", settings_.output, "Where the rows go; - for standard output")
      ->type_name("FILE")
      ->capture_default_str();
  command
      ->add_option("--warc-metadata", settings_.metadata_output,
                   "Also write each verdict as a WARC metadata record about the page's record; a name that "
                   "ends in .gz is compressed")
      ->type_name("FILE");
  command
      ->add_option(
          "--store", settings_.store,
          "Keep the pages in this directory: the next run knows them, and the same command continues "
          "one that was interrupted")
      ->type_name("DIR");
  command
      ->add_option("--against", settings_.against,
                   "Compare the pages with the last snapshot of this store, and with each other, and add "
                   "nothing to it; a crawl may be writing it")
      ->type_name("STORE");
  command->add_flag("--restart", settings_.restart,
                    "With --store: begin with the first page, whatever was done before");
  CLI::Option* format =
      command
          ->add_option("--format", settings_.format, "Table, JSON lines, or a list of the groups for reading")
          ->check(one_of({"tsv", "jsonl", "groups"}))
          ->type_name("tsv|jsonl|groups")
          ->capture_default_str();
  command
      ->add_flag_callback(
          "--csv", [this] { settings_.format = "csv"; },
          "Write the rows for a spreadsheet, with commas; an apostrophe comes before a cell that begins with "
          "= + - or @, lest it is calculated")
      ->excludes(format);
  command
      ->add_option("--threads", settings_.threads,
                   "Worker threads; with more than one, which page founds a group may differ from run to run")
      ->type_name("N")
      ->check(in_range(1, kMaxThreads))
      ->capture_default_str();
  command
      ->add_option("--order", settings_.order,
                   "Compare pages as they come, or all at the end, those with most fingerprints first")
      ->check(one_of({"input", "fingerprints"}))
      ->type_name("input|fingerprints")
      ->capture_default_str();
  command
      ->add_option(
          "--detector", settings_.detector,
          "The method that finds near-duplicates, as option detector (see `ndc options`); lcs if none "
          "is named")
      ->type_name("NAME");
  command
      ->add_option("--decide", settings_.decide,
                   "Who decides on what the detector finds: the LCS, or the detector alone, whose verdicts "
                   "near carry the flag unverified; lcs if none is named")
      ->check(one_of({"lcs", "method"}))
      ->type_name("lcs|method");
  command
      ->add_option("--keep", settings_.keep,
                   "Say in a column of its own which page of each group to keep: the first of the input, the "
                   "one with most text, the one fetched last, or the one that canonical links name")
      ->check(one_of({"first", "longest", "newest", "canonical"}))
      ->type_name("first|longest|newest|canonical");
  add_parts_flag(*command, settings_.leave_out_parts);
  add_caution(*command, settings_.caution);
  command
      ->add_option(
          "--keep-urls", settings_.keep_list,
          "Also write the URLs of the pages to keep, one a line; first, if --keep does not say which")
      ->type_name("FILE");
  command->add_option("--drop-urls", settings_.drop_list, "Also write the URLs of all other pages")
      ->type_name("FILE");
  command->add_flag("--stats", settings_.stats, "Print counts to standard error at the end");
  add_page_rules(*command, settings_.rules);
  add_json_fields(*command, settings_.rules);
  add_library_options(*command, settings_.library_options);
  command->footer(
      "One row a page, in input order: url, group_id, verdict (new, unchanged, exact, near, no-text),\n"
      "representative, resemblance, containment, probability, page_id.\n"
      "Rows are written at the end, decided by what all pages have shown of their sites; with --store\n"
      "and --against as pages come.\n"
      "Exit codes: 0 done, 1 error, 2 wrong usage, 3 done, but damaged records were skipped.\n\n"
      "Examples:\n"
      "  ndc dedup crawl.warc.gz -o groups.tsv\n"
      "  ndc dedup --format groups crawl-*.warc.gz | less\n"
      "  ndc dedup --keep longest crawl.warc.gz -o groups.tsv --drop-urls duplicates.txt\n"
      "  ndc dedup --store pages.ndc monday.warc.gz -o monday.tsv\n"
      "  ndc dedup --against pages.ndc tuesday.warc.gz -o tuesday.tsv\n"
      "  ndc dedup crawl.warc.gz -o groups.tsv --warc-metadata verdicts.warc.gz\n"
      "  ndc dedup --detector simhash64 --decide method crawl.warc.gz -o simhash.tsv\n"
      "  zcat crawl.warc.gz | ndc dedup - --threads 4 --format jsonl --stats");
  return command;
}

ExitCode DedupCommand::run() const {
  const OptionsHandle options = make_library_options(library_settings(settings_));
  if (!options || !has_fitting_outputs() || !has_fitting_keep() || !fits_a_store() ||
      !fits_caution(settings_.caution, settings_.leave_out_parts, options.get()) ||
      !has_fitting_order(options))
    return ExitCode::kUsage;
  ArchiveReader reader(settings_.inputs, settings_.rules.max_page_bytes, settings_.rules.limits);
  if (!reader.check()) {
    print_message(reader.error());
    return ExitCode::kError;
  }
  if (!are_separate({{"--output", settings_.output},
                     {"--warc-metadata", settings_.metadata_output},
                     {"--keep-urls", settings_.keep_list},
                     {"--drop-urls", settings_.drop_list}},
                    reader.read_paths()))
    return ExitCode::kUsage;
  if (!settings_.against.empty()) return run_against(options, reader);
  return settings_.store.empty() ? run_in_memory(options, reader) : run_in_store(options, reader);
}

bool DedupCommand::has_fitting_outputs() const {
  if (settings_.metadata_output != "-") return true;
  print_message("--warc-metadata goes to a file, since standard output is for the rows");
  return false;
}

bool DedupCommand::has_fitting_keep() const {
  if (!settings_.tells_kept()) {
    const char* idle = settings_.format == "groups"    ? nullptr
                       : settings_.leave_out_parts     ? "--leave-out-parts"
                       : settings_.caution != "normal" ? "--caution"
                                                       : nullptr;
    if (idle != nullptr)
      print_message(std::string(idle) + " goes with --keep, --keep-urls, --drop-urls or --format groups");
    return idle == nullptr;
  }
  const char* other = !settings_.store.empty()       ? "--store"
                      : !settings_.against.empty()   ? "--against"
                      : settings_.order != "input"   ? "--order fingerprints"
                      : settings_.format == "groups" ? "--format groups"
                                                     : nullptr;
  if (other != nullptr)
    print_message(std::string("--keep, --keep-urls and --drop-urls do not go with ") + other);
  return other == nullptr;
}

bool DedupCommand::fits_a_store() const {
  if (settings_.store.empty() && settings_.restart) {
    print_message("--restart goes with --store");
    return false;
  }
  if (!settings_.store.empty() && !settings_.against.empty()) {
    print_message("--against adds nothing to a store, and --store does: only one of them goes");
    return false;
  }
  const std::string& store = settings_.store.empty() ? settings_.against : settings_.store;
  const std::string option = settings_.store.empty() ? "--against" : "--store";
  if (store.empty()) return true;
  if (settings_.format == "groups") {
    print_message("--format groups does not go with " + option +
                  "; `ndc dump --groups` lists the groups of a store");
    return false;
  }
  if (settings_.order == "fingerprints") {
    print_message("--order fingerprints does not go with " + option +
                  ", whose pages are compared as they come");
    return false;
  }
  if (!settings_.store.empty() && settings_.threads > kMaxStoreThreads) {
    print_message("with --store, --threads is at most " + std::to_string(kMaxStoreThreads));
    return false;
  }
  for (const std::string& output : {settings_.output, settings_.metadata_output}) {
    if (output.empty() || output == "-" || !lies_in(store, output)) continue;
    print_message("the output " + output + " lies in the store, whose files are its own");
    return false;
  }
  return true;
}

// Checked before all pages are read in vain.
bool DedupCommand::has_fitting_order(const OptionsHandle& options) const {
  if (settings_.order != "fingerprints") return true;
  std::string detector(64, '\0');
  size_t size = detector.size();
  if (nd_options_get(options.get(), "detector", detector.data(), &size) != ND_OK) {
    print_message(nd_last_error());
    return false;
  }
  detector.resize(size);
  if (detector == "lcs") {
    return all_act_on("pages keys comparisons decisions groups partitions", options.get(),
                      "`ndc dedup --order fingerprints`");
  }
  print_message("--order fingerprints is the order of the LCS partition; it does not go with detector " +
                detector);
  return false;
}

ExitCode DedupCommand::run_in_memory(const OptionsHandle& options, ArchiveReader& reader) const {
  DedupOutputs outputs;
  if (!outputs.open(settings_)) return report_outputs(outputs);
  EngineHandle engine;
  if (settings_.order == "input") {
    bool wrong_option = false;
    engine = open_engine(options, wrong_option);
    if (!engine) return wrong_option ? ExitCode::kUsage : ExitCode::kError;
  }
  return DedupRun(settings_, options, engine.get(), reader, outputs, nullptr).run();
}

ExitCode DedupCommand::run_against(const OptionsHandle& options, ArchiveReader& reader) const {
  if (nd_options_set(options.get(), "overlay", "true") != ND_OK) {
    print_message(nd_last_error());
    return ExitCode::kError;
  }
  bool wrong_option = false;
  EngineHandle engine = open_store(settings_.against, options.get(), wrong_option);
  if (!engine) return wrong_option ? ExitCode::kUsage : ExitCode::kError;
  DedupOutputs outputs;
  if (!outputs.open(settings_)) return report_outputs(outputs);
  return DedupRun(settings_, options, engine.get(), reader, outputs, nullptr).run();
}

ExitCode DedupCommand::run_in_store(const OptionsHandle& options, ArchiveReader& reader) const {
  bool wrong_option = false;
  EngineHandle engine = open_store(settings_.store, options.get(), wrong_option);
  if (!engine) return wrong_option ? ExitCode::kUsage : ExitCode::kError;
  // Whether standard input is the same as last time cannot be known.
  std::optional<ResumableRun> resumable;
  DedupSettings met = settings_;
  met.inputs = reader.file_paths();
  if (!reads_standard_input(settings_)) resumable.emplace(engine.get(), met);
  const ResumableRun::Start start = resumable ? resumable->find_start() : ResumableRun::Start::kFresh;
  if (start == ResumableRun::Start::kFailed) return ExitCode::kError;
  if (start == ResumableRun::Start::kComplete) {
    print_message("nothing to do: all of " + counted(resumable->mark().totals.counts.pages, "page") +
                  " were done before; --restart begins anew");
    std::string failure;
    if (!resumable->mark().named &&
        !DedupOutputs::name_what_is_left(settings_, resumable->mark().totals, failure)) {
      print_message(failure);
      return ExitCode::kError;
    }
    if (const nd_status status = resumable->named(); status != ND_OK) {
      report_store_failure(settings_.store, status);
      return ExitCode::kError;
    }
    report_store_counts(settings_.store, engine.get());
    return close_store(engine, settings_.store) ? exit_code_of(resumable->mark().totals.counts)
                                                : ExitCode::kError;
  }
  if (resumable && start == ResumableRun::Start::kFresh && resumable->forget_earlier() != ND_OK) {
    report_store_failure(settings_.store, ND_ERR_IO);
    return ExitCode::kError;
  }
  DedupOutputs outputs;
  if (start == ResumableRun::Start::kContinued) reader.start_at(resumable->mark().place);
  const bool goes_on = start == ResumableRun::Start::kContinued;
  if (!(goes_on ? outputs.reopen(settings_, resumable->mark().totals) : outputs.open(settings_)))
    return report_outputs(outputs);
  if (resumable) outputs.keep_unfinished();
  DedupRun run(settings_, options, engine.get(), reader, outputs, resumable ? &*resumable : nullptr);
  const ExitCode outcome = run.run();
  if (outcome == ExitCode::kError) return outcome;
  // Whatever the durability, a user who names a store expects this run to be in it.
  if (const nd_status status = nd_snapshot(engine.get()); status != ND_OK) {
    report_store_failure(settings_.store, status);
    return ExitCode::kError;
  }
  report_store_counts(settings_.store, engine.get());
  return close_store(engine, settings_.store) ? outcome : ExitCode::kError;
}

}  // namespace ndc
