// What a search of the MWO index returns, and the memory that it works in.
#pragma once

#include <cstdint>
#include <span>

#include "core/memory.hpp"
#include "mwo/overlap_filters.hpp"

namespace nd::mwo {

struct MwoMatch {
  uint64_t id;
  uint32_t overlap;  // MWO in units of kShareUnit
  friend bool operator==(const MwoMatch&, const MwoMatch&) = default;
};

struct MwoWork {
  uint64_t looked_up = 0;   // terms of the page, and slots that those of its prefix were looked for in
  uint64_t postings = 0;    // looked at
  uint64_t candidates = 0;  // documents that share a term of both prefixes (the set C)
  uint64_t verified = 0;    // of them, those that the positional filter leaves (the set M)
  uint64_t steps = 0;       // terms read by the verifications, of both pages
  uint64_t sum() const noexcept { return looked_up + postings + candidates + steps; }
};

struct MwoMatches {
  std::span<const MwoMatch> matches;
  bool limited = false;  // `postings` or `steps` cut: documents that reach t may be missing
  bool more = false;     // more than `matches` of those verified reach t: these are the best
  MwoWork work;
};

// Keeps its largest size. Threads: one search at a time.
class MwoScratch {
 public:
  uint64_t memory_bytes() const noexcept {
    return placed_.capacity() * sizeof(PlacedTerm) + hits_.capacity() * sizeof(Hit) +
           candidates_.capacity() * sizeof(Candidate) + found_.capacity() * sizeof(Found) +
           matches_.capacity() * sizeof(MwoMatch);
  }

 private:
  friend class MwoIndex;

  // A term in the prefixes of both pages.
  struct Hit {
    uint32_t document;
    uint32_t shared;  // the smaller share
    uint32_t behind;  // what the pages can share of the terms behind it
    bool fits;        // by the positional filter as published
  };
  struct Candidate {
    uint32_t document;
    uint32_t shared;  // so far
  };
  struct Found {
    MwoMatch match;
    uint32_t document;
  };

  Vector<PlacedTerm> placed_;
  Vector<Hit> hits_;
  Vector<Candidate> candidates_;
  Vector<Found> found_;
  Vector<MwoMatch> matches_;
};

}  // namespace nd::mwo
