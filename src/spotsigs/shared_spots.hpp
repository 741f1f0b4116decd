// Signatures that a text and the index of signatures hold together, so that they stand in memory once.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include "core/memory.hpp"
#include "spotsigs/spot_vector.hpp"

namespace nd::spotsigs {

// They never change. Threads: each object as a standard container; copies may live on any threads.
class SharedSpots {
 public:
  SharedSpots() noexcept = default;
  // A copy of them. Throws std::bad_alloc.
  explicit SharedSpots(PackedSpots spots) {
    if (spots.empty()) return;
    block_ = ::new (allocate_bytes(sizeof(Block) + spots.size_bytes())) Block;
    block_->count = static_cast<uint32_t>(spots.size());
    std::memcpy(static_cast<void*>(block_ + 1), spots.data(), spots.size_bytes());
  }
  SharedSpots(const SharedSpots& other) noexcept : block_(other.block_) {
    if (block_ != nullptr) block_->holders.fetch_add(1, std::memory_order_relaxed);
  }
  SharedSpots(SharedSpots&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  SharedSpots& operator=(SharedSpots other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~SharedSpots() {
    if (block_ != nullptr && block_->holders.fetch_sub(1, std::memory_order_acq_rel) == 1)
      release_bytes(block_);
  }

  // As long as a copy lives.
  PackedSpots spots() const noexcept {
    if (block_ == nullptr) return {};
    return {reinterpret_cast<const PackedSpot*>(block_ + 1), block_->count};
  }
  // Of all copies together, without what the allocator adds.
  uint64_t memory_bytes() const noexcept {
    return block_ == nullptr ? 0 : sizeof(Block) + spots().size_bytes();
  }

 private:
  struct Block {
    std::atomic<uint32_t> holders{1};
    uint32_t count = 0;
  };
  static_assert(sizeof(Block) == sizeof(PackedSpot));

  Block* block_ = nullptr;  // the signatures follow it; null: there are none
};

}  // namespace nd::spotsigs
