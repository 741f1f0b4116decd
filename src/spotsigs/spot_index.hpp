// The incremental SpotSigs index finds the earlier documents that are similar to a given one. Exact as long
// as no limit is hit; docs/spotsigs.md has the bounds and their proof.
#pragma once

#include <array>
#include <cstdint>

#include "core/memory.hpp"
#include "spotsigs/idf_band.hpp"
#include "spotsigs/signature_set.hpp"
#include "spotsigs/spot_document.hpp"
#include "spotsigs/spot_index_state.hpp"
#include "spotsigs/spot_probe_scratch.hpp"
#include "spotsigs/spot_vector.hpp"
#include "store/layered_numbers.hpp"
#include "store/layered_records.hpp"
#include "store/posting_table.hpp"

namespace nd::spotsigs {

struct SpotIndexParameters {
  uint32_t tau = 440;                // thousandths, 1..1000
  IdfBand band = kOpenBand;          // signatures outside it do not count from the first epoch on
  uint64_t frequent_documents = 64;  // at least 1; below it no signature is too frequent for the band
  uint64_t epoch_documents = 4096;   // insertions before the first epoch is due
  uint64_t bytes = 0;                // budget of content_bytes(); 0: none
  uint64_t postings = 1 << 14;       // that a probe looks at, at most; 0: no limit
  uint32_t candidates = 64;          // that a probe returns, at most; 0: no limit
  // Signatures of both documents that the similarities of a probe may read; the last pair of documents may
  // exceed it. 0: no limit.
  uint64_t steps = 1 << 21;
};

struct SpotIndexCounts {
  uint64_t documents = 0;
  uint64_t signatures = 0;       // distinct
  uint64_t evicted = 0;          // documents, by the budget, since the beginning
  uint64_t refused = 0;          // insertions that indexed nothing
  uint64_t epoch = 0;            // 0: none yet, every signature counts
  uint64_t epoch_documents = 0;  // when it began
  uint64_t dropped = 0;          // signatures that the epoch leaves out as too frequent
};

// Kept in four layered tables, so that it can be part of a store. Answers depend only on the parameters and
// the calls, not on the secret or on how the content is spread over layers.
//
// Threads: any number of probes, each with a scratch of its own, or one writer; post() and release_replaced()
// may run during probes.
class SpotIndex {
 public:
  static constexpr uint64_t kGreatestSequence = SpotIndexState::kGreatestSequence;

  // `secret`: any number that the authors of pages do not know; no answer depends on it.
  SpotIndex(uint64_t secret, const SpotIndexParameters& parameters) noexcept
      : parameters_(parameters),
        documents_(secret),
        sequences_(secret),
        postings_(secret),
        frequent_(secret) {}

  // Prefetches the memory where a probe for these signatures begins.
  void prefetch(PackedSpots spots) const noexcept {
    for (const PackedSpot packed : spots)
      postings_.prefetch(spot_of(packed).hash);
  }
  // The same for what an insertion changes first.
  void prefetch_for_change(PackedSpots spots) const noexcept {
    for (const PackedSpot packed : spots)
      postings_.prefetch_for_change(spot_of(packed).hash);
  }
  // Does most of a coming insertion of this document while probes run; until the insertion they find no
  // document for its postings. The rest is left to insert(), and so is everything if memory is short or the
  // document is refused. The next change of the index must be this insertion, or unpost().
  void post(uint64_t id, PackedSpots spots) noexcept;
  // Undoes post() if the insertion does not follow. Does not allocate.
  void unpost() noexcept;
  // Frees memory that probes may have read during post(), after they have finished.
  void release_replaced() noexcept { postings_.release_replaced(); }

  struct Inserted {
    bool indexed;
    uint64_t evicted;  // documents removed to make room, the oldest first
  };
  // Refuses, with `indexed` false, an empty vector, an id in use, a document that would take more than an
  // eighth of the budget, and more than kGreatestSequence insertions in all. Throws std::bad_alloc and has
  // changed no document. Cost: O(|spots|) table look-ups, also for each document evicted; a list in a run is
  // copied at its first change. `shared`: the same signatures, if another owner keeps them for longer than
  // the document is in the index.
  Inserted insert(uint64_t id, PackedSpots spots, const SharedSpots* shared = nullptr);

