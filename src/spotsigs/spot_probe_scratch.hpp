// The result of a probe of the spot index and its working memory, which a thread keeps from page to page.
#pragma once

#include <cstdint>
#include <span>

#include "core/memory.hpp"
#include "spotsigs/spot_vector.hpp"
#include "store/posting_table.hpp"

namespace nd::spotsigs {

struct SpotMatch {
  uint64_t id;
  Overlap overlap;
};

struct SpotProbeWork {
  uint64_t touched = 0;   // postings looked at
  uint64_t skipped = 0;   // postings skipped because the document is too short
  uint64_t computed = 0;  // similarities
  uint64_t steps = 0;     // signatures that they read, of both documents
};

struct SpotMatches {
  std::span<const SpotMatch> matches;
  bool limited = false;  // `postings` or `steps` was reached: documents that reach tau may be missing
  bool more = false;     // more than `candidates` of those looked at reach tau: these are the best
  SpotProbeWork work;
};

// Keeps its largest size. Threads: one probe at a time.
class SpotProbeScratch {
 public:
  // `secret`: any number that the authors of pages do not know; no answer depends on it.
  explicit SpotProbeScratch(uint64_t secret) noexcept : hits_(secret) {}

  // The work of the last probe: signatures looked up, postings and signatures read, slots of tables looked
  // at.
  uint64_t work() const noexcept { return work_; }

  uint64_t memory_bytes() const noexcept {
    return kept_.capacity() * sizeof(PackedSpot) + signatures_.capacity() * sizeof(Signature) +
           hits_.memory_bytes() + met_.capacity() * sizeof(uint64_t) + found_.capacity() * sizeof(Found) +
           matches_.capacity() * sizeof(SpotMatch);
  }

 private:
  friend class SpotIndex;

  struct Signature {
    store::PostingTable::List documents;
    uint64_t hash;
    uint32_t count;
  };
  struct Found {
    SpotMatch match;
    uint64_t sequence;
  };

  // A document in a list that was read.
  struct Hit {
    uint64_t posting;
    uint64_t shared;  // at most, with the query document, in the signatures whose lists were read
  };

  // The documents found in the lists, each once, in the order of their first hit; clearing costs nothing.
  class HitDocuments {
   public:
    explicit HitDocuments(uint64_t secret) noexcept : secret_(secret) {}
    void clear() noexcept;
    // Counts one more signature that the document of the posting has.
    void add(uint64_t posting, uint64_t shared);
    std::span<const Hit> all() const noexcept { return hits_; }
    // Slots that add() has looked at since clear().
    uint64_t probes() const noexcept { return probes_; }
    uint64_t memory_bytes() const noexcept {
      return places_.capacity() * sizeof(Place) + hits_.capacity() * sizeof(Hit);
    }

   private:
    // A place of an earlier round counts as empty.
    struct Place {
      uint64_t sequence;
      uint32_t round;
      uint32_t index;  // in hits_
    };
    Place& place_of(uint64_t sequence) noexcept;
    void grow();

    uint64_t secret_;
    Vector<Place> places_;  // a power of two, or none
    Vector<Hit> hits_;
    uint32_t round_ = 0;
    uint64_t probes_ = 0;
  };

  Vector<PackedSpot> kept_;  // signatures of the query document that count
  Vector<Signature> signatures_;
  HitDocuments hits_;
  Vector<uint64_t> met_;  // sequence numbers of the documents to be compared
  Vector<Found> found_;
  Vector<SpotMatch> matches_;
  uint64_t work_ = 0;
};

}  // namespace nd::spotsigs
