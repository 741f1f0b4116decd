#include "core/packed_segment.hpp"

#include <algorithm>

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

// From behind a free slot on: the homes of what comes then ascend here as well, but for those that were one
// home there. So nearly all are put behind the last one, without a look at other slots.
void PackedSegment::take(const PackedSegment& other, uint64_t low) noexcept {
  const uint64_t mask = (uint64_t{1} << depth_) - 1;
  size_t free = 0;
  while (other.value(free) != 0)
    ++free;
  const size_t first = other.next(free);
  const size_t base = first * slot_count_ / other.slot_count_;  // no home here is in front of it
  size_t greatest = 0;  // of the homes so far, counted from `base` on, as all that follows
  size_t end = 0;       // behind the last one
  size_t appended = 0;
  for (size_t at = first; at != free; at = other.next(at)) {
    const uint64_t number = other.value(at);
    const uint64_t hash = other.hash_at(at, low);
    if (number == 0 || ((hash ^ low) & mask) != 0) continue;
    const size_t home_at = behind(base, home(hash));
    const size_t place_at = std::max(home_at, end);
    if (place_at + 1 >= slot_count_) {  // and all that follow it
      insert(place(hash).at, hash, number);
      end = slot_count_;
      continue;
    }
    if (home_at < greatest) {
      insert(place(hash).at, hash, number);
      while (end < slot_count_ && value(from(base, end)) != 0)
        ++end;
      continue;
    }
    append(from(base, place_at), hash, number);
    ++appended;
    greatest = home_at;
    end = place_at + 1;
  }
  head_->used += appended;
}

}  // namespace nd
