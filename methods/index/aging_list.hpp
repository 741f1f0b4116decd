// A list that takes entries at its end and mostly loses its oldest. An index that has reached its budget
// loses its oldest document, the first in each of its lists, for each new one. The cost must not depend on
// the length of the lists, so the entries behind it stay where they are until half of a list has gone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>

#include "core/memory.hpp"

namespace nd {

// Threads: as a standard container.
template <typename Entry>
class AgingList {
  static_assert(std::is_trivially_copyable_v<Entry>);

 public:
  // Valid until the next change.
  std::span<const Entry> entries() const noexcept { return std::span(entries_).subspan(gone_); }
  size_t size() const noexcept { return entries_.size() - gone_; }
  bool empty() const noexcept { return size() == 0; }
  size_t memory_bytes() const noexcept { return entries_.capacity() * sizeof(Entry); }

  // These throw std::bad_alloc and have changed nothing.
  void reserve(size_t count) { entries_.reserve(gone_ + count); }
  void push_back(const Entry& entry) { entries_.push_back(entry); }

  // Removes the entry at this place; the others keep their order. Returns how many of them were moved: those
  // on the shorter side, or all if half of the list has gone.
  size_t erase(size_t place) noexcept {
    const size_t before = place;
    const size_t behind = size() - place - 1;
    const auto first = entries_.begin() + static_cast<std::ptrdiff_t>(gone_);
    const auto found = first + static_cast<std::ptrdiff_t>(place);
    if (behind < before) {
      std::move(found + 1, entries_.end(), found);
      entries_.pop_back();
      return behind;
    }
    if (2 * (gone_ + 1) <= entries_.size()) {
      std::move_backward(first, found, found + 1);
      ++gone_;
      return before;
    }
    std::move(first, found, entries_.begin());
    std::move(found + 1, entries_.end(), entries_.begin() + static_cast<std::ptrdiff_t>(before));
    entries_.erase(entries_.end() - static_cast<std::ptrdiff_t>(gone_ + 1), entries_.end());
    gone_ = 0;
    return before + behind;
  }

 private:
  Vector<Entry> entries_;
  size_t gone_ = 0;  // from the front
};

}  // namespace nd
