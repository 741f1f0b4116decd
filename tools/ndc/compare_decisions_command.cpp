#include "compare_decisions_command.hpp"

#include <unistd.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "archive_reader.hpp"
#include "command_options.hpp"
#include "decision_change_report.hpp"
#include "engine_pages.hpp"
#include "output_file.hpp"
#include "output_place.hpp"
#include "progress.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

// The same pages in two engines.
class TwoEngines final : public ComparedPages {
 public:
  TwoEngines(EngineHandle before, EngineHandle after)
      : before_(std::move(before)), after_(std::move(after)) {}

  // Both engines check the page. A page that one of them refuses is not compared.
  nd_status check(const ArchivePage& archived) {
    const nd_page page = library_page(archived);
    nd_result result = ND_RESULT_INIT;
    nd_status status = nd_check_page(before_.get(), &page, &result);
    if (status == ND_OK) status = nd_check_page(after_.get(), &page, &result);
    if (status != ND_OK) return status;
    const auto [place, added] = urls_.insert(archived.url);
    if (added) order_.push_back(&*place);
    return ND_OK;
  }

  // The groups as they are now, of the pages that both engines still have; how many are not among them.
  std::vector<GroupPair> groups(size_t& dropped) {
    std::vector<GroupPair> pairs;
    std::vector<const std::string*> kept;
    for (const std::string* each : order_) {
      nd_page_info before = ND_PAGE_INFO_INIT;
      nd_page_info after = ND_PAGE_INFO_INIT;
      if (!find(before_, *each, before) || !find(after_, *each, after)) continue;
      pairs.push_back({before.group_id, after.group_id});
      kept.push_back(each);
    }
    dropped = order_.size() - kept.size();
    order_ = std::move(kept);
    return pairs;
  }

  const std::string& url(size_t page) const override { return *order_[page]; }

  ComparedPage page(size_t page) const override {
    return {url(page), known(before_, url(page)), known(after_, url(page))};
  }

 private:
  static bool find(const EngineHandle& engine, const std::string& url, nd_page_info& info) {
    return nd_find_page(engine.get(), url.data(), url.size(), &info) == ND_OK;
  }

  static EnginePage known(const EngineHandle& engine, const std::string& url) {
    EnginePage page;
    nd_page_info info = ND_PAGE_INFO_INIT;
    if (!find(engine, url, info) || info.matched_page_id == 0) return page;
    page.representative = url_of(engine.get(), info.matched_page_id);
    page.resemblance = info.resemblance;
    page.containment = info.containment;
    return page;
  }

  EngineHandle before_;
  EngineHandle after_;
  std::unordered_set<std::string> urls_;
  std::vector<const std::string*> order_;  // in urls_: as they came, each once
};

// False after a message.
bool check_all(ArchiveReader& reader, const PageRules& rules, bool show_progress, TwoEngines& engines,
               ArchiveCounts& counts) {
  Progress progress(show_progress, reader.total_bytes());
  ArchiveItem item;
  while (read_page_or_damage(reader, rules, item, counts)) {
    if (item.outcome == PageOutcome::kPage) {
      const nd_status status = engines.check(item.page);
      const std::string failure = status == ND_OK ? "" : refuse_page(status, item);
      if (!failure.empty()) {
        progress.clear();
        report(failure);
        return false;
      }
      if (status != ND_OK) ++counts.damaged;
    }
    if (item.outcome == PageOutcome::kDamaged) {
      progress.clear();
      report_damage(item);
    }
    progress.update({counts.pages, counts.page_bytes, 0, reader.bytes_read()});
  }
  progress.clear();
  if (!reader.error().empty()) report(reader.error());
  return reader.error().empty();
}

}  // namespace

