// The second source of candidates beside the fingerprints: groups whose representative has similar spot
// signatures (SpotSigs, SIGIR 2008; docs/spotsigs.md).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "engine/features.hpp"
#include "spotsigs/spot_index.hpp"

namespace nd::engine {

struct SpotSourceParameters {
  uint32_t threshold = 100;  // similarity, in thousandths; the LCS decides, so far below a detector's
  uint32_t candidates = 8;   // most similar groups of a page
  uint32_t postings = 1024;  // documents looked at for a page
  uint64_t bytes = 256 * 1024 * 1024;  // of the index; beyond it the oldest representatives go. 0: no bound
};

// What one search works in.
using SpotSearch = spotsigs::SpotProbeScratch;

// Groups are named by their ids. Threads: any number of readers, or one writer.
class SpotSource {
 public:
  SpotSource(uint64_t secret, const SpotSourceParameters& parameters) noexcept;

  // The group's representative is this text from now on. What does not fit for want of memory is left out and
  // counted: the other source still knows the group; unless removal was prepared, it may then be found by its
  // last representative. Cost: a table look-up a signature; now and then, by as many insertions as there are
  // documents, an epoch that looks at all frequent signatures.
  void put(uint64_t group_id, const Features& representative) noexcept;
  // Takes into memory what remove() of the group changes. Throws std::bad_alloc; the content is as before.
  void prepare_removal(uint64_t group_id) { index_.prepare_removal(group_id); }
  // Nothing if the group is unknown. Does not allocate after prepare_removal() of the group.
  void remove(uint64_t group_id) noexcept { index_.remove(group_id); }

  // The groups whose similarity reaches the threshold, the most similar first; they live in `search`.
  // `limited` tells whether a limit cut.
  std::span<const spotsigs::SpotMatch> find(const Features& page, SpotSearch& search, bool& limited) const;

  uint64_t memory_bytes() const noexcept { return index_.memory_bytes(); }
  // The same whatever the secret, and wherever things stand.
  uint64_t content_bytes() const noexcept { return index_.content_bytes(); }
  // Representatives that the byte budget, or want of memory, has left out or driven out.
  uint64_t dropped_count() const noexcept { return dropped_count_; }

  // See SpotIndex.
  uint64_t passed_count() const noexcept { return index_.passed_count(); }

  // See SpotIndex::tables().
  std::array<store::LayeredTable*, 4> tables() noexcept { return index_.tables(); }
  // Appends what a snapshot must keep beside the tables.
  void write_state(Vector<uint8_t>& out) const;
  // After the tables were attached; all these bytes. Errors: kCorrupt, then nothing has changed.
  Result<void> restore(store::Bytes state);

 private:
  spotsigs::SpotIndex index_;
  uint64_t dropped_count_ = 0;
};

}  // namespace nd::engine
