// An array whose places are given out and taken back. It consists of blocks of one size, so that growing
// moves nothing and costs the same at any size.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "core/memory.hpp"

namespace nd {

// `T` can be made without arguments, and be assigned without throwing. Places are numbers from 0 on. Threads:
// as a standard container.
template <typename T>
class RecyclingArray {
 public:
  static constexpr size_t kGreatestSize = UINT32_MAX;  // of places

  RecyclingArray() noexcept = default;
  RecyclingArray(RecyclingArray&& other) noexcept { swap(other); }
  RecyclingArray& operator=(RecyclingArray other) noexcept {
    swap(other);
    return *this;
  }

  // Precondition: the place is in use. Elements never move. By data(), since a checked operator[] would read
  // the size, which a take() changes while others read.
  T& operator[](size_t place) noexcept { return blocks_.data()[place / kBlock]->items[place % kBlock]; }
  const T& operator[](size_t place) const noexcept {
    return blocks_.data()[place / kBlock]->items[place % kBlock];
  }

  // The next take() does not allocate. Throws std::bad_alloc and has changed nothing.
  void reserve_one() {
    if (free_ != kNone || used_places_ < blocks_.size() * kBlock) return;
    if (used_places_ == kGreatestSize / kBlock * kBlock) throw std::bad_alloc();
    blocks_.push_back(make_owned<Block>());
  }
  // Whether take() moves nothing that concurrent calls of operator[] read.
  bool may_take_concurrently() const noexcept {
    return free_ != kNone || used_places_ < blocks_.size() * kBlock || blocks_.size() < blocks_.capacity();
  }
  // The place of a new element, in its initial state. Throws std::bad_alloc and has changed nothing.
  uint32_t take() {
    reserve_one();
    ++size_;
    if (free_ == kNone) return used_places_++;
    const uint32_t place = free_;
    free_ = next_free(place);
    return place;
  }
  void give_back(uint32_t place) noexcept {
    (*this)[place] = T();
    next_free(place) = std::exchange(free_, place);
    --size_;
  }

  // visit(place, element), of places in use or given back.
  template <typename Visitor>
  void for_each_place(Visitor&& visit) const {
    for (uint32_t place = 0; place < used_places_; ++place)
      visit(place, (*this)[place]);
  }

  // Places in use.
  size_t size() const noexcept { return size_; }
  // Exact, without what the allocator adds and without what the elements hold.
  uint64_t memory_bytes() const noexcept {
    return blocks_.size() * sizeof(Block) + blocks_.capacity() * sizeof(Owned<Block>);
  }
  void swap(RecyclingArray& other) noexcept {
    blocks_.swap(other.blocks_);
    std::swap(used_places_, other.used_places_);
    std::swap(free_, other.free_);
    std::swap(size_, other.size_);
  }

 private:
  static constexpr size_t kBlock = 128;
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Block {
    std::array<T, kBlock> items{};
    std::array<uint32_t, kBlock> next_free{};  // for places given back
  };

  uint32_t& next_free(uint32_t place) noexcept { return blocks_[place / kBlock]->next_free[place % kBlock]; }

  Vector<Owned<Block>> blocks_;
  uint32_t used_places_ = 0;  // given out at least once
  uint32_t free_ = kNone;     // the place given back last
  size_t size_ = 0;
};

}  // namespace nd
