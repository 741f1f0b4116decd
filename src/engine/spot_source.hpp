// The second source of candidates beside the fingerprints: groups whose representative has similar spot
// signatures (SpotSigs, SIGIR 2008; docs/spotsigs.md).
#pragma once

#include <cstdint>
#include <span>

#include "core/byte_stream.hpp"
#include "core/memory.hpp"
#include "core/result.hpp"
#include "engine/features.hpp"
#include "spotsigs/spot_index.hpp"
#include "store/layered_numbers.hpp"

namespace nd::engine {

struct SpotSourceParameters {
  uint32_t threshold = 100;  // similarity, in thousandths; the LCS decides, so far below a detector's
  uint32_t candidates = 8;   // most similar groups of a page
  uint32_t postings = 1024;  // documents looked at for a page
  uint64_t bytes = 256 * 1024 * 1024;  // of the index; beyond it the oldest representatives go. 0: no bound
};

// What one search works in. Threads: one search at a time.
struct SpotSearch {
  Vector<spotsigs::Spot> spots;
  spotsigs::SpotProbeScratch probe;

  uint64_t memory_bytes() const noexcept {
    return spots.capacity() * sizeof(spotsigs::Spot) + probe.memory_bytes();
  }
};

// Threads: any number of readers, or one writer.
class SpotSource {
 public:
  SpotSource(uint64_t secret, const SpotSourceParameters& parameters) noexcept;

  // The group's representative is this text from now on. What does not fit for want of memory is left out and
  // counted: the other source still knows the group. Cost: a table look-up a signature; now and then, by as
  // many insertions as there are documents, an epoch that looks at all.
  void put(uint64_t group, const Features& representative) noexcept;
  void remove(uint64_t group) noexcept { index_.remove(static_cast<uint32_t>(group)); }
  void prepare_removal(uint64_t) {}
  void write_state(ByteWriter&) const {}
  Result<void> read_state(ByteReader&) { return {}; }
  store::LayeredTable& documents() noexcept { return a_; }
  store::LayeredTable& sequences() noexcept { return b_; }
  store::LayeredTable& postings() noexcept { return c_; }
  store::LayeredTable& frequent() noexcept { return d_; }
  store::LayeredNumbers a_{1}, b_{1}, c_{1}, d_{1};

  // The groups whose similarity reaches the threshold, the most similar first; they live in `search`.
  // `limited` tells whether a limit cut.
  std::span<const spotsigs::SpotMatch> find(const Features& page, SpotSearch& search, bool& limited) const;

  uint64_t memory_bytes() const noexcept { return index_.memory_bytes(); }
  // At least memory_bytes(), and the same whatever the secret.
  uint64_t budget_bytes() const noexcept { return index_.budget_bytes(); }
  // Representatives that the byte budget, or want of memory, has left out or driven out.
  uint64_t dropped_count() const noexcept { return dropped_count_; }

 private:
  spotsigs::SpotIndex index_;
  Vector<spotsigs::Spot> spots_;  // of the representative being put
  uint64_t dropped_count_ = 0;
};

}  // namespace nd::engine
