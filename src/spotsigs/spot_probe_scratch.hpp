// What a probe of the spot index returns, and the memory that it works in.
#pragma once

#include <cstdint>
#include <span>

#include "core/memory.hpp"
#include "spotsigs/spot_vector.hpp"

namespace nd::spotsigs {

struct SpotMatch {
  uint32_t slot;
  Overlap overlap;
};

struct SpotProbeWork {
  uint64_t touched = 0;   // postings looked at
  uint64_t skipped = 0;   // postings of the same lists that a bound of length ruled out unseen
  uint64_t computed = 0;  // similarities
  uint64_t steps = 0;     // signatures that they read, of both documents
};

struct SpotMatches {
  std::span<const SpotMatch> matches;
  bool limited = false;  // `postings` or `steps` cut: documents that reach tau may be missing
  bool more = false;     // more than `candidates` of those looked at reach tau: these are the best
  SpotProbeWork work;
};

// Keeps its largest size. Threads: one probe at a time.
class SpotProbeScratch {
 public:
  uint64_t memory_bytes() const noexcept {
    return kept_.capacity() * sizeof(Spot) + signatures_.capacity() * sizeof(Signature) +
           compared_.memory_bytes() + found_.capacity() * sizeof(Found) +
           matches_.capacity() * sizeof(SpotMatch);
  }

 private:
  friend class SpotIndex;

  struct Signature {
    uint64_t hash;
    uint64_t frequency;
    uint32_t entry;
    uint32_t count;
  };
  struct Found {
    SpotMatch match;
    uint64_t sequence;
  };

  // The set of slots already compared, emptied at no cost.
  class SlotSet {
   public:
    void clear() noexcept;
    bool add(uint32_t slot);  // false if it was there
    uint64_t memory_bytes() const noexcept { return places_.capacity() * sizeof(uint64_t); }

   private:
    void grow();
    Vector<uint64_t> places_;  // round and slot; a power of two, or none
    uint32_t round_ = 0;
    size_t used_ = 0;
  };

  Vector<Spot> kept_;  // of the probing document, what the epoch keeps
  Vector<Signature> signatures_;
  SlotSet compared_;
  Vector<Found> found_;
  Vector<SpotMatch> matches_;
};

}  // namespace nd::spotsigs
