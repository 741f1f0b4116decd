// Runs every detector over its thresholds, to see whether the default stands where F1 is best.
#include <algorithm>
#include <atomic>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "engine_run.hpp"
#include "experiment.hpp"
#include "score_cells.hpp"

namespace nd::eval {
namespace {

using detectors::Method;
using detectors::MethodInfo;

constexpr std::string_view kProbability = "probability";
// Nothing is timed here. Each engine keeps what it compares of all pages, so they are few.
constexpr size_t kEnginesAtOnce = 4;

// A point of a sweep; a method that knows only equal and unequal has one, without a threshold.
struct Point {
  Decider decider;
  engine::Parameters parameters;
  Cell threshold, share;
  std::string unit;
};

// From thresholds that accept nearly all that is found to ones that accept nearly nothing, closer where the
// sources put theirs.
std::vector<uint32_t> thresholds_of(Method method) {
  switch (method) {
    case Method::kSimhash64:
      return {48, 50, 52, 54, 56, 57, 58, 60, 61, 62, 64};
    case Method::kSimhash128:
      return {80, 84, 88, 92, 95, 100, 104, 110, 116, 122, 128};
    case Method::kMozVector:
      return {20, 32, 44, 56, 68, 80, 92, 104, 116, 125, 128};
    default:
      return {100, 200, 300, 400, 500, 600, 700, 800, 900, 950};
  }
}

template <typename Number>
void add_default(std::vector<Number>& ascending, Number standard) {
  const auto place = std::ranges::lower_bound(ascending, standard);
  if (place == ascending.end() || *place != standard) ascending.insert(place, standard);
}

std::vector<Point> points_of_lcs() {
  std::vector<double> thresholds = {.05, .1, .15, .2, .25, .35, .4, .5, .6, .75, .9};
  const engine::DecisionParameters standard;
  add_default(thresholds, standard.same_document);
  std::vector<Point> points;
  for (const double threshold : thresholds) {
    Point point{Decider::kLcs, parameters_of(Method::kLcs, Decider::kLcs), threshold, threshold,
                std::string(kProbability)};
    point.parameters.decision.same_document = threshold;
    points.push_back(std::move(point));
  }
  return points;
}

std::vector<Point> points_of(Method method) {
  if (method == Method::kLcs) return points_of_lcs();
  const MethodInfo& info = detectors::info_of(method);
  std::vector<uint32_t> thresholds;
  if (has_threshold(method)) {
    thresholds = thresholds_of(method);
    add_default(thresholds, info.threshold);
  }
  std::vector<Point> points;
  for (const Decider decider : deciders_of(method)) {
    if (thresholds.empty()) points.push_back({decider, parameters_of(method, decider), {}, {}, {}});
    for (const uint32_t threshold : thresholds) {
      points.push_back({decider, parameters_of(method, decider, threshold), uint64_t{threshold},
                        static_cast<double>(threshold) / static_cast<double>(info.whole),
                        std::string(info.unit)});
    }
  }
  return points;
}

// By point. `run`: Result<EngineRun> of a point, in any thread.
template <typename Run>
Result<std::vector<EngineRun>> run_all(const std::vector<Point>& points, Run run) {
  std::vector<std::optional<Result<EngineRun>>> results(points.size());
  std::atomic<size_t> next{0};
  std::vector<std::future<void>> workers;
  const size_t cores = std::max(1U, std::thread::hardware_concurrency());
  while (workers.size() < std::min({cores, points.size(), kEnginesAtOnce})) {
    workers.push_back(std::async(std::launch::async, [&] {
      for (size_t i = next++; i < points.size(); i = next++)
        results[i] = run(points[i]);
    }));
  }
  for (std::future<void>& worker : workers)
    worker.get();
  std::vector<EngineRun> runs;
  for (std::optional<Result<EngineRun>>& result : results) {
    if (!*result) return result->failure();
    runs.push_back(std::move(**result));
  }
  return runs;
}

Result<std::vector<EngineRun>> run_method(Collection& collection, Method method,
                                          const std::vector<Point>& points) {
  const Result<const std::vector<engine::Features>*> records = collection.features(method);
  if (!records) return records.failure();
  Result<std::vector<EngineRun>> runs =
      run_all(points, [&records](const Point& point) { return check_records(**records, point.parameters); });
  collection.forget_features(method);
  return runs;
}

Result<void> sweep(Collection& collection, Method method, Table& table) {
  const std::vector<Point> points = points_of(method);
  const Result<std::vector<EngineRun>> runs = run_method(collection, method, points);
  if (!runs) return runs.failure();
  for (size_t i = 0; i < points.size(); ++i) {
    std::vector<Cell> row = {std::string(detectors::info_of(method).name),
                             std::string(name_of(points[i].decider)), points[i].threshold, points[i].unit,
                             points[i].share};
    add_score_cells(score_groups(collection, (*runs)[i].groups), row);
    table.add_row(std::move(row));
  }
  return {};
}

}  // namespace

Result<std::vector<Table>> sweep_thresholds(Collection& collection, const Settings& settings) {
  std::vector<Column> columns = {
      {"detector", "", "option detector"},
      {"decide", "", "option decide: who says what of the candidates are near-duplicates"},
      {"threshold", "", "the least that must be equal; of lcs, option resemblance"},
      {"unit", "", "unit of the threshold"},
      {"share", "1", "the threshold as a share of what all equal would be"},
  };
  add_score_columns(columns);
  Table table("thresholds", "Precision and recall of each detector over its threshold", std::move(columns));
  for (const Method method : settings.methods) {
    if (const Result<void> done = sweep(collection, method, table); !done) return done.failure();
  }
  return std::vector{std::move(table)};
}

}  // namespace nd::eval
