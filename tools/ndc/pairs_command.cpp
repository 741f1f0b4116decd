#include "pairs_command.hpp"

#include <cmath>
#include <optional>

#include "archive_reader.hpp"
#include "command_options.hpp"
#include "output_file.hpp"
#include "output_place.hpp"
#include "pairs_run.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

constexpr size_t kMaxMemoryMegabytes = size_t{1} << 24;
constexpr double kThousand = 1000;
// What is left of a decimal fraction when it was read as a double.
constexpr double kRounding = 1e-9;

// The library counts thousandths, so that no pair hangs on how a fraction is rounded.
std::optional<uint32_t> thousandths(double threshold) {
  if (!(threshold >= 0 && threshold <= 1)) return std::nullopt;
  const double whole = std::round(threshold * kThousand);
  if (std::abs(threshold * kThousand - whole) > kRounding) return std::nullopt;
  return static_cast<uint32_t>(whole);
}

}  // namespace

CLI::App* PairsCommand::attach(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("pairs", "List all pairs of pages of WARC files that resemble each other");
  command->add_option("INPUT", settings_.inputs, kInputsHelp)->required()->type_name("");
  command->add_option("-o,--output", settings_.output, "Where the rows go; - for standard output")
      ->type_name("FILE")
      ->capture_default_str();
  command->add_option("--format", settings_.format, "A table, or one JSON object a line")
      ->check(one_of({"tsv", "jsonl"}))
      ->type_name("tsv|jsonl")
      ->capture_default_str();
  command->add_option("--detector", settings_.detector, "What scores a pair")
      ->check(one_of({"lcs", "spotsigs", "mwo", "simhash64", "simhash128"}))
      ->type_name("lcs|spotsigs|mwo|simhash64|simhash128")
      ->capture_default_str();
  command
      ->add_option("--threshold", settings_.threshold,
                   "The least score of a pair, 0 to 1 with at most three decimals; 0: any above 0")
      ->required()
      ->type_name("T");
  command->add_option("--threads", settings_.threads, "Worker threads; the rows do not depend on them")
      ->type_name("N")
      ->check(in_range(1, kMaxThreads))
      ->capture_default_str();
  command
      ->add_option("--memory", settings_.memory_mb,
                   "About how many megabytes of pages are held at once; the others wait in a temporary file")
      ->type_name("MB")
      ->check(in_range(1, kMaxMemoryMegabytes))
      ->capture_default_str();
  command->add_flag("--stats", settings_.stats, "Print counts to standard error at the end");
  add_page_rules(*command, settings_.rules);
  add_library_options(*command, settings_.library_options);
  command->footer(
      "One row a pair: url, earlier_url, score. Every page with those before it, in input order; no pair is\n"
      "missing. `lcs` compares pages that share a fingerprint or shingle key, or all text; --option "
      "relaxed=false:\na fingerprint. Its score is the resemblance.\n"
      "Exit codes: 0 done, 1 error, 2 wrong usage, 3 done, but damaged records were skipped.\n\n"
      "Examples:\n"
      "  ndc pairs --detector spotsigs --threshold 0.44 crawl.warc.gz -o pairs.tsv\n"
      "  ndc pairs --threshold 0.5 --threads 8 crawl-*.warc.gz | sort -t \"$(printf '\\t')\" -k3,3nr");
  return command;
}

ExitCode PairsCommand::run() const {
  const std::optional<uint32_t> threshold = thousandths(settings_.threshold);
  if (!threshold) {
    report("--threshold is a number from 0 to 1 with at most three decimals");
    return ExitCode::kUsage;
  }
  std::vector<std::string> library_settings = settings_.library_options;
  library_settings.push_back("detector=" + settings_.detector);
  const OptionsHandle options = make_library_options(library_settings);
  if (!options) return ExitCode::kUsage;
  ArchiveReader reader(settings_.inputs, settings_.rules.max_page_bytes, settings_.rules.limits);
  if (!reader.check()) {
    report(reader.error());
    return ExitCode::kError;
  }
  if (overwrites_input({settings_.output}, settings_.inputs)) return ExitCode::kUsage;
  OutputFile output;
  if (!output.open(settings_.output)) {
    report(output.error());
    return ExitCode::kError;
  }
  return PairsRun(settings_, options, *threshold, reader, output).run();
}

}  // namespace ndc
