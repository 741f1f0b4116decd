// Saves what can be read of a damaged store into a new one (docs/snapshot_format.md, "Repair").
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "core/result.hpp"
#include "store/file_system.hpp"
#include "store/store_parameters.hpp"

namespace nd::engine {

struct RepairCounts {
  uint64_t pages = 0;  // in the new store
  uint64_t groups = 0;
  uint64_t pages_lost = 0;  // as far as is known
  uint64_t losses = 0;      // losses that were reported
};

// The store at `path` is not changed. Every page whose record and text can be read is committed to the new
// store with the id, the group and the verdict that it had, in the order of ids; everything derived from
// pages, such as indexes and counts of sites, is rebuilt. `report` receives each loss; `file` is empty if the
// loss does not concern a file. Errors: as DamagedStore::open(); kInvalidArgument if `new_path` exists. After
// an error the new store is unusable. Cost: reads the old store and writes the new one; memory: 16 bytes per
// group with several members, besides the journals and what a store has in memory between snapshots.
Result<RepairCounts> repair_store(std::string_view path, std::string_view new_path,
                                  const std::function<void(const store::StoreFault&)>& report,
                                  store::FileSystem& files);

}  // namespace nd::engine
