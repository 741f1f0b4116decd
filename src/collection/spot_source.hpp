// The second source of candidates, after the fingerprints: groups whose representative has similar spot
// signatures, or to which a member has added similar ones (SpotSigs, SIGIR 2008; docs/spotsigs.md).
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
  uint32_t members = 4;      // of a group that add signatures to those of its representative
  spotsigs::IdfBand band = spotsigs::kOpenBand;  // of the detector spotsigs, too
  uint64_t bytes = 256 * 1024 * 1024;  // of the index; beyond it the oldest documents go. 0: no bound
};

// The working memory of one search.
using SpotSearch = spotsigs::SpotProbeScratch;

// The owner of a match: a group by its representative, or a page by what it added to its group.
struct SpotOwner {
  static constexpr uint64_t kMember = uint64_t{1} << 63;  // beyond all ids

  explicit constexpr SpotOwner(uint64_t document_id) noexcept
      : id(document_id & ~kMember), is_member((document_id & kMember) != 0) {}
  uint64_t id;
  bool is_member;
};

// Threads: any number of readers, or one writer; post(), post_member() and release_replaced() while others
// read.
class SpotSource {
 public:
  SpotSource(uint64_t secret, const SpotSourceParameters& parameters) noexcept;

  void prefetch_for_change(const Features& page) const noexcept { index_.prefetch_for_change(page.spots()); }
  // Does most of a put() or put_member() of an unknown group or page, while others read; that call, or
  // unpost(), must follow next.
  void post(uint64_t group_id, const Features& representative) noexcept {
    index_.post(group_id, representative.spots());
  }
  void post_member(uint64_t page_id, const Features& member, spotsigs::PackedSpots representative) noexcept;
  void unpost() noexcept {
    index_.unpost();
    posted_member_ = 0;
  }
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

  // The same for a member: it is found by those of its signatures that the representative lacks, if there are
  // enough of them. A member that put_member() left out is not known.
  void put_member(uint64_t page_id, const Features& member, spotsigs::PackedSpots representative) noexcept;
  // The same after post_member(). False if that was for another page.
  bool put_posted_member(uint64_t page_id) noexcept;
  void prepare_member_removal(uint64_t page_id) { index_.prepare_removal(page_id | SpotOwner::kMember); }
  void remove_member(uint64_t page_id) noexcept { index_.remove(page_id | SpotOwner::kMember); }
  bool has_member(uint64_t page_id) const noexcept { return index_.contains(page_id | SpotOwner::kMember); }

  // The documents whose similarity reaches the threshold, the most similar first; SpotOwner decodes their
  // ids. Valid until the next use of `search`. `limited`: whether a limit cut the search short. `most_steps`:
  // signatures that may be read; the last document may exceed it.
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
  void put_document(uint64_t document_id, spotsigs::PackedSpots spots,
                    const spotsigs::SharedSpots* shared = nullptr) noexcept;

  spotsigs::SpotIndex index_;
  RelaxedCounter<uint64_t> dropped_count_ = 0;
  // Used only by the thread that changes the source: what a posted member has beyond its representative.
  uint64_t posted_member_ = 0;
  Vector<PackedSpot> posted_spots_;
};

}  // namespace nd::engine
