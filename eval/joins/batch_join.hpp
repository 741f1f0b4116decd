// The SpotSigs join: every pair of a collection that reaches tau, by partitions of length and pruned inverted
// lists (SpotSigs, "SpotSigs Deduplication Algorithm").
#pragma once

#include <cstdint>
#include <span>

#include "core/memory.hpp"
#include "detectors/document_frequencies.hpp"
#include "spotsigs/spot_vector.hpp"

namespace nd::spotsigs {

// Groups of documents from the pairs that a join found.
//
// Two documents by their positions in the input, first < second.
struct SimilarPair {
  uint32_t first;
  uint32_t second;
  Overlap overlap;
};

// The connected components of the pairs: by document, the first document of its group (itself if it has no
// pair). Cost: nearly linear.
Vector<uint32_t> pair_groups(size_t documents, std::span<const SimilarPair> pairs);

// Partitions by document length (SpotSigs, "Partitioning the Collection" and "Approximate Solution"): p0 = 1;
// the next bound is the smallest p' with p' - p > (1 - tau) p'. Two documents that can reach tau are in the
// same partition or in neighbouring ones: with x in partition k, tau times the second bound after it is above
// x.
//
// Deviation: for tau = .7 the slide prints 1, 3, 6, 10, ..., 43, 59. That does not follow from its own rule,
// which gives 1, 2, 3, 5, 8, 12, 18, 26, 38, 55, 79; nor would it work: the lengths 42 and 59, which can
// reach 42/59 > .7, are two partitions apart. The code follows the rule.
uint64_t next_bound(uint64_t bound, uint32_t tau) noexcept;

// The partitions of the lengths up to `greatest_length`. The table has about 1000 / (1000 - tau) times the
// logarithm of that length entries; tau = 1000 needs no table: every length is a partition.
class Partitions {
 public:
  Partitions(uint32_t tau, uint64_t greatest_length);

  // The partition of a length 1..greatest_length, counted from 0.
  uint64_t of(uint64_t length) const noexcept;

 private:
  Vector<uint64_t> bounds_;  // partition k holds the lengths bounds_[k] <= length < bounds_[k + 1]
};

struct JoinOptions {
  uint32_t tau = 440;          // thousandths, 1..1000; .44: "Summary - Gold Set"
  bool use_partitions = true;  // off: one partition of everything
  bool use_pruning = true;     // off: every pair that shares a signature is compared
};

struct JoinCounts {
  uint64_t documents = 0;         // with a signature
  uint64_t partitions = 0;        // with a document
  uint64_t postings_touched = 0;  // looked at, including those skipped
  uint64_t postings_skipped = 0;  // of these, documents too long to be similar
  uint64_t lists_stopped = 0;     // whose reading a bound ended or prevented
  uint64_t computations = 0;      // of similarities
  uint64_t pairs = 0;
};

struct JoinResult {
  Vector<SimilarPair> pairs;  // ascending by first, second; each pair once
  JoinCounts counts;
};

// Exact: finds the pairs of brute force, whatever the options. A document of length 0 has no pair.
//
// A document looks up its signatures by ascending document frequency in its own partition and the right
// neighbour. delta1 is the mass of those already looked up: a document not met by then has none of them.
// delta2 is the difference of the lengths. With |dj| >= |di|, sim <= (|di| - delta1) / |dj|, so dj is skipped
// if delta1 + |dj| - |di| > (1 - tau) |dj|; and if delta1 > (1 - tau) |di| no list can hold a new pair.
//
// Deviation: documents are processed from the shortest to the longest, so every shorter document has already
// been compared with this one, and a list (longest first) is read up to the document itself. The slide reads
// on under delta1 + delta2 > (1 - tau) |di|, which is no bound for a shorter dj; the result is right only
// because dj has its own turn. It also sorts the lists by the signature's count, although its bound needs the
// document's length.
//
// Cost: O(M log M) for M distinct signatures of all documents, plus the work that JoinCounts counts.
JoinResult batch_join(std::span<const SpotVector> documents, const JoinOptions& options);

// SpotSigs as the paper runs it, on a whole collection: IDF band, join at tau, clusters.
struct SpotDetection {
  Vector<SimilarPair> pairs;
  Vector<uint32_t> groups;  // by document, the first document of its group
  JoinCounts counts;
};

// Threads: one at a time. Throws only std::bad_alloc; the content is then the same as before.
class SpotDetector {
 public:
  // `secret`: any number that the authors of pages do not know; no answer depends on it.
  SpotDetector(uint64_t secret, const JoinOptions& options, IdfBand band = kGoldSetBand) noexcept
      : options_(options), band_(band), frequencies_(secret) {}

  // Returns the number of the document, from 0. The vector is copied.
  uint32_t add(SpotVector spots);
  // The groups of all documents so far. A document with no signature in the band has no pair.
  SpotDetection detect() const;

 private:
  JoinOptions options_;
  IdfBand band_;
  DocumentFrequencies frequencies_;
  Vector<Vector<Spot>> documents_;
};

}  // namespace nd::spotsigs
