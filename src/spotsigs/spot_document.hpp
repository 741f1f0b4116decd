// A document of the spot index, as a record of a layered table.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

#include "core/memory.hpp"
#include "core/prefetch.hpp"
#include "spotsigs/spot_vector.hpp"
#include "store/run.hpp"

namespace nd::spotsigs {

// Signatures that a text and the index of signatures share, so that memory holds them once.
//
// They never change. Threads: each object as a standard container; copies may live on any threads.
class SharedSpots {
 public:
  SharedSpots() noexcept = default;
  // Copies `spots`. Throws std::bad_alloc.
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

  // Valid as long as any copy of this object exists.
  PackedSpots spots() const noexcept {
    if (block_ == nullptr) return {};
    return {reinterpret_cast<const PackedSpot*>(block_ + 1), block_->count};
  }
  void prefetch() const noexcept { nd::prefetch(block_); }
  // Bytes of all copies together, without what the allocator adds.
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

struct SpotDocument {
  struct View {
    uint64_t id;  // the caller's
    PackedSpots spots;
  };

  uint64_t id;
  SharedSpots spots;
  bool is_sharing = false;  // `spots`, with an owner that outlives this document and counts their bytes

  View view() const noexcept { return {id, spots.spots()}; }
  void prefetch() const noexcept { spots.prefetch(); }
  // Id and signatures, eight bytes each; at least one signature. Those of a damaged file may have any value.
  static std::optional<View> parse(store::Bytes bytes) noexcept {
    const bool is_aligned = reinterpret_cast<uintptr_t>(bytes.data()) % alignof(uint64_t) == 0;
    if (bytes.size() < 2 * sizeof(uint64_t) || bytes.size() % sizeof(uint64_t) != 0 || !is_aligned)
      return std::nullopt;
    const auto* words = reinterpret_cast<const uint64_t*>(bytes.data());
    return View{words[0], {words + 1, bytes.size() / sizeof(uint64_t) - 1}};
  }
  static SpotDocument copy(const View& view) { return {view.id, SharedSpots(view.spots)}; }
  void write(Vector<uint8_t>& out) const {
    const auto* id_bytes = reinterpret_cast<const uint8_t*>(&id);
    const PackedSpots packed = spots.spots();
    const auto* spot_bytes = reinterpret_cast<const uint8_t*>(packed.data());
    out.insert(out.end(), id_bytes, id_bytes + sizeof id);
    out.insert(out.end(), spot_bytes, spot_bytes + packed.size_bytes());
  }
  uint64_t memory_bytes() const noexcept { return is_sharing ? 0 : spots.memory_bytes(); }
};

}  // namespace nd::spotsigs
