#include "core/packed_segment.hpp"

namespace nd {

uint32_t PackedSegment::insert(size_t at, uint64_t hash, uint64_t value) noexcept {
  uint32_t looked_at = 1;
  size_t free = at;
  for (; this->value(free) != 0; free = next(free))
    ++looked_at;
  const size_t bytes = slot_bytes();
  if (free < at) {
    std::memmove(slot(1), slot(0), free * bytes);
    std::memcpy(slot(0), slot(slot_count_ - 1), bytes);
    free = slot_count_ - 1;
  }
  std::memmove(slot(at) + bytes, slot(at), (free - at) * bytes);
  const uint64_t rest = hash >> depth_;
  set_value(at, value);
  std::memcpy(slot(at) + value_bytes_, &rest, hash_bytes_);
  ++head_->used;
  return looked_at;
}

// Whatever follows moves up, to the next one that is free or at its home.
uint32_t PackedSegment::erase(size_t at) noexcept {
  uint32_t looked_at = 1;
  const size_t bytes = slot_bytes();
  for (size_t follower = next(at);; follower = next(follower), ++looked_at) {
    if (value(follower) == 0 || distance_of(follower, rest_at(follower)) == 0) break;
    std::memcpy(slot(at), slot(follower), bytes);
    at = follower;
  }
  std::memset(slot(at), 0, bytes);
  --head_->used;
  return looked_at;
}

// From behind a free slot on, so that each is put behind those that are there.
void PackedSegment::take(const PackedSegment& other, uint64_t low) noexcept {
  const uint64_t mask = (uint64_t{1} << depth_) - 1;
  size_t free = 0;
  while (other.value(free) != 0)
    ++free;
  for (size_t at = other.next(free); at != free; at = other.next(at)) {
    const uint64_t number = other.value(at);
    const uint64_t hash = other.hash_at(at, low);
    if (number == 0 || ((hash ^ low) & mask) != 0) continue;
    insert(place(hash).at, hash, number);
  }
}

}  // namespace nd
