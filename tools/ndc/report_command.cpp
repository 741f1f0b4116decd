// Reads the arguments of `ndc report`, checks the pages of its inputs or opens a store, and writes the
// report.
#include "report_command.hpp"

#include "archives/archive_reader.hpp"
#include "command_options.hpp"
#include "output_place.hpp"
#include "report_folder.hpp"
#include "report_pages.hpp"
#include "report_writer.hpp"
#include "store_access.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

constexpr size_t kMaxTextMegabytes = 1000000;
constexpr size_t kMaxPageTextBytes = size_t{1} << 26;
constexpr size_t kMaxReviewPairs = 100000;
constexpr size_t kMaxNearMissGroups = 1000000000;

ReportLayout layout_of(const ReportSettings& settings) {
  return settings.single_file ? ReportLayout::kSingle
         : settings.parts     ? ReportLayout::kParts
                              : ReportLayout::kBySize;
}

void print_summary(const ReportSettings& settings, const ReportWriter& writer, const ReportPages& pages,
                   const ReportFolder& folder) {
  const ReportTally& all = writer.tallies().all();
  std::string line = counted(all.pages, "page") + ", " + counted(writer.tallies().groups(), "group") +
                     " of near-duplicates, " + counted(all.duplicates, "page") + " could be left out";
  if (all.sized > 0) line += " (" + with_separators(all.bytes_saved) + " bytes)";
  line += also_kept_in_words(writer.kept());
  if (writer.texts_left_out() > 0)
    line += "; " + counted(writer.texts_left_out(), "text") + " beyond --text-megabytes left out";
  if (pages.without_url() > 0) line += "; " + counted(pages.without_url(), "page") + " without URL left out";
  if (pages.counts().damaged > 0)
    line += "; " + counted(pages.counts().damaged, "damaged record") + " skipped";
  print_message(line + "; open " + settings.output + "/index.html (" + counted(folder.files(), "file") + ")");
}

}  // namespace

CLI::App* ReportCommand::attach(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("report", "Write the groups of near-duplicates as a page to look at");
  command->add_option("INPUT", settings_.inputs, kInputsHelp)->type_name("");
  command
      ->add_option("-o,--output", settings_.output,
                   "The folder to write; one that holds an earlier report is written anew")
      ->required()
      ->type_name("FOLDER");
  command
      ->add_option("--store", settings_.store, "Show the pages of this store, in place of a run over INPUT")
      ->type_name("DIR");
  command
      ->add_option("--pages", settings_.pages,
                   "With --store: archives with its pages, for their titles, sizes and texts, of which a "
                   "store keeps hashes only")
      ->type_name("FILE...");
  command
      ->add_option("--keep", settings_.keep,
                   "Which page of each group to keep: the first of the input, the one with most text, the "
                   "one fetched last, or the one that canonical links name")
      ->check(one_of({"first", "longest", "newest", "canonical"}))
      ->type_name("first|longest|newest|canonical")
      ->capture_default_str();
  add_parts_flag(*command, settings_.leave_out_parts);
  add_caution(*command, settings_.caution);
  command
      ->add_option("--replay", settings_.replay,
                   "Link pages to a replay: PREFIX, the time as 14 digits, / and the URL, such as "
                   "https://web.archive.org/web/")
      ->type_name("PREFIX");
  CLI::Option* single =
      command->add_flag("--single-file", settings_.single_file, "One file, however large it becomes");
  command
      ->add_flag("--parts", settings_.parts,
                 "Files of data beside the page, even where one file would do (up to 4 MiB of data)")
      ->excludes(single);
  command->add_option("--threads", settings_.threads, "Worker threads, as of dedup")
      ->type_name("N")
      ->check(in_range(1, kMaxThreads))
      ->capture_default_str();
  command
      ->add_option("--text-megabytes", settings_.text_megabytes,
                   "Texts of so many MiB together; comparisons beyond are left out and counted")
      ->type_name("N")
      ->check(in_range(0, kMaxTextMegabytes))
      ->capture_default_str();
  command
      ->add_option("--page-text-bytes", settings_.page_text_bytes, "So much text of a page; the rest is cut")
      ->type_name("N")
      ->check(in_range(0, kMaxPageTextBytes))
      ->capture_default_str();
  command->add_option("--review", settings_.review_pairs, "So many doubtful pairs for the reviewer")
      ->type_name("N")
      ->check(in_range(0, kMaxReviewPairs))
      ->capture_default_str();
  command
      ->add_option("--near-misses", settings_.near_miss_groups,
                   "Look in so many groups, spread over all, for pairs that a threshold kept apart by little")
      ->type_name("N")
      ->check(in_range(0, kMaxNearMissGroups))
      ->capture_default_str();
  add_page_rules(*command, settings_.rules);
  add_json_fields(*command, settings_.rules);
  add_library_options(*command, settings_.library_options);
  command->footer(
      "FOLDER/index.html opens in a browser from the disk; it loads nothing from a network.\n"
      "Exit codes: 0 done, 1 error, 2 wrong usage, 3 done, but damaged records were skipped.\n\n"
      "Examples:\n"
      "  ndc report crawl.warc.gz -o report\n"
      "  ndc report --keep newest monday.warc.gz tuesday.warc.gz -o report\n"
      "  ndc report --store pages.ndc --pages crawl-*.warc.gz -o report");
  return command;
}

