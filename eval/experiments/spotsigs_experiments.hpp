// The parts of repeat_spotsigs (experiment.hpp): SpotSigs, "Experiments" and the summaries behind it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "collection.hpp"
#include "core/memory.hpp"
#include "core/result.hpp"
#include "joins/batch_join.hpp"
#include "spot_documents.hpp"
#include "table.hpp"

namespace nd::eval {

// tau in thousandths; .44 is where SpotSigs and LSH-S were best on the Gold Set.
inline constexpr std::array<uint32_t, 13> kSpotThresholds{100, 200, 300, 350, 400, 440, 500,
                                                          600, 700, 800, 900, 950, 1000};
inline constexpr std::array<uint32_t, 3> kSpotWorkThresholds{440, 700, 900};

// Of a larger collection so many pages, evenly spread: pairs are compared one by one. In the first their
// number bounds memory too, 8 million pairs of 24 bytes; in the second joins without pruning run 30 times.
inline constexpr uint32_t kThresholdPages = 4'000;
inline constexpr uint32_t kWorkPages = 2'000;

// SpotSigs and its competitors over tau, the IDF bands and the text, of `pages` pages at most.
Result<Table> spotsigs_thresholds(Collection& collection, uint32_t pages = kThresholdPages);

// The join with partitions and pruning on and off, and the partitions, of `pages` pages at most. Errors:
// kInternal if two joins differ.
Result<std::vector<Table>> spotsigs_work(Collection& collection, uint64_t seed, uint32_t pages = kWorkPages);

// One way to run the join.
struct JoinRun {
  bool use_partitions;
  bool use_pruning;
  double seconds;  // of CPU time, the median of the rounds
  spotsigs::JoinCounts counts;
};
// The four ways, turn by turn in each round, so that what else the machine does meets all alike; both on
// first, both off last. Errors: kInternal if they do not find the same pairs with the same overlaps.
Result<std::array<JoinRun, 4>> run_joins(std::span<const spotsigs::SpotVector> documents, uint32_t tau,
                                         uint32_t rounds);

// Partition k of SpotSigs, "Approximate Solution", with bounds by its rule.
struct PartitionSize {
  uint64_t from_length;
  uint64_t to_length;  // inclusive
  uint64_t documents;
};
// From length 1 to the longest document, empty partitions among them; documents of length 0 are in none.
std::vector<PartitionSize> partition_sizes(std::span<const spotsigs::SpotVector> documents, uint32_t tau);

// A larger collection like a given one, to time the join with. Three documents in four are new: as many
// different signatures as some given document, each as frequent as one drawn from all given documents, and
// new if that is of one document only; so lengths and frequencies are spread as they were, and rare
// signatures stay rare. The fourth is an earlier document without some of its signatures, each gone with a
// probability of 0 to 1/2. Depends on the arguments alone. Empty if nothing is given.
std::vector<SpotDocument> generated_spots(const std::vector<SpotDocument>& documents, size_t count,
                                          uint64_t seed);

}  // namespace nd::eval
