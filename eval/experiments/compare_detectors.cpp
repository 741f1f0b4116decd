// Tables of quality and time of all detectors over the same pages, for the choice of one.
#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>

#include "detector_errors.hpp"
#include "experiment.hpp"
#include "f1_interval.hpp"
#include "interleaved_runs.hpp"
#include "score_cells.hpp"

namespace nd::eval {
namespace {

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
      {{"f1_low", "1", "lower end of the interval of F1: bootstrap over the label groups, 95 %"},
       {"f1_high", "1", "its upper end"},
       {"orders", "orders",
        "of the pages: that of the archives, which all other columns are of, and random ones"},
       {"f1_mean", "1", "F1, mean over the orders"},
       {"f1_least", "1", "F1 in the worst order"},
       {"f1_most", "1", "F1 in the best order"},
       {"cpu_ms_a_page", "ms", "CPU time of a check: the sum of the next three"},
       {"read_ms_a_page", "ms",
        "from bytes to weighted blocks; as the next two, the median of a pass in each order"},
       {"describe_ms_a_page", "ms", "from blocks to what is kept of the page"},
       {"search_ms_a_page", "ms",
        "of search and decision, over finished features; where the boilerplate of a site is known, the keys "
        "of the "
        "LCS "
        "are made anew for it"},
       {"own_ms_a_page_least", "ms", "the least that describing and search took together in any order"},
       {"own_ms_a_page_most", "ms", "the most: what both differ by is the order and the machine"},
       {"pages_per_second", "pages", "checked in a second of CPU time"},
       {"candidates_a_page", "groups", "that the search found"},
       {"verifications_a_page", "groups", "of these compared"},
       {"index_bytes_a_page", "bytes",
        "of what the search looks in; with decide=lcs the boilerplate of sites that was learnt as well"},
       {"features_bytes_a_page", "bytes", "of what is kept to compare with"}});
  return columns;
}

double a_page(double total, size_t pages) {
  return pages == 0 ? 0.0 : total / static_cast<double>(pages);
}

// Cells of the columns from f1_low to f1_most.
void add_spread_cells(const Collection& collection, const DetectorRun& run, uint64_t seed,
                      std::vector<Cell>& row) {
  const std::vector<PageTruth> truths = truths_of(collection);
  const std::optional<Interval> interval = f1_interval(truths, run.first.groups, seed);
  std::vector<double> found;
  const auto add = [&](std::span<const uint64_t> groups) {
    found.push_back(score_groups(truths, groups).all.f1());
  };
  add(run.first.groups);
  std::ranges::for_each(run.other_orders, add);
  if (!interval) {
    row.insert(row.end(), {Cell(), Cell(), uint64_t{found.size()}, Cell(), Cell(), Cell()});
    return;
  }
  double sum = 0;
  for (const double f1 : found)
    sum += f1;
  row.insert(row.end(),
             {interval->low, interval->high, uint64_t{found.size()}, sum / static_cast<double>(found.size()),
              *std::ranges::min_element(found), *std::ranges::max_element(found)});
}

// Milliseconds a page of both steps together, by round.
PassSeconds own_ms(const PassSeconds& describe, const PassSeconds& search, size_t pages) {
  PassSeconds own;
  for (size_t i = 0; i < search.rounds.size(); ++i)
    own.rounds.push_back(a_page(1e3 * (describe.rounds[i] + search.rounds[i]), pages));
  return own;
}

std::vector<Cell> row_of(const Collection& collection, const DetectorRun& run, const PassSeconds& read,
                         const PassSeconds& describe, uint64_t seed) {
  const detectors::MethodInfo& info = detectors::info_of(run.method);
  const size_t pages = collection.size();
  const EngineRun& first = run.first;
  std::vector<Cell> row = {
      std::string(info.name),
      std::string(name_of(run.decider)),
      has_threshold(run.method) ? Cell(uint64_t{info.threshold}) : Cell(),
      std::string(info.unit),
      uint64_t{pages},
      uint64_t{std::unordered_set<uint64_t>(first.groups.begin(), first.groups.end()).size()}};
  add_score_cells(score_groups(collection, first.groups), row);
  add_spread_cells(collection, run, seed, row);
  const PassSeconds own = own_ms(describe, run.search, pages);
  const double read_ms = a_page(1e3 * read.median(), pages);
  const double describe_ms = a_page(1e3 * describe.median(), pages);
  const double search_ms = a_page(1e3 * run.search.median(), pages);
  const double cpu_ms = read_ms + describe_ms + search_ms;
  const auto share = [pages](uint64_t total) { return a_page(static_cast<double>(total), pages); };
  row.insert(row.end(), {cpu_ms, read_ms, describe_ms, search_ms, own.least(), own.most(),
                         cpu_ms > 0 ? 1e3 / cpu_ms : 0.0, share(first.candidates), share(first.verifications),
                         share(first.sizes.bytes_index), share(first.sizes.bytes_features)});
  return row;
}

}  // namespace

Result<std::vector<Table>> compare_detectors(Collection& collection, const Settings& settings) {
  Result<InterleavedRuns> done =
      run_interleaved(collection, settings.methods, settings.orders, settings.seed);
  if (!done) return std::move(done).failure();
  Table table("detectors", "What each detector finds with its default threshold, and what that costs",
              columns());
  DetectorErrors errors;
  const std::vector<uint64_t>* groups_of_default = nullptr;
  size_t method = 0;
  for (const DetectorRun& run : done->runs) {
    while (settings.methods[method] != run.method)
      ++method;
    table.add_row(row_of(collection, run, done->read, done->describe[method], settings.seed));
    errors.add(detectors::info_of(run.method).name, name_of(run.decider), collection.pages(),
               run.first.groups);
    if (run.method == detectors::Method::kLcs) groups_of_default = &run.first.groups;
  }
  std::vector<Table> tables = {std::move(table), errors.table()};
  if (groups_of_default != nullptr) {
    Result<Table> pairs = default_errors(collection, *groups_of_default);
    if (!pairs) return std::move(pairs).failure();
    tables.push_back(*std::move(pairs));
  }
  return tables;
}

}  // namespace nd::eval
