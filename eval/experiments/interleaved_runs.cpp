// Shuffles the pages of each round and runs every detector over them, with the seconds of each.
#include "interleaved_runs.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

#include "cpu_clock.hpp"
#include "even_draw.hpp"
#include "options/parameters.hpp"
#include "page/feature_builder.hpp"

namespace nd::eval {
namespace {

// Of round 0 the order of the archives.
std::vector<uint32_t> order_of_round(size_t pages, uint64_t seed, uint64_t round) {
  std::vector<uint32_t> order(pages);
  std::iota(order.begin(), order.end(), 0);
  if (round == 0) return order;
  std::mt19937_64 random(seed + round);
  for (size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[draw_below(i, random)]);
  return order;
}

// Not portable, as a check of a body makes the record: without what only others need.
Result<double> describing_seconds(Collection& collection, detectors::Method method) {
  const Result<const std::vector<text::Document>*> documents = collection.documents();
  if (!documents) return documents.failure();
  Result<engine::FeatureBuilder> builder = engine::FeatureBuilder::create(method);
  if (!builder) return std::move(builder).failure();
  const engine::Parameters parameters = parameters_of(method, Decider::kLcs);
  const double begin = process_cpu_seconds();
  for (size_t i = 0; i < collection.size(); ++i) {
    const Page& page = collection.pages()[i];
    const text::Document& document = (**documents)[i];
    builder->begin(document);
    builder->reuse(builder->finish({page.url, page.fetched_at_ms, page.body.size(), page.truncated}, document,
                                   {}, parameters, engine::RecordFor::kThisCheck));
  }
  return process_cpu_seconds() - begin;
}

std::vector<DetectorRun> runs_of(std::span<const detectors::Method> methods) {
  std::vector<DetectorRun> runs;
  for (const detectors::Method method : methods)
    for (const Decider decider : deciders_of(method))
      runs.push_back({method, decider, {}, {}, {}});
  return runs;
}

// One round of one method: its features, then each of its runs.
Result<void> run_method(Collection& collection, detectors::Method method, std::span<const uint32_t> order,
                        std::span<DetectorRun> runs, PassSeconds& describe) {
  const Result<double> described = describing_seconds(collection, method);
  if (!described) return described.failure();
  describe.rounds.push_back(*described);
  const Result<const std::vector<engine::Features>*> records = collection.features(method);
  if (!records) return records.failure();
  for (DetectorRun& run : runs) {
    if (run.method != method) continue;
    Result<EngineRun> done = check_records(**records, order, parameters_of(method, run.decider));
    if (!done) return std::move(done).failure();
    const bool is_first = run.search.rounds.empty();
    run.search.rounds.push_back(done->cpu_seconds);
    if (is_first)
      run.first = std::move(*done);
    else
      run.other_orders.push_back(std::move(done->groups));
  }
  collection.forget_features(method);
  return {};
}

}  // namespace

double PassSeconds::median() const {
  if (rounds.empty()) return 0;
  std::vector<double> sorted = rounds;
  std::ranges::sort(sorted);
  return sorted[sorted.size() / 2];
}

double PassSeconds::least() const {
  return rounds.empty() ? 0 : *std::ranges::min_element(rounds);
}

double PassSeconds::most() const {
  return rounds.empty() ? 0 : *std::ranges::max_element(rounds);
}

Result<InterleavedRuns> run_interleaved(Collection& collection, std::span<const detectors::Method> methods,
                                        uint64_t rounds, uint64_t seed) {
  InterleavedRuns done{runs_of(methods), std::vector<PassSeconds>(methods.size()), {}};
  for (uint64_t round = 0; round < rounds; ++round) {
    const std::vector<uint32_t> order = order_of_round(collection.size(), seed, round);
    const Result<double> read = reading_cpu_seconds(collection.pages());
    if (!read) return read.failure();
    done.read.rounds.push_back(*read);
    for (size_t i = 0; i < methods.size(); ++i) {
      if (Result<void> ran = run_method(collection, methods[i], order, done.runs, done.describe[i]); !ran)
        return std::move(ran).failure();
    }
  }
  return done;
}

}  // namespace nd::eval
