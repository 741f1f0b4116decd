#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "engine_run.hpp"
#include "experiment.hpp"
#include "score_cells.hpp"

namespace nd::eval {
namespace {

using detectors::Method;
using detectors::MethodInfo;

constexpr std::string_view kResemblance = "resemblance";

// A point of a sweep; a method that knows only equal and unequal has one, without a threshold.
struct Point {
  engine::Parameters parameters;
  Cell threshold, unit, share;
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
  add_default(thresholds, engine::DecisionParameters{}.resemblance);
  std::vector<Point> points;
  for (const double threshold : thresholds) {
    Point point{parameters_of(Method::kLcs, Decider::kLcs), threshold, std::string(kResemblance), threshold};
    point.parameters.decision.resemblance = threshold;
    points.push_back(std::move(point));
  }
  return points;
}

std::vector<Point> points_of(Method method, Decider decider) {
  if (method == Method::kLcs) return points_of_lcs();
  if (!has_threshold(method)) return {{parameters_of(method, decider), {}, {}, {}}};
  const MethodInfo& info = detectors::info_of(method);
  std::vector<uint32_t> thresholds = thresholds_of(method);
  add_default(thresholds, info.threshold);
  std::vector<Point> points;
  for (const uint32_t threshold : thresholds) {
    points.push_back({parameters_of(method, decider, threshold), uint64_t{threshold}, std::string(info.unit),
                      static_cast<double>(threshold) / static_cast<double>(info.whole)});
  }
  return points;
}

Result<void> sweep(Collection& collection, Method method, Table& table) {
  const Result<const std::vector<engine::Features>*> records = collection.features(method);
  if (!records) return records.failure();
  for (const Decider decider : deciders_of(method)) {
    for (const Point& point : points_of(method, decider)) {
      const Result<EngineRun> run = check_records(**records, point.parameters);
      if (!run) return run.failure();
      std::vector<Cell> row = {std::string(detectors::info_of(method).name), std::string(name_of(decider)),
                               point.threshold, point.unit, point.share};
      add_score_cells(score_groups(collection, run->groups), row);
      table.add_row(std::move(row));
    }
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
    const Result<void> done = sweep(collection, method, table);
    collection.forget_features(method);
    if (!done) return done.failure();
  }
  return std::vector{std::move(table)};
}

}  // namespace nd::eval