bool ReportCommand::has_fitting_source() const {
  const char* fault = settings_.store.empty() && settings_.inputs.empty()
                          ? "give INPUT, or --store with a store; `ndc report --help` has examples"
                      : !settings_.store.empty() && !settings_.inputs.empty()
                          ? "INPUT and --store do not go together; archives of a store's pages are --pages"
                      : settings_.store.empty() && !settings_.pages.empty() ? "--pages goes with --store"
                      : !settings_.replay.empty() && !settings_.replay.starts_with("http://") &&
                              !settings_.replay.starts_with("https://")
                          ? "--replay begins with http:// or https://"
                      : settings_.output == "-" ? "a report is a folder; it does not go to standard output"
                                                : nullptr;
  if (fault != nullptr) print_message(fault);
  if (fault != nullptr) return false;
  if (settings_.store.empty() || !lies_in(settings_.store, settings_.output)) return true;
  print_message("the folder " + settings_.output + " lies in the store, whose files are its own");
  return false;
}

ExitCode ReportCommand::run() const {
  if (!has_fitting_source()) return ExitCode::kUsage;
  std::vector<std::string> kept_text = settings_.library_options;
  kept_text.emplace_back("keep_text=true");
  const OptionsHandle options = make_library_options(settings_.library_options);
  const OptionsHandle text_options = make_library_options(kept_text);
  if (!options || !text_options || !fits_caution(settings_.caution, settings_.leave_out_parts, options.get()))
    return ExitCode::kUsage;
  ArchiveReader reader(settings_.archives(), settings_.rules.max_page_bytes, settings_.rules.limits);
  if (!reader.check()) {
    print_message(reader.error());
    return ExitCode::kError;
  }
  if (!holds_no_input(settings_.output, reader.read_paths())) return ExitCode::kUsage;
  EngineHandle engine;
  bool wrong_option = false;
  if (settings_.store.empty()) {
    engine = open_engine(options, wrong_option);
  } else {
    engine = open_store_to_read({settings_.store, settings_.library_options}, wrong_option);
  }
  if (!engine) return wrong_option ? ExitCode::kUsage : ExitCode::kError;
  ReportFolder folder;
  if (!folder.open(settings_.output, layout_of(settings_))) {
    print_message(folder.error());
    return ExitCode::kError;
  }
  ReportPages pages(settings_, text_options.get(), engine.get(), settings_.store.empty());
  ReportWriter writer(settings_, engine.get(), pages, folder);
  const bool is_read = pages.read(reader);
  if (!is_read || !writer.write()) {
    print_message(pages.error().empty() ? writer.error() : pages.error());
    return ExitCode::kError;
  }
  print_summary(settings_, writer, pages, folder);
  return exit_code_of(pages.counts());
}

}  // namespace ndc
