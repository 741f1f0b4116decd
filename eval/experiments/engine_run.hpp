// A crawl in memory: a new engine gets every page once, in the order of the archives.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "collection.hpp"
#include "core/result.hpp"
#include "engine/page_view.hpp"
#include "method/method.hpp"
#include "options/parameters.hpp"
#include "page/features.hpp"

namespace nd::eval {

// Who decides whether the pages that a method found are near-duplicates: option `decide`.
enum class Decider : uint32_t { kLcs = 0, kMethod = 1 };
std::string_view name_of(Decider decider) noexcept;
// Those that differ: the LCS decides on what it finds itself.
std::span<const Decider> deciders_of(detectors::Method method) noexcept;
// Whether option detector_threshold means anything to it.
bool has_threshold(detectors::Method method) noexcept;

// Defaults except for these. `threshold`: option detector_threshold, in the method's unit; 0: its default.
engine::Parameters parameters_of(detectors::Method method, Decider decider, uint32_t threshold = 0);

struct EngineRun {
  std::vector<uint64_t> groups;  // by page
  double cpu_seconds = 0;        // of the engine's calls, all of them together
  uint64_t candidates = 0;       // groups that were found, over all pages
  uint64_t verifications = 0;    // of them compared, by whoever decides
  engine::Sizes sizes{};         // when the last page was in
};

// One check of the raw body per page, as a crawler calls it. Errors: those of the engine, with the URL.
Result<EngineRun> check_bodies(std::span<const Page> pages, const engine::Parameters& parameters);
// The same with features made before, which are not copied: nothing is read, so that a run takes what search
// and decision take. The answers are those of check_bodies(). Errors: records of another method.
Result<EngineRun> check_records(std::span<const engine::Features> records,
                                const engine::Parameters& parameters);

// The same in another order: `order` has the number of each record once. The groups are by record, not by
// turn.
Result<EngineRun> check_records(std::span<const engine::Features> records, std::span<const uint32_t> order,
                                const engine::Parameters& parameters);

// CPU time of one pass of the text layer over all bodies: from bytes to weighted blocks, no features.
Result<double> reading_cpu_seconds(std::span<const Page> pages);

}  // namespace nd::eval
