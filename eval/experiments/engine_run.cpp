// Opens an engine for a detector and a threshold and checks every page, by bodies or by records.
#include "engine_run.hpp"

#include <array>
#include <utility>

#include "cpu_clock.hpp"
#include "engine/engine.hpp"
#include "text/page_reader.hpp"

namespace nd::eval {
namespace {

constexpr std::array kDeciders = {Decider::kLcs, Decider::kMethod};

std::span<const uint8_t> body_bytes(const std::string& body) {
  return {reinterpret_cast<const uint8_t*>(body.data()), body.size()};
}

// `check`: gives the answer to page i.
template <typename Check>
Result<EngineRun> run(size_t pages, const engine::Parameters& parameters, Check&& check) {
  Result<Owned<engine::Engine>> engine = engine::Engine::open(parameters);
  if (!engine) return std::move(engine).failure();
  EngineRun done;
  done.groups.reserve(pages);
  const double begin = process_cpu_seconds();
  for (size_t i = 0; i < pages; ++i) {
    Result<engine::Answer> answer = check(**engine, i);
    if (!answer) return std::move(answer).failure();
    done.groups.push_back(answer->group_id);
  }
  done.cpu_seconds = process_cpu_seconds() - begin;
  done.candidates = (*engine)->counters().candidates;
  done.verifications = (*engine)->counters().verifications;
  done.sizes = (*engine)->sizes();
  return done;
}

Error of_page(std::string_view url, const Error& failure) {
  return error(failure.status, url, ": ", failure.message);
}

// The record outlives the call, and the engine keeps a record of its own.
Result<engine::Answer> check_record(engine::Engine& engine, const engine::Features& record) {
  Result<engine::Features> view = engine::Features::view(record.bytes(), nullptr);
  if (!view) return of_page(record.url(), view.failure());
  Result<engine::Answer> answer = engine.check_features(std::move(*view));
  if (!answer) return of_page(record.url(), answer.failure());
  return answer;
}

}  // namespace

std::string_view name_of(Decider decider) noexcept {
  return decider == Decider::kLcs ? "lcs" : "method";
}

std::span<const Decider> deciders_of(detectors::Method method) noexcept {
  return std::span(kDeciders).first(method == detectors::Method::kLcs ? 1 : kDeciders.size());
}

bool has_threshold(detectors::Method method) noexcept {
  return detectors::info_of(method).most != 0;
}

engine::Parameters parameters_of(detectors::Method method, Decider decider, uint32_t threshold) {
  engine::Parameters parameters;
  parameters.detector.method = static_cast<uint32_t>(method);
  parameters.detector.decide = static_cast<uint32_t>(decider);
  parameters.detector.threshold = threshold;
  return parameters;
}

Result<EngineRun> check_bodies(std::span<const Page> pages, const engine::Parameters& parameters) {
  return run(pages.size(), parameters, [&](engine::Engine& engine, size_t i) -> Result<engine::Answer> {
    const Page& page = pages[i];
    Result<engine::Answer> answer = engine.check(
        {page.url, body_bytes(page.body), page.content_type, page.fetched_at_ms, page.truncated});
    if (!answer) return of_page(page.url, answer.failure());
    return answer;
  });
}

Result<EngineRun> check_records(std::span<const engine::Features> records,
                                const engine::Parameters& parameters) {
  return run(records.size(), parameters,
             [&](engine::Engine& engine, size_t i) { return check_record(engine, records[i]); });
}

Result<EngineRun> check_records(std::span<const engine::Features> records, std::span<const uint32_t> order,
                                const engine::Parameters& parameters) {
  Result<EngineRun> done = run(records.size(), parameters, [&](engine::Engine& engine, size_t turn) {
    return check_record(engine, records[order[turn]]);
  });
  if (!done) return done;
  std::vector<uint64_t> by_record(records.size());
  for (size_t turn = 0; turn < order.size(); ++turn)
    by_record[order[turn]] = done->groups[turn];
  done->groups = std::move(by_record);
  return done;
}

Result<double> reading_cpu_seconds(std::span<const Page> pages) {
  Result<text::PageReader> reader = text::PageReader::create();
  if (!reader) return std::move(reader).failure();
  const text::PageLimits limits;
  text::Document document;
  const double begin = process_cpu_seconds();
  for (const Page& page : pages) {
    const Result<void> read =
        reader->read(page.url, body_bytes(page.body), page.content_type, limits, document);
    if (!read) return of_page(page.url, read.failure());
  }
  return process_cpu_seconds() - begin;
}

}  // namespace nd::eval
