#include "filter_command.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "byte_source.hpp"
#include "command_options.hpp"
#include "filter_run.hpp"
#include "input_kind.hpp"
#include "output_place.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

constexpr const char* kReadTwice = "filter reads its input twice; give a file, not standard input or a pipe";

bool is_warc(const std::string& path, std::string& looks_like) {
  std::string error;
  const std::unique_ptr<FileSource> source = FileSource::open(path, error);
  if (!source) return true;  // which is told when it is read
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
    report(kReadTwice);
    return ExitCode::kUsage;
  }
  if (settings_.output == "-") {
    report("filter writes a file, which gets its name when it is whole; standard output has no name");
    return ExitCode::kUsage;
  }
  if (settings_.output.ends_with(".zst")) {
    report("filter writes plain or gzip WARC files; zstd is only read");
    return ExitCode::kUsage;
  }
  ArchiveReader reader(settings_.inputs, settings_.rules.max_page_bytes, settings_.rules.limits);
  if (!reader.check()) {
    report(reader.error());
    return ExitCode::kError;
  }
  if (!reader.total_bytes()) {
    report(kReadTwice);
    return ExitCode::kUsage;
  }
  if (overwrites_input({settings_.output}, reader.file_paths())) return ExitCode::kUsage;
  if (!has_fitting_files(reader)) return ExitCode::kError;
  const EngineHandle engine = open_engine(options);
  if (!engine) return ExitCode::kError;
  return FilterRun(settings_, options.get(), engine.get(), reader).run();
}

bool FilterCommand::has_fitting_files(const ArchiveReader& reader) const {
  for (const std::string& path : reader.file_paths()) {
    std::string looks_like;
    if (is_warc(path, looks_like)) continue;
    report(path + ": looks like " + looks_like + "; filter copies records of WARC files only");
    return false;
  }
  return true;
}

}  // namespace ndc
