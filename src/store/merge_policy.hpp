// Which runs of a table are merged: the tiers of size-tiered compaction, as in a log-structured merge tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace nd::store {

struct MergeRange {
  size_t first;
  size_t count;
};

// The tier of a run is the logarithm of its size to the base `merge_count` (2 at least); a run that is
// smaller than a newer one belongs to the newer one's tier. When `merge_count` or more adjacent runs share a
// tier, they are merged into one, the newest such tier first; afterwards every tier has fewer than
// `merge_count` runs, whatever their sizes. If a tier has more bytes than the budget, only its `merge_count`
// adjacent runs with the fewest bytes are merged, or none yet. `run_bytes`: oldest first. Cost: O(runs).
std::optional<MergeRange> next_merge(std::span<const uint64_t> run_bytes, uint32_t merge_count,
                                     uint64_t budget_bytes) noexcept;

// How many bytes of runs an ordinary snapshot may read in order to merge them, so that its duration stays
// proportional to what it writes.
uint64_t merge_budget_bytes(uint64_t new_run_bytes, uint64_t store_bytes) noexcept;

}  // namespace nd::store
