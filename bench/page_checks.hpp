// nd_check_page over many pages with a clock, on one thread or several: what all measurements of speed have
// in common.
#pragma once

#include <ndcapi.h>

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>

#include "machine_load.hpp"
#include "source_pages.hpp"

namespace ndc::bench {

struct Verdicts {
  std::array<uint64_t, ND_NO_TEXT + 1> counts{};
  uint64_t limited = 0;  // with ND_FLAG_LIMIT

  void add(const nd_result& result);
  void add(const Verdicts& other);
  uint64_t near_or_exact() const { return counts[ND_NEAR] + counts[ND_EXACT]; }
  nlohmann::json json() const;
};

// One call a page, in order. CPU seconds of the thread. Ends the process if a call fails.
double check_seconds(nd_engine* engine, std::span<const SourcePage> pages, Verdicts& verdicts);

struct ThreadedChecks {
  double wall_seconds = 0;  // from the first call of any thread to the last return
  double cpu_seconds = 0;   // of all threads
  // Of all threads: how often one gave its processor up, to wait for another (a lock, or memory of the
  // system's), and how often it was taken from one.
  uint64_t waits = 0, preemptions = 0;
  MachineLoad load;
  Verdicts verdicts;
};

// The same by several threads, each of which takes the next page when it is done with one.
ThreadedChecks check_in_threads(nd_engine* engine, std::span<const SourcePage> pages, unsigned threads);

}  // namespace ndc::bench
