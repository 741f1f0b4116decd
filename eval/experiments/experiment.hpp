// The input and the output of an experiment: a collection and settings go in, tables come out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "collection.hpp"
#include "core/result.hpp"
#include "method/method.hpp"
#include "table.hpp"

namespace nd::eval {

struct Settings {
  std::vector<detectors::Method> methods;  // --detectors, in the order of their numbers
  uint64_t pairs = 2'000'000;              // --pairs: page pairs of the histogram, at most
  uint64_t seed = 1;                       // --seed: of every sample and order
  uint64_t orders = 3;                     // --orders: of the archives first, the others by chance; 1 or more
};

// Named as the document that it repeats, or after what it compares.
struct Experiment {
  const char* name;
  // What it writes is described in eval/README.md. Throws std::bad_alloc.
  Result<std::vector<Table>> (*run)(Collection& collection, const Settings& settings);
};

// Precision, recall, cost of every detector, and what it does wrong: tables `detectors`, `detector_errors`,
// `default_errors`.
Result<std::vector<Table>> compare_detectors(Collection& collection, const Settings& settings);
// The same over the threshold: table `thresholds`.
Result<std::vector<Table>> sweep_thresholds(Collection& collection, const Settings& settings);
// TR2007012, figures 5, 6 and 7 and section 5.4: tables `lcs_fingerprints`, `lcs_windows`, `lcs_slopes`,
// `lcs_against`, `lcs_sampled_sets`, `lcs_templates`.
Result<std::vector<Table>> repeat_lcs_partition(Collection& collection, const Settings& settings);
// SpotSigs: tables `spotsigs_thresholds`, `spotsigs_work`, `spotsigs_partitions`.
Result<std::vector<Table>> repeat_spotsigs(Collection& collection, const Settings& settings);
// Moz: tables `moz_histogram`, `moz_quadrants`, `moz_pairs`, `moz_thresholds`, `moz_speed`.
Result<std::vector<Table>> repeat_moz(Collection& collection, const Settings& settings);
// MWO: tables `mwo_filters`, `mwo_thresholds`.
Result<std::vector<Table>> repeat_mwo(Collection& collection, const Settings& settings);

}  // namespace nd::eval