  // Loads into memory what remove() of the id will change. Throws std::bad_alloc; the content stays the same.
  void prepare_removal(uint64_t id);
  // False if the id is unknown. Does not allocate after prepare_removal() of the id.
  bool remove(uint64_t id) noexcept;
  bool contains(uint64_t id) const noexcept { return sequences_.find(id) != 0; }

  // The documents with sim >= tau over the signatures that count, best first, older first among equals. The
  // spans are valid until the next use of the scratch. `most_steps`: the lesser of this and
  // SpotIndexParameters::steps applies. Throws std::bad_alloc.
  SpotMatches probe(PackedSpots spots, SpotProbeScratch& scratch, uint64_t most_steps = UINT64_MAX) const;

  // The similarity of any two vectors, over the signatures that count now. Cost: O(|a| + |b|) look-ups.
  Overlap similarity(PackedSpots a, PackedSpots b) const noexcept;

  // Whether at least as many documents have been inserted since the last epoch as it began with.
  bool epoch_due() const noexcept;
  // Decides again, by the current N and df, which signatures are too frequent to count. Throws std::bad_alloc
  // and has changed nothing. Cost: a look-up for each signature of frequent_documents / 2 documents or more.
  void start_epoch();

  // The size of the layers in memory: exact, without what the allocator adds.
  uint64_t memory_bytes() const noexcept;
  // What the budget counts: a fixed charge for each document and each of its signatures, in memory or on
  // disk.
  uint64_t content_bytes() const noexcept;
  SpotIndexCounts counts() const noexcept;
  // Since the index was created: signatures posted and removed, slots and postings examined, moved or copied
  // for that, documents searched for by age, and signatures that epochs looked up.
  uint64_t probe_count() const noexcept { return probe_count_ + postings_.probe_count(); }

  // The state at this moment, for the snapshot for which the tables are being frozen. Throws std::bad_alloc.
  SpotIndexState state() const;
  // After the tables were attached. Throws std::bad_alloc and has changed nothing.
  void restore(const SpotIndexState& state);
  // Always in this order: documents by sequence number, sequence numbers by id, postings, frequent
  // signatures.
  std::array<store::LayeredTable*, 4> tables() noexcept {
    return {&documents_, &sequences_, &postings_, &frequent_};
  }

 private:
  class Probe;

  uint64_t frequency(uint64_t hash) const noexcept { return postings_.find(hash).size(); }
  bool keeps(uint64_t hash) const noexcept;
  bool keeps_all() const noexcept { return dropped_.size() == 0 && least_frequency_ == 0; }
  bool too_large(PackedSpots spots) const noexcept;
  void pass_absent() noexcept;
  uint64_t first_document(uint64_t from);
  Vector<uint64_t> prepare_eviction(uint64_t added_bytes, uint64_t& oldest);
  void prepare(uint64_t sequence);
  bool may_insert(uint64_t id, PackedSpots spots) noexcept;
  bool is_posted(uint64_t id) const noexcept { return posted_.sequence != 0 && posted_.id == id; }
  void add_document(uint64_t sequence, SpotDocument document);
  void add_postings(PackedSpots spots, uint64_t posting);
  void remove_postings(PackedSpots spots, uint64_t posting) noexcept;
  void remove_document(uint64_t sequence) noexcept;
  void decide_least_frequency() noexcept;

  SpotIndexParameters parameters_;
  store::LayeredRecords<SpotDocument> documents_;
  store::LayeredNumbers sequences_;
  store::PostingTable postings_;    // a sequence number and the document's length, ascending
  store::LayeredNumbers frequent_;  // only the keys matter; see docs/spotsigs.md
  SignatureSet dropped_;            // by the epoch
  uint64_t least_frequency_ = 0;    // of a signature that counts, at the time of the probe
  uint64_t last_sequence_ = 0;
  uint64_t oldest_sequence_ = 1;
  uint64_t inserted_since_epoch_ = 0;
  SpotIndexCounts counts_;
  uint64_t probe_count_ = 0;

  // The part of an insertion that post() has done. Used only by the thread that changes the index, never by
  // probes.
  struct Posted {
    uint64_t id = 0;
    uint64_t sequence = 0;  // 0: nothing is posted
    uint64_t posting = 0;
    Vector<PackedSpot> spots;
    Vector<PackedSpot> left;    // signatures left to insert()
    Vector<uint64_t> frequent;  // hashes that have become frequent by it
  };
  Posted posted_;
};

}  // namespace nd::spotsigs
