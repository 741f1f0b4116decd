#include <algorithm>
#include <array>
#include <string>
#include <unordered_set>
#include <utility>

#include "engine_run.hpp"
#include "experiment.hpp"
#include "score_cells.hpp"

namespace nd::eval {
namespace {

// Passes that only read, spread over the experiment: the first before it, the last behind it.
constexpr size_t kReadingPasses = 3;

struct DetectorRun {
  detectors::Method method;
  Decider decider;
  EngineRun run;
};

std::vector<Column> columns() {
  std::vector<Column> columns = {
      {"detector", "", "option detector"},
      {"decide", "", "option decide: who says what of the candidates are near-duplicates"},
      {"threshold", "", "the least that must be equal for the detector: its default, in its own unit"},
      {"unit", "", "unit of the threshold"},
      {"pages", "pages", "that were checked, scored or not"},
      {"groups", "groups", "that they are in"},
  };
  add_score_columns(columns);
  columns.insert(
      columns.end(),
      {{"cpu_ms_a_page", "ms", "CPU time of a check: reading, features, search and decision"},
       {"read_ms_a_page", "ms",
        "of it from bytes to weighted blocks, measured alone; the median of three passes"},
       {"read_ms_a_page_least", "ms", "the fastest of these passes"},
       {"read_ms_a_page_most", "ms", "the slowest: what both differ by is noise of the machine"},
       {"pages_per_second", "pages", "checked in a second of CPU time"},
       {"candidates_a_page", "groups", "that the search found"},
       {"verifications_a_page", "groups", "of these compared"},
       {"index_bytes_a_page", "bytes",
        "of what the search looks in; with decide=lcs the frames of sites that were learnt as well"},
       {"features_bytes_a_page", "bytes", "of what is kept to compare with"}});
  return columns;
}

double a_page(double total, size_t pages) {
  return pages == 0 ? 0.0 : total / static_cast<double>(pages);
}

Table tabulate(const Collection& collection, const std::vector<DetectorRun>& runs,
               const std::array<double, kReadingPasses>& reading_seconds) {
  Table table("detectors", "What each detector finds with its default threshold, and what that costs",
              columns());
  const size_t pages = collection.size();
  std::array<double, kReadingPasses> reading_ms;
  std::ranges::transform(reading_seconds, reading_ms.begin(),
                         [pages](double seconds) { return a_page(1e3 * seconds, pages); });
  std::ranges::sort(reading_ms);
  for (const auto& [method, decider, run] : runs) {
    const detectors::MethodInfo& info = detectors::info_of(method);
    const auto share = [pages](uint64_t total) { return a_page(static_cast<double>(total), pages); };
    std::vector<Cell> row = {
        std::string(info.name),
        std::string(name_of(decider)),
        has_threshold(method) ? Cell(uint64_t{info.threshold}) : Cell(),
        std::string(info.unit),
        uint64_t{pages},
        uint64_t{std::unordered_set<uint64_t>(run.groups.begin(), run.groups.end()).size()}};
    add_score_cells(score_groups(collection, run.groups), row);
    row.insert(row.end(),
               {a_page(1e3 * run.cpu_seconds, pages), reading_ms[kReadingPasses / 2], reading_ms.front(),
                reading_ms.back(), run.cpu_seconds > 0 ? static_cast<double>(pages) / run.cpu_seconds : 0.0,
                share(run.candidates), share(run.verifications), share(run.sizes.bytes_index),
                share(run.sizes.bytes_features)});
    table.add_row(std::move(row));
  }
  return table;
}

}  // namespace

Result<std::vector<Table>> compare_detectors(Collection& collection, const Settings& settings) {
  const std::span<const Page> pages = collection.pages();
  std::array<double, kReadingPasses> reading_seconds{};
  size_t passes = 0;
  const auto read = [&]() -> Result<void> {
    Result<double> seconds = reading_cpu_seconds(pages);
    if (!seconds) return std::move(seconds).failure();
    reading_seconds[passes++] = *seconds;
    return {};
  };
  std::vector<DetectorRun> runs;
  for (size_t i = 0; i < settings.methods.size(); ++i) {
    if (i == 0 || i == settings.methods.size() / 2)
      if (Result<void> done = read(); !done) return std::move(done).failure();
    const detectors::Method method = settings.methods[i];
    for (const Decider decider : deciders_of(method)) {
      Result<EngineRun> run = check_bodies(pages, parameters_of(method, decider));
      if (!run) return std::move(run).failure();
      runs.push_back({method, decider, std::move(*run)});
    }
  }
  while (passes < kReadingPasses)
    if (Result<void> done = read(); !done) return std::move(done).failure();
  return std::vector{tabulate(collection, runs, reading_seconds)};
}

}  // namespace nd::eval
