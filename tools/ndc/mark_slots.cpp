// Hands out the lowest free number, so that a store keeps as many bookmarks as pages are in progress.
#include "mark_slots.hpp"

#include <algorithm>

namespace ndc {

void MarkSlots::hold(uint64_t item, uint64_t slot) {
  const std::lock_guard lock(mutex_);
  if (!slots_.emplace(item, slot).second) return;
  if (slot >= taken_.size()) taken_.resize(slot + 1, false);
  taken_[slot] = true;
}

uint64_t MarkSlots::take(uint64_t item) {
  const std::lock_guard lock(mutex_);
  const auto free = std::find(taken_.begin(), taken_.end(), false);
  const auto slot = static_cast<uint64_t>(free - taken_.begin());
  if (free == taken_.end()) {
    taken_.push_back(true);
  } else {
    *free = true;
  }
  slots_[item] = slot;
  return slot;
}

void MarkSlots::release(uint64_t item) {
  const std::lock_guard lock(mutex_);
  const auto held = slots_.find(item);
  if (held == slots_.end()) return;
  taken_[held->second] = false;
  slots_.erase(held);
}

}  // namespace ndc
