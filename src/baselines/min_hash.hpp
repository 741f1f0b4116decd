// Min-hash in bands (Broder et al., 2000; Indyk and Motwani, 1998): a sketch of a set of shingles, in which
// two sets agree at a place with the probability of their Jaccard.
#pragma once

#include <cstdint>
#include <span>

#include "baselines/keyed_records.hpp"
#include "core/memory.hpp"

namespace nd::baselines {

struct MinHashParameters {
  uint32_t rows = 6;         // k: min-hashes of a band
  uint32_t bands = 32;       // l; k and l as LSH-S has them (SpotSigs, "Summary - Gold Set")
  uint32_t threshold = 500;  // least share of equal min-hashes, in thousandths; 0: all that share a band
};

// rows x bands values; none of an empty set.
using MinHashSketch = Vector<uint64_t>;

// Stable: the permutations are fixed. Cost: rows x bands x |shingles|.
void make_sketch(std::span<const uint64_t> shingles, const MinHashParameters& parameters, MinHashSketch& out);

// The share of equal values, an estimate of the Jaccard with a standard deviation of at most
// 1 / (2 sqrt(rows x bands)). 0 if either is empty or they have different lengths.
double sketch_score(std::span<const uint64_t> a, std::span<const uint64_t> b) noexcept;

// Finds a set of Jaccard s with the probability 1 - (1 - s^k)^l, and keeps it if the estimate reaches the
// threshold; no shingles are kept. Threads: as KeyedRecords.
class MinHashIndex {
 public:
  MinHashIndex(uint64_t secret, const MinHashParameters& parameters, const Limits& limits) noexcept
      : parameters_(parameters), records_(secret, limits) {}

  // A sketch of these parameters; else refused. As KeyedRecords::insert().
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
