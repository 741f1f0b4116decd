// Reads the arguments of `ndc filter`, and refuses what does not go together before any page is read.
#include "filter_command.hpp"

#include <ndcapi.h>
#include <sys/stat.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "archives/archive_reader.hpp"
#include "archives/byte_source.hpp"
#include "archives/input_kind.hpp"
#include "command_options.hpp"
#include "decisions.hpp"
#include "filter_run.hpp"
#include "ordered_pipeline.hpp"
#include "output_place.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

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

// A device, a pipe or what the process has open: nothing that could get a name when it is whole. What cannot
// be a file at all is told when it is opened.
bool is_stream(const std::string& output) {
  struct stat status {};
  return output == "-" || output_place(output).descriptor ||
         (::stat(output.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode));
}

}  // namespace

CLI::App* FilterCommand::attach(CLI::App& app) {
  CLI::App* command = app.add_subcommand("filter", "Write WARC files without their near-duplicate pages");
  command->add_option("INPUT", settings_.inputs, "WARC files, packed or not; read twice")
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
      ->add_option("--store", settings_.store,
                   "Take the groups from this store, where `ndc dedup --store` has put the pages; nothing is "
                   "added to it")
      ->type_name("DIR");
  command
      ->add_option("--decisions", settings_.decisions,
                   "What people have decided: decisions.tsv or labels.tsv of a report, or a list of URLs to "
                   "keep in place of others; may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command->add_flag("--revisit", settings_.revisit,
                    "Write a revisit record in the place of each page whose payload is that of the page that "
                    "stays, and a metadata record in the place of each other one; also a revisit record for "
                    "each image or other file that is there before");
  command
      ->add_option("--threads", settings_.threads,
                   "Worker threads; with more than one, which pages are groups may differ from run to run")
      ->type_name("N")
      ->check(in_range(1, kMaxThreads))
      ->capture_default_str();
  command->add_flag("--stats", settings_.stats, "Print counts to standard error at the end");
  command->add_flag("--quiet", settings_.quiet, "Print no progress and no summary, only what went wrong");
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
  if (!options || !has_fitting_output() ||
      !fits_caution(settings_.caution, settings_.leave_out_parts, options.get()))
    return ExitCode::kUsage;
  // What the store knows is used, and nothing changes it.
  if (!settings_.store.empty() && nd_options_set(options.get(), "overlay", "true") != ND_OK) {
    print_message(nd_last_error());
    return ExitCode::kError;
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
  std::vector<std::string> read = reader.read_paths();
  read.insert(read.end(), settings_.decisions.begin(), settings_.decisions.end());
  if (!are_separate({{"--output", settings_.output}, {"--dropped", list_of(settings_)}}, read))
    return ExitCode::kUsage;
  for (const std::string& written : {settings_.output, list_of(settings_)}) {
    if (!is_stream(written)) continue;
    print_message(
        shown_output(written) +
        " is no file, as a device or a pipe is none; what filter writes gets its name when it is whole");
    return ExitCode::kUsage;
  }
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
      : output.ends_with(".zst") || output.ends_with(".bz2") || output.ends_with(".xz") ||
              output.ends_with(".lz4")
          ? "filter writes plain or gzip WARC files; others are only read"
      : output.ends_with(".wacz") ? "filter writes WARC files; make a WACZ of them with another tool"
                                  : nullptr;
  if (fault == nullptr && !settings_.store.empty()) {
    for (const std::string& written : {output, list_of(settings_)}) {
      if (!written.empty() && lies_in(settings_.store, written))
        fault = "the output lies in the store, whose files are its own";
    }
  }
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
