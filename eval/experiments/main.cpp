// `ndc eval`: every method over the same labelled pages, and the experiments of the documents that ndc
// implements (eval/README.md). The command line execs this program, which sees the inside of the library.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collection.hpp"
#include "drawing.hpp"
#include "exit_code.hpp"
#include "experiment.hpp"
#include "run_record.hpp"

namespace {

using nd::Result;
using nd::eval::Collection;
using nd::eval::Experiment;
using nd::eval::Table;
using ndc::ExitCode;

// In the order of the page that is drawn. The first is always run, the others with --sweep.
constexpr Experiment kExperiments[] = {
    {"detectors", nd::eval::compare_detectors},
    {"thresholds", nd::eval::sweep_thresholds},
    {"lcs", nd::eval::repeat_lcs_partition},
    {"spotsigs", nd::eval::repeat_spotsigs},
    {"moz", nd::eval::repeat_moz},
    {"mwo", nd::eval::repeat_mwo},
};

constexpr uint64_t kMostPages = 10'000'000;
constexpr uint64_t kMostPairs = 100'000'000;
constexpr uint64_t kMostOrders = 100;

struct Arguments {
  nd::eval::CollectionSettings input;
  nd::eval::Settings settings;
  std::vector<std::string> detectors;
  std::vector<std::string> experiments;
  std::string folder = "ndc-eval";
  bool sweep = false;
  bool resume = false;
  bool no_figures = false;
};

void report(const std::string& text) {
  std::fprintf(stderr, "ndc: %s\n", text.c_str());
}

std::vector<std::string> names_of_methods() {
  std::vector<std::string> names;
  for (uint32_t number = 0; number < nd::detectors::kMethods; ++number)
    names.emplace_back(nd::detectors::info_of(static_cast<nd::detectors::Method>(number)).name);
  return names;
}

std::vector<std::string> names_of_experiments() {
  std::vector<std::string> names;
  for (const Experiment& experiment : kExperiments)
    names.emplace_back(experiment.name);
  return names;
}

// In the order of their numbers; all if none is named.
std::vector<nd::detectors::Method> methods_of(const std::vector<std::string>& wanted) {
  std::vector<nd::detectors::Method> methods;
  const std::vector<std::string> names = names_of_methods();
  for (uint32_t number = 0; number < names.size(); ++number) {
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), names[number]) != wanted.end())
      methods.push_back(static_cast<nd::detectors::Method>(number));
  }
  return methods;
}

bool is_wanted(const Experiment& experiment, const Arguments& arguments) {
  const auto& named = arguments.experiments;
  if (!named.empty()) return std::find(named.begin(), named.end(), experiment.name) != named.end();
  return arguments.sweep || &experiment == std::begin(kExperiments);
}

std::vector<std::string> wanted_of(const Arguments& arguments) {
  std::vector<std::string> wanted;
  for (const Experiment& experiment : kExperiments)
    if (is_wanted(experiment, arguments)) wanted.emplace_back(experiment.name);
  return wanted;
}

void report_collection(const Collection& collection) {
  const auto count = [](uint64_t number, const char* what) {
    if (number != 0) report(std::to_string(number) + " " + what);
  };
  report(std::to_string(collection.size()) + " pages, " + std::to_string(collection.scored_count()) +
         " of them scored" + (collection.silver() ? " by the groups of the default engine" : ""));
  count(collection.unlabelled(), "pages without a label: in no score");
  count(collection.absent_labels(), "labels without a page");
  count(collection.repeated_urls(), "pages left out: their URL came before");
  count(collection.damaged_records(), "damaged records skipped");
}

// False after a message.
bool is_done(const Result<void>& result) {
  if (!result) report(std::string(std::string_view(result.failure().message)));
  return static_cast<bool>(result);
}

// Writes the tables of each experiment as soon as it is done, and the record, so that an interrupted run can
// be drawn and resumed. False: one failed.
bool run_experiments(const Arguments& arguments, Collection& collection, nd::eval::RunRecord& record) {
  if (!is_done(record.write(arguments.folder))) return false;
  for (const Experiment& experiment : kExperiments) {
    if (!is_wanted(experiment, arguments)) continue;
    if (record.is_finished(experiment.name)) {
      report(std::string(experiment.name) + " was finished before");
      continue;
    }
    report(std::string("running ") + experiment.name);
    const auto begin = std::chrono::steady_clock::now();
    const Result<std::vector<Table>> tables = experiment.run(collection, arguments.settings);
    if (!tables) {
      report(std::string(experiment.name) + ": " + std::string(std::string_view(tables.failure().message)));
      return false;
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::vector<std::string> names;
    for (const Table& table : *tables) {
      if (!is_done(table.write(arguments.folder))) return false;
      names.push_back(table.name());
    }
    record.add_finished(experiment.name, seconds, std::move(names));
    if (!is_done(record.write(arguments.folder))) return false;
  }
  return true;
}

// False after a message.
bool is_scored(const Collection& collection) {
  if (collection.size() == 0) {
    report("no page in the archives");
  } else if (collection.unlabelled() == collection.size()) {
    report("no page has a label: the labels are of other pages");
  } else if (collection.scored_count() == 0) {
    report("no page is scored: all have the kind " + std::string(nd::eval::kUnscoredKind));
  }
  return collection.scored_count() != 0;
}

// False after a message.
bool prepare_folder(const Arguments& arguments) {
  const std::filesystem::path folder = arguments.folder;
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) {
    report("cannot make the folder " + folder.string() + ": " + failed.message());
    return false;
  }
  // What an earlier run said of its tables is not true of those that are written from here on.
  if (!arguments.resume) std::filesystem::remove(folder / "run.json", failed);
  std::filesystem::remove(folder / "index.html", failed);
  return true;
}

