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
// smaller than a newer one counts as of the newer one's tier. `merge_count` or more neighbours of one tier
// are merged into one, the newest such tier first: then less than `merge_count` runs of any tier are left,
// whatever their sizes. A tier whose bytes are more than the budget gives those `merge_count` neighbours
// that have the fewest, or waits.
// `run_bytes`: the oldest first. Cost: O(runs).
std::optional<MergeRange> next_merge(std::span<const uint64_t> run_bytes, uint32_t merge_count,
                                     uint64_t budget_bytes) noexcept;

// How many bytes of runs an ordinary snapshot may read to merge them, so that it ends in a time that has to
// do with what it writes.
uint64_t merge_budget_bytes(uint64_t new_run_bytes, uint64_t store_bytes) noexcept;

}  // namespace nd::store
