// The complete SpotSigs join of a fixed collection, one document at a time, on as many threads as there are.
// docs/spotsigs.md, "The complete join", has the bounds and the measurements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/hash_map.hpp"
#include "core/memory.hpp"
#include "spotsigs/spot_vector.hpp"

namespace nd::spotsigs {

struct SpotJoinMatch {
  uint32_t document;
  Overlap overlap;
};

struct SpotJoinWork {
  uint64_t postings = 0;      // looked at
  uint64_t computations = 0;  // of similarities
};

// Keeps its largest size: four bytes per document. Threads: one search at a time.
struct SpotJoinScratch {
  struct Signature {
    std::span<const uint32_t> places;  // of its documents, ascending
    uint32_t count;
    uint64_t hash;
  };
  Vector<Signature> signatures;  // of the query document
  Vector<uint32_t> met;          // by place: the last search that has met the document there
  uint32_t search = 0;           // number of the current search
  SpotJoinWork work;             // of all searches
};

// Documents are numbered 0, 1, ... as they are added; below 2^32 - 1 of them. Indexing puts them in the order
// of their lengths, and the list of a signature has its documents in that order: those whose lengths can
// reach tau are one contiguous part of it.
//
// Threads: once indexed, any number of searches, each with a scratch of its own.
class SpotJoin {
 public:
  // Throws std::bad_alloc. `tau` in thousandths, 0..1000; 0 requires a common signature. `secret`: any number
  // that the authors of pages do not know; no answer depends on it.
  SpotJoin(uint64_t secret, uint32_t tau) : secret_(secret), tau_(tau), lists_(secret) {}

  // A document without signatures gets a number but is in no pair. Throws std::bad_alloc and has changed
  // nothing.
  void add(PackedSpots spots);

  // After the last add(). Throws std::bad_alloc; then it can be called again. Cost: O(s log s) for s
  // signatures of all documents.
  void index();

  // The documents before `before` with sim >= tau, ascending, exactly as brute force; replaces `out`. Throws
  // std::bad_alloc. Cost: the postings of the signatures, the rarest first, until the rest cannot reach tau;
  // a similarity for each document met.
  void find(PackedSpots spots, uint32_t before, SpotJoinScratch& scratch, Vector<SpotJoinMatch>& out) const;

  PackedSpots spots_of(uint32_t document) const noexcept {
    return std::span(spots_).subspan(begins_[document], begins_[document + 1] - begins_[document]);
  }
  uint32_t size() const noexcept { return static_cast<uint32_t>(begins_.size() - 1); }
  // Roughly the memory it holds once indexed.
  uint64_t content_bytes() const noexcept;

 private:
  class Search;

  uint64_t secret_;
  uint32_t tau_;
  Vector<PackedSpot> spots_;    // of all documents, consecutively
  Vector<size_t> begins_{0};    // by document; the last is the end
  Vector<uint32_t> documents_;  // by place
  Vector<uint64_t> lengths_;    // by place, ascending
  Vector<uint32_t> places_;     // of all lists
  Vector<size_t> list_begins_;  // by number of the list; the last is the end
  HashMap<uint64_t> lists_;     // from the signature to the number of its list, from 1
};

}  // namespace nd::spotsigs
