// w-shingling (Broder, Glassman, Manasse, Zweig, 1997): the set of all runs of w words of a text. The
// similarity of two texts is the Jaccard similarity of their sets.
#pragma once

#include <cstdint>
#include <span>

#include "baselines/keyed_records.hpp"
#include "core/memory.hpp"

namespace nd::baselines {

struct ShingleParameters {
  uint32_t words = 5;         // w; five-grams as in Fetterly et al., 2003 (MWO, section 2)
  uint32_t shingles = 16384;  // kept per page: those with the smallest hashes
  uint32_t threshold = 500;   // thousandths 1..1000
};

// Distinct, ascending.
using ShingleSet = Vector<uint64_t>;

// Replaces `out` by the shingles of a text, given the hashes of its words in order; a text of fewer than w
// words is one shingle, and a text without words has none. True if some were cut. Cost: O(w n + n log n).
bool make_shingles(std::span<const uint32_t> words, const ShingleParameters& parameters, ShingleSet& out);

// Jaccard as a fraction.
struct SetOverlap {
  uint64_t shared;
  uint64_t united;
  double jaccard() const noexcept {
    return united == 0 ? 0 : static_cast<double>(shared) / static_cast<double>(united);
  }
  bool reaches(uint32_t threshold) const noexcept {
    return united != 0 && shared * 1000 >= united * threshold;
  }
};
SetOverlap set_overlap(std::span<const uint64_t> a, std::span<const uint64_t> b) noexcept;

// Finds exactly the sets with Jaccard >= threshold. Only the first |s| - ceil(threshold |s|) + 1 shingles of
// a set are looked up (prefix filter: Chaudhuri, Ganti, Kaushik, 2006; Bayardo, Ma, Srikant, 2007). Shingles
// are ordered by hash, so the first ones are as good as any. Threads: as KeyedRecords.
class ShingleIndex {
 public:
  ShingleIndex(uint64_t secret, const ShingleParameters& parameters, const Limits& limits) noexcept
      : parameters_(parameters), records_(secret, limits) {}

  // As KeyedRecords::insert(); an empty set is refused.
  bool insert(uint64_t id, std::span<const uint64_t> shingles);
  bool remove(uint64_t id) noexcept { return records_.remove(id); }
  Matches find(std::span<const uint64_t> shingles) const;

  Counts counts() const noexcept { return records_.counts(); }
  uint64_t probe_count() const noexcept { return records_.probe_count(); }
  uint64_t memory_bytes() const noexcept { return records_.memory_bytes(); }
  uint64_t content_bytes() const noexcept { return records_.content_bytes(); }

 private:
  struct Record {
    ShingleSet shingles;
    uint64_t memory_bytes() const noexcept { return shingles.capacity() * sizeof(uint64_t); }
    uint64_t content_bytes() const noexcept { return shingles.size() * sizeof(uint64_t); }
    uint64_t compared_bytes() const noexcept { return content_bytes(); }
  };
  std::span<const uint64_t> prefix(std::span<const uint64_t> shingles) const noexcept;

  ShingleParameters parameters_;
  KeyedRecords<Record> records_;
};

// Min-hash in bands (Broder et al., 2000; Indyk and Motwani, 1998): a sketch of a set of shingles. The
// probability that the sketches of two sets agree at a place is the Jaccard similarity of the sets.
struct MinHashParameters {
  uint32_t rows = 6;         // k: min-hashes of a band
  uint32_t bands = 32;       // l; k and l as for LSH-S (SpotSigs, "Summary - Gold Set")
  uint32_t threshold = 500;  // least share of equal min-hashes, in thousandths; 0: all that share a band
};

// rows x bands values; empty for an empty set.
using MinHashSketch = Vector<uint64_t>;

// Stable: the permutations are fixed. Cost: rows x bands x |shingles|.
void make_sketch(std::span<const uint64_t> shingles, const MinHashParameters& parameters, MinHashSketch& out);

// The share of equal values, an estimate of the Jaccard with a standard deviation of at most
// 1 / (2 sqrt(rows x bands)). 0 if either is empty or they have different lengths.
double sketch_score(std::span<const uint64_t> a, std::span<const uint64_t> b) noexcept;

// Finds a set of Jaccard similarity s with probability 1 - (1 - s^k)^l, and returns it if the estimate
// reaches the threshold. The shingles themselves are not stored. Threads: as KeyedRecords.
class MinHashIndex {
 public:
  MinHashIndex(uint64_t secret, const MinHashParameters& parameters, const Limits& limits) noexcept
      : parameters_(parameters), records_(secret, limits) {}

  // As KeyedRecords::insert(); a sketch that was made with other parameters is refused.
  bool insert(uint64_t id, std::span<const uint64_t> sketch);
  bool remove(uint64_t id) noexcept { return records_.remove(id); }
  Matches find(std::span<const uint64_t> sketch) const;

  Counts counts() const noexcept { return records_.counts(); }
  uint64_t probe_count() const noexcept { return records_.probe_count(); }
  uint64_t memory_bytes() const noexcept { return records_.memory_bytes(); }
  uint64_t content_bytes() const noexcept { return records_.content_bytes(); }

 private:
  struct Record {
    MinHashSketch sketch;
    uint64_t memory_bytes() const noexcept { return sketch.capacity() * sizeof(uint64_t); }
    uint64_t content_bytes() const noexcept { return sketch.size() * sizeof(uint64_t); }
    uint64_t compared_bytes() const noexcept { return content_bytes(); }
  };
  Vector<uint64_t> band_keys(std::span<const uint64_t> sketch) const;

  MinHashParameters parameters_;
  KeyedRecords<Record> records_;
};

}  // namespace nd::baselines
