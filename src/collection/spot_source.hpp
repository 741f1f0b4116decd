// The second source of candidates, after the fingerprints: groups whose representative has similar spot
// signatures (SpotSigs, SIGIR 2008; docs/spotsigs.md).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/memory.hpp"
#include "core/relaxed_counter.hpp"
#include "core/result.hpp"
#include "page/features.hpp"
#include "spotsigs/spot_index.hpp"

namespace nd::engine {

// Constants of the development corpora, and bounds on work (docs/decision.md, "Where the numbers come from").
struct SpotSourceParameters {
  uint32_t threshold = 100;  // similarity, in thousandths; far below a detector's, since the LCS decides
  uint32_t candidates = 8;   // most similar groups of a page
  uint32_t postings = 1024;  // documents looked at for a page
  spotsigs::IdfBand band = spotsigs::kOpenBand;  // of the detector spotsigs, too
  uint64_t bytes = 256 * 1024 * 1024;  // of the index; beyond it the oldest documents go. 0: no bound
};

// The working memory of one search.
using SpotSearch = spotsigs::SpotProbeScratch;

// Threads: any number of readers, or one writer; post() and release_replaced() while others read.
class SpotSource {
 public:
  SpotSource(uint64_t secret, const SpotSourceParameters& parameters) noexcept;

  void prefetch_for_change(const Features& page) const noexcept { index_.prefetch_for_change(page.spots()); }
  // Does most of a put() of an unknown group, while others read; that call, or unpost(), must follow next.
  void post(uint64_t group_id, const Features& representative) noexcept {
    index_.post(group_id, representative.spots());
  }
  void unpost() noexcept { index_.unpost(); }
  // See SpotIndex.
  void release_replaced() noexcept { index_.release_replaced(); }

  // Makes this text the group's representative. If memory is short, it is left out and counted: the other
  // source still knows the group. Unless its removal was prepared, the group may then still be found by its
  // last representative. Cost: a table look-up per signature; occasionally, after as many insertions as there
  // are documents, an epoch that examines all frequent signatures.
  void put(uint64_t group_id, const Features& representative) noexcept;
  // The same, given the signatures of that text in the table of texts, which keeps them as long as the group
  // is here.
  void put(uint64_t group_id, const spotsigs::SharedSpots& representative) noexcept;
  // Loads into memory what remove() of the group will change. Throws std::bad_alloc; the content stays the
  // same.
  void prepare_removal(uint64_t group_id) { index_.prepare_removal(group_id); }
  // Does nothing if the group is unknown. Does not allocate after prepare_removal() of the group.
  void remove(uint64_t group_id) noexcept { index_.remove(group_id); }

  // The groups whose similarity reaches the threshold, the most similar first. Valid until the next use of
  // `search`. `limited`: whether a limit cut the search short. `most_steps`: signatures that may be read; the
  // last document may exceed it.
  std::span<const spotsigs::SpotMatch> find(const Features& page, SpotSearch& search, bool& limited,
                                            uint64_t most_steps = UINT64_MAX) const;

  uint64_t memory_bytes() const noexcept { return index_.memory_bytes(); }
  // Does not depend on the secret or the layering.
  uint64_t content_bytes() const noexcept { return index_.content_bytes(); }
  // Documents that were left out or evicted because of the byte budget or lack of memory.
  uint64_t dropped_count() const noexcept { return dropped_count_; }
  // Counts a document that was left out before it came here.
  void count_dropped() noexcept { ++dropped_count_; }

  // See SpotIndex.
  uint64_t probe_count() const noexcept { return index_.probe_count(); }

  // See SpotIndex::tables().
  std::array<store::LayeredTable*, 4> tables() noexcept { return index_.tables(); }
  // Appends what a snapshot must store besides the tables.
  void write_state(Vector<uint8_t>& out) const;
  // Called after the tables were attached; `state` must contain nothing else. Errors: kCorrupt, with nothing
  // changed.
  Result<void> restore(store::Bytes state);

 private:
  void put_document(uint64_t group_id, spotsigs::PackedSpots spots,
                    const spotsigs::SharedSpots* shared = nullptr) noexcept;

  spotsigs::SpotIndex index_;
  RelaxedCounter<uint64_t> dropped_count_ = 0;
};

}  // namespace nd::engine
