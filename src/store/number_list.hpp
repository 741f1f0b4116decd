// The numbers of a posting-table key that has several, in the order of their addition. Mostly the oldest is
// removed, because an index that has reached its budget loses its oldest document for each new one; so the
// others do not move until half of the list has gone. The list can be read while a number is added.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <utility>

#include "core/memory.hpp"

namespace nd::store {

// Threads: as a standard container, except that others may read during add_concurrently().
class NumberList {
 public:
  NumberList() noexcept = default;
  NumberList(NumberList&& other) noexcept { swap(other); }
  NumberList& operator=(NumberList other) noexcept {
    swap(other);
    return *this;
  }
  ~NumberList() { release_bytes(block_); }

  struct Content {
    std::span<const uint64_t> numbers;
    bool ascends;  // false: not known to ascend, though it may
  };
  // The numbers. They do not move as long as the list only grows and the memory that add_concurrently()
  // returned is not released.
  Content content() const noexcept {
    // Read in this order: the list then has at least as many numbers as were counted, and a number that
    // breaks the ascending order was flagged before it was counted.
    const uint32_t size = size_.load(std::memory_order_acquire);
    const uint64_t* first = first_.load(std::memory_order_acquire);
    return {{first, size}, ascends_.load(std::memory_order_relaxed)};
  }
  std::span<const uint64_t> numbers() const noexcept { return content().numbers; }
  size_t size() const noexcept { return size_.load(std::memory_order_relaxed); }
  bool empty() const noexcept { return size() == 0; }
  size_t memory_bytes() const noexcept { return size_t{capacity_} * sizeof(uint64_t); }

  // Makes room for `count` numbers in all. Throws std::bad_alloc and has changed nothing.
  void reserve(size_t count) {
    if (gone() + count > capacity_) release_bytes(enlarge(count));
  }
  // Appends. Throws std::bad_alloc and has changed nothing.
  void add(uint64_t number) { release_bytes(add_concurrently(number)); }
  // Appends while others read. Returns memory that the caller must release once those readers have finished,
  // or null.
  [[nodiscard]] uint64_t* add_concurrently(uint64_t number) {
    const size_t count = size();
    uint64_t* replaced = gone() + count == capacity_ ? enlarge(2 * count + (count == 0 ? 1 : 0)) : nullptr;
    uint64_t* first = first_.load(std::memory_order_relaxed);
    if (count != 0 && first[count - 1] >= number) ascends_.store(false, std::memory_order_relaxed);
    first[count] = number;
    size_.store(static_cast<uint32_t>(count + 1), std::memory_order_release);
    return replaced;
  }
  // Removes the number at this place; the others keep their order. Returns how many numbers were moved: those
  // on the shorter side, or all of them when half of the list has gone.
  size_t erase(size_t place) noexcept {
    uint64_t* first = first_.load(std::memory_order_relaxed);
    const size_t count = size();
    const size_t before = place;
    const size_t behind = count - place - 1;
    size_t moved = behind;
    if (behind < before) {
      std::copy(first + place + 1, first + count, first + place);
    } else if (2 * (gone() + 1) <= gone() + count) {
      std::copy_backward(first, first + place, first + place + 1);
      first_.store(first + 1, std::memory_order_relaxed);
      moved = before;
    } else {
      std::copy(first, first + place, block_);
      std::copy(first + place + 1, first + count, block_ + before);
      first_.store(block_, std::memory_order_relaxed);
      moved = before + behind;
    }
    size_.store(static_cast<uint32_t>(count - 1), std::memory_order_relaxed);
    return moved;
  }

 private:
  size_t gone() const noexcept {
    return static_cast<size_t>(first_.load(std::memory_order_relaxed) - block_);
  }
  // Returns the memory that the list had.
  uint64_t* enlarge(size_t capacity) {
    if (capacity > UINT32_MAX) throw std::bad_alloc();
    auto* larger = static_cast<uint64_t*>(allocate_bytes(capacity * sizeof(uint64_t)));
    std::ranges::copy(numbers(), larger);
    first_.store(larger, std::memory_order_release);
    capacity_ = static_cast<uint32_t>(capacity);
    return std::exchange(block_, larger);
  }
  void swap(NumberList& other) noexcept {
    std::swap(block_, other.block_);
    std::swap(capacity_, other.capacity_);
    exchange(first_, other.first_);
    exchange(size_, other.size_);
    exchange(ascends_, other.ascends_);
  }
  template <typename T>
  static void exchange(std::atomic<T>& one, std::atomic<T>& other) noexcept {
    one.store(other.exchange(one.load(std::memory_order_relaxed), std::memory_order_relaxed),
              std::memory_order_relaxed);
  }

  uint64_t* block_ = nullptr;
  std::atomic<uint64_t*> first_{nullptr};  // the first number that has not been removed
  std::atomic<uint32_t> size_{0};          // counted from there
  uint32_t capacity_ = 0;                  // of the block
  std::atomic<bool> ascends_{true};
};

}  // namespace nd::store