ExitCode run(const Arguments& arguments) {
  Result<Collection> collection = Collection::read(arguments.input);
  if (!collection) {
    report(std::string(std::string_view(collection.failure().message)));
    return ExitCode::kError;
  }
  report_collection(*collection);
  if (!is_scored(*collection) || !prepare_folder(arguments)) return ExitCode::kError;
  nd::eval::RunRecord record(arguments.input, arguments.settings, wanted_of(arguments), *collection);
  if (arguments.resume && !is_done(record.resume(arguments.folder))) return ExitCode::kError;
  if (!run_experiments(arguments, *collection, record)) return ExitCode::kError;
  report("tables in " + arguments.folder);
  if (!arguments.no_figures && !nd::eval::draw_figures(arguments.folder)) return ExitCode::kError;
  return collection->damaged_records() == 0 ? ExitCode::kDone : ExitCode::kSkipped;
}

ExitCode parse_and_run(int argc, char** argv) {
  Arguments arguments;
  CLI::App app("Measure every method on labelled pages, and draw what was found.", "ndc eval");
  app.add_option("LABELS", arguments.input.labels,
                 "Table with a head of url and group, perhaps kind and site, separated by tabs; - for none: "
                 "the groups of the default engine stand for labels")
      ->required()
      ->type_name("");
  app.add_option("WARC", arguments.input.archives, "WARC files, gzip or plain")->required()->type_name("");
  app.add_option("--detectors", arguments.detectors, "Only these, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(names_of_methods()))
      ->type_name("NAME,...");
  app.add_flag("--sweep", arguments.sweep,
               "Also the curves over each threshold, and the experiments of the documents");
  app.add_option("--experiments", arguments.experiments, "Only these, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(names_of_experiments()))
      ->type_name("NAME,...");
  app.add_option("-o,--output", arguments.folder, "Folder for the tables and the page of figures")
      ->type_name("DIR")
      ->capture_default_str();
  app.add_option("--pages", arguments.input.pages_limit, "Read so many pages; 0: all. All are kept in memory")
      ->check(CLI::Range(uint64_t{0}, kMostPages))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--pairs", arguments.settings.pairs, "Page pairs in the histogram of Moz, at most")
      ->check(CLI::Range(uint64_t{1}, kMostPairs))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--orders", arguments.settings.orders,
                 "Orders of the pages in which detectors are compared: that of the archives, and random ones")
      ->check(CLI::Range(uint64_t{1}, kMostOrders))
      ->type_name("N")
      ->capture_default_str();
  app.add_flag(
      "--resume", arguments.resume,
      "Go on where an interrupted run into DIR with the same arguments stopped: what it finished is kept");
  app.add_option("--seed", arguments.settings.seed, "Of every sample and order")
      ->type_name("N")
      ->capture_default_str();
  app.add_flag("--no-figures", arguments.no_figures, "Only the tables");
  app.footer(
      "Writes DIR/NAME.tsv and DIR/NAME.json for each table, DIR/run.json, and, if Python has matplotlib,\n"
      "DIR/index.html with all figures, as SVG and PNG in DIR/figures. Tables and run.json are written after "
      "each\n"
      "experiment, so what an interrupted run finished can be drawn, and resumed.\n"
      "Exit codes: 0 done, 1 error, 2 wrong usage, 3 done, but damaged records were skipped.\n\n"
      "Examples:\n"
      "  ndc eval labels.tsv pages.warc.gz\n"
      "  ndc eval labels.tsv pages.warc.gz --sweep -o figures\n"
      "  ndc eval labels.tsv pages.warc.gz --sweep -o figures --resume\n"
      "  ndc eval - crawl.warc.gz --pages 20000 --experiments detectors,moz");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& stopped) {
    return app.exit(stopped) == 0 ? ExitCode::kDone : ExitCode::kUsage;
  }
  arguments.settings.methods = methods_of(arguments.detectors);
  return run(arguments);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return static_cast<int>(parse_and_run(argc, argv));
  } catch (const std::exception& failure) {
    report(failure.what());
    return static_cast<int>(ExitCode::kError);
  }
}
