// Which of a run's numbered bookmarks belong to pages in progress.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace ndc {

// Numbers from 0, the lowest that is free, so that as many are used as pages were on their way at once: also
// while some belong to pages of an earlier run, which may have had another number of threads. Threads: any
// number.
class MarkSlots {
 public:
  // The item has this one already. Nothing happens if it has another.
  void hold(uint64_t item, uint64_t slot);

  // One for an item that has none.
  uint64_t take(uint64_t item);

  // The item is done. It need not have a number.
  void release(uint64_t item);

 private:
  std::mutex mutex_;
  std::vector<bool> taken_;
  std::unordered_map<uint64_t, uint64_t> slots_;  // by item
};

}  // namespace ndc