CLI::App* CompareDecisionsCommand::attach(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("compare-decisions", "Show which groups of WARC files change with option decision");
  command->add_option("INPUT", inputs_, kInputsHelp)->required()->type_name("");
  command->add_option("--from", from_, "Option decision before")
      ->type_name("DECISION")
      ->capture_default_str();
  command->add_option("--to", to_, "Option decision after")->type_name("DECISION")->capture_default_str();
  command->add_option("-o,--output", output_, "Where the changes go; - for standard output")
      ->type_name("FILE")
      ->capture_default_str();
  command->add_option("--format", format_, "A row for each page that changes, or a list for reading")
      ->check(one_of({"tsv", "text"}))
      ->type_name("tsv|text")
      ->capture_default_str();
  add_page_rules(*command, rules_);
  add_library_options(*command, library_options_);
  command->footer(
      "Two engines in memory check the same pages in the same order. Groups are compared by their pages, not "
      "by their\n"
      "ids; each is named by its first page, the one that is not left out. `ndc explain INPUT URL_A URL_B "
      "--option\n"
      "decision=DECISION` says why two pages belong together or do not.\n\n"
      "Examples:\n"
      "  ndc compare-decisions crawl.warc.gz -o changes.tsv\n"
      "  ndc compare-decisions --format text crawl-*.warc.gz | less\n"
      "  ndc compare-decisions --from report --to classic crawl.warc.gz");
  return command;
}

ExitCode CompareDecisionsCommand::run() const {
  if (!fits()) return ExitCode::kUsage;
  const OptionsHandle options_before = options_with("--from", from_);
  const OptionsHandle options_after = options_before ? options_with("--to", to_) : nullptr;
  if (!options_after) return ExitCode::kUsage;
  ArchiveReader reader(inputs_, rules_.max_page_bytes, rules_.limits);
  if (!reader.check()) {
    report(reader.error());
    return ExitCode::kError;
  }
  if (!are_separate({{"--output", output_}}, reader.read_paths())) return ExitCode::kUsage;
  OutputFile output;
  if (!output.open(output_)) {
    report(output.error());
    return ExitCode::kError;
  }
  EngineHandle before = open_engine(options_before);
  EngineHandle after = before ? open_engine(options_after) : nullptr;
  if (!after) return ExitCode::kError;
  TwoEngines engines(std::move(before), std::move(after));
  ArchiveCounts counts;
  const bool show_progress = is_terminal(STDERR_FILENO) && !output.is_shown_on_terminal();
  if (!check_all(reader, rules_, show_progress, engines, counts)) return ExitCode::kError;

  size_t dropped = 0;
  const PartitionChange change = compare_partitions(engines.groups(dropped));
  if (format_ == "text") {
    write_change_text(change, engines, output);
  } else {
    write_change_rows(change, engines, output);
  }
  const std::vector<std::string> summary = change_summary(change, from_, to_);
  for (const std::string& line : summary) {
    if (format_ == "text") output.write_line(line);
  }
  if (!output.close()) {
    report(output.error());
    return ExitCode::kError;
  }
  for (const std::string& line : summary) {
    if (format_ != "text") report(line);
  }
  if (dropped > 0)
    report(counted(dropped, "page") +
           " not compared: an engine has dropped what does not fit into its memory");
  return exit_code_of(counts);
}

bool CompareDecisionsCommand::fits() const {
  if (from_ == to_) {
    report("--from and --to are the same");
    return false;
  }
  const auto names_decision = [](const std::string& setting) { return setting.starts_with("decision="); };
  if (std::any_of(library_options_.begin(), library_options_.end(), names_decision)) {
    report("option decision is named by --from and --to");
    return false;
  }
  return true;
}

OptionsHandle CompareDecisionsCommand::options_with(const std::string& flag,
                                                    const std::string& decision) const {
  OptionsHandle options = make_library_options(library_options_);
  if (!options) return nullptr;
  const nd_status status = nd_options_set(options.get(), "decision", decision.c_str());
  if (status == ND_OK) return options;
  report(flag + " " + decision + ": " + library_failure(status));
  return nullptr;
}

}  // namespace ndc
