#include "dedup_command.hpp"

#include <memory>

#include "archive_reader.hpp"
#include "command_options.hpp"
#include "dedup_run.hpp"
#include "output_file.hpp"
#include "row_writer.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

constexpr size_t kMaxThreads = 256;

std::unique_ptr<RowWriter> make_writer(const std::string& format, OutputFile& output) {
  if (format == "jsonl") return make_jsonl_writer(output);
  if (format == "groups") return make_groups_writer(output);
  return make_tsv_writer(output);
}

// Emptying the output must not empty an input.
bool overwrites_input(const DedupSettings& settings) {
  for (const std::string& input : settings.inputs) {
    if (settings.output != "-" && OutputFile::is_same_file(settings.output, input)) {
      report("the output " + settings.output + " is one of the inputs");
      return true;
    }
  }
  return false;
}

}  // namespace

CLI::App* DedupCommand::attach(CLI::App& app) {
  CLI::App* command = app.add_subcommand("dedup", "Find the near-duplicate pages of WARC files");
  command->add_option("INPUT", settings_.inputs, "WARC files, gzip or plain; - for standard input")
      ->required()
      ->type_name("");
  command->add_option("-o,--output", settings_.output, "Where the rows go; - for standard output")
      ->type_name("FILE")
      ->capture_default_str();
  command->add_option("--format", settings_.format, "Table, JSON lines, or a list of the groups for reading")
      ->check(one_of({"tsv", "jsonl", "groups"}))
      ->type_name("tsv|jsonl|groups")
      ->capture_default_str();
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
  command->add_flag("--stats", settings_.stats, "Print counts to standard error at the end");
  add_page_rules(*command, settings_.rules);
  add_library_options(*command, settings_.library_options);
  command->footer(
      "One row a page, in input order: url, group_id, verdict (new, unchanged, exact, near, no-text),\n"
      "representative, resemblance, containment, page_id.\n"
      "Exit codes: 0 done, 1 error, 2 wrong usage, 3 done, but damaged records were skipped.\n\n"
      "Examples:\n"
      "  ndc dedup crawl.warc.gz -o groups.tsv\n"
      "  ndc dedup --format groups crawl-*.warc.gz | less\n"
      "  zcat crawl.warc.gz | ndc dedup - --threads 4 --format jsonl --stats");
  return command;
}

ExitCode DedupCommand::run() const {
  const OptionsHandle options = make_library_options(settings_.library_options);
  if (!options) return ExitCode::kUsage;
  ArchiveReader reader(settings_.inputs, settings_.rules.max_page_bytes);
  if (!reader.check()) {
    report(reader.error());
    return ExitCode::kError;
  }
  if (overwrites_input(settings_)) return ExitCode::kUsage;
  OutputFile output;
  if (!output.open(settings_.output)) {
    report(output.error());
    return ExitCode::kError;
  }
  const std::unique_ptr<RowWriter> writer = make_writer(settings_.format, output);
  DedupRun run(settings_, options, reader, output, *writer);
  return run.run();
}

}  // namespace ndc
