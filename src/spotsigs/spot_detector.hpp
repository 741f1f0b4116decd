// SpotSigs as the paper runs it, on a whole collection: IDF band, join at tau, clusters.
#pragma once

#include <cstdint>

#include "core/memory.hpp"
#include "spotsigs/batch_join.hpp"
#include "spotsigs/document_frequencies.hpp"

namespace nd::spotsigs {

struct SpotDetection {
  Vector<SimilarPair> pairs;
  Vector<uint32_t> groups;  // by document, the first document of its group
  JoinCounts counts;
};

// Threads: one at a time. Throws std::bad_alloc only, and then holds what it held.
class SpotDetector {
 public:
  // `secret`: any number that the authors of pages do not know; no answer depends on it.
  SpotDetector(uint64_t secret, const JoinOptions& options, IdfBand band = kGoldSetBand) noexcept
      : options_(options), band_(band), frequencies_(secret) {}

  // Returns the number of the document, from 0. The vector is copied.
  uint32_t add(SpotVector spots);
  // Among all documents so far. A document of which the band leaves nothing has no pair.
  SpotDetection detect() const;

 private:
  JoinOptions options_;
  IdfBand band_;
  DocumentFrequencies frequencies_;
  Vector<Vector<Spot>> documents_;
};

}  // namespace nd::spotsigs
