// Every detector over the same pages, several times over: each round in another order of the pages, and in
// each round every detector once, so that what the machine does meanwhile falls on all of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collection.hpp"
#include "core/result.hpp"
#include "engine_run.hpp"
#include "method/method.hpp"

namespace nd::eval {

// CPU time of one pass over all pages. Nothing is the difference of two measurements.
struct PassSeconds {
  std::vector<double> rounds;

  double median() const;  // of an even number the upper one; 0 without a round
  double least() const;
  double most() const;
};

struct DetectorRun {
  detectors::Method method;
  Decider decider;
  EngineRun first;                                  // in the order of the archives
  std::vector<std::vector<uint64_t>> other_orders;  // the groups of the other rounds, by page
  PassSeconds search;                               // of search and decision, over finished features
};

struct InterleavedRuns {
  std::vector<DetectorRun> runs;      // by method, in their order, then by decider
  std::vector<PassSeconds> describe;  // by method: from blocks to what is kept of a page, as a check makes it
  PassSeconds read;                   // from bytes to weighted blocks
};

// `rounds` >= 1; the orders are drawn by `seed`, the first is that of the archives. Errors: what the library
// says.
Result<InterleavedRuns> run_interleaved(Collection& collection, std::span<const detectors::Method> methods,
                                        uint64_t rounds, uint64_t seed);

}  // namespace nd::eval
