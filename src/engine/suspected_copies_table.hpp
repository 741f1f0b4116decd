// Pairs of groups that were kept apart only because their site was young (docs/merging.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/memory.hpp"
#include "core/use_order.hpp"
#include "store/layered_records.hpp"

namespace nd::engine {

struct MergeParameters {
  bool enabled = true;
  uint32_t pairs = 65536;      // noted at once; beyond it those of the sites not seen for longest are dropped
  uint32_t verifications = 8;  // after a page, for all of merging
};

// Written to files as it is in memory.
struct SuspectedPair {
  static constexpr uint64_t kNever = UINT64_MAX;

  uint64_t older;
  uint64_t younger;
  uint64_t version;          // of the site's model when the representatives were compared last
  uint64_t witness_version;  // the same with a witness; kNever: there was none
};
static_assert(sizeof(SuspectedPair) == 32);

// A record of a LayeredRecords by the hash of the site.
struct SuspectedCopiesRecord {
  struct View {
    uint64_t last_use;
    std::span<const SuspectedPair> pairs;  // least recently compared first
  };
  uint64_t last_use = 0;
  Vector<SuspectedPair> pairs;

  View view() const noexcept { return {last_use, pairs}; }
  static std::optional<View> parse(store::Bytes bytes) noexcept;
  static SuspectedCopiesRecord copy(const View& view) {
    return {view.last_use, {view.pairs.begin(), view.pairs.end()}};
  }
  void write(Vector<uint8_t>& out) const;
  uint64_t memory_bytes() const noexcept { return pairs.capacity() * sizeof(SuspectedPair); }
};

// The same calls give the same pairs, whatever layers they are in. Threads: any number of readers, or one
// writer.
class SuspectedCopiesTable {
 public:
  static constexpr size_t kPairsOfSite = 32;

  struct State {
    uint64_t pair_count = 0;
    uint64_t clock = 0;
  };

  // `secret`: see NumberMap.
  SuspectedCopiesTable(uint64_t secret, const MergeParameters& parameters) noexcept
      : parameters_(parameters), secret_(secret), sites_(secret), order_(secret ^ 1) {}

  // Returns how many others were forgotten for it. A known pair stays unchanged. Losing a pair for lack of
  // memory is better than failing the page.
  uint64_t note(uint64_t site, uint64_t group_a, uint64_t group_b, uint64_t version) noexcept;
  std::span<const SuspectedPair> pairs(uint64_t site) const noexcept;
  // Called when the groups were compared, with or without a witness, and remain two: the pair moves behind
  // the others and waits for another version. Does nothing if the pair is not known. Throws std::bad_alloc
  // and has changed nothing.
  void compared(uint64_t site, uint64_t older, uint64_t younger, uint64_t version, bool witnessed);
  // Throws std::bad_alloc and has changed nothing.
  void forget(uint64_t site, uint64_t older, uint64_t younger);

  uint64_t pair_count() const noexcept { return pair_count_; }
  uint64_t memory_bytes() const noexcept { return sites_.memory_bytes() + order_.memory_bytes(); }
  uint64_t order_bytes() const noexcept { return order_.memory_bytes(); }  // the part that no snapshot frees
  // Pairs and sites examined since the table was created.
  uint64_t probe_count() const noexcept { return probe_count_; }
  State state() const noexcept { return {pair_count_, clock_}; }
  void restore(const State& state) noexcept;
  store::LayeredTable& table() noexcept { return sites_; }

 private:
  uint64_t forget_oldest();
  void put_in_order();

  MergeParameters parameters_;
  uint64_t secret_;
  store::LayeredRecords<SuspectedCopiesRecord> sites_;
  UseOrder order_;          // of the sites, by last_use; empty until
  bool is_ordered_ = true;  // of a store it is made when it is asked for
  uint64_t pair_count_ = 0;
  uint64_t clock_ = 0;
  uint64_t probe_count_ = 0;
};

}  // namespace nd::engine
