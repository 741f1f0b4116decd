// Inserts and removes slots of a segment; the variants for concurrent readers store whole words, in an order
// that a reader can check.
#include "core/packed_segment.hpp"

#include <algorithm>
#include <array>

namespace nd {

// Applies change(bytes) to a copy of the bytes [begin, end) of the slots, then stores the copy word by word.
template <typename Change>
void PackedSegment::change_concurrently(size_t begin, size_t end, Change&& change) noexcept {
  constexpr size_t kWord = sizeof(uint64_t);
  std::array<uint64_t, kMostMovedBytes / kWord + 2> copy;
  const size_t first = begin / kWord;
  const size_t count = (end + kWord - 1) / kWord - first;
  std::memcpy(copy.data(), words() + first, count * kWord);
  change(reinterpret_cast<uint8_t*>(copy.data()) + begin % kWord);
  for (size_t i = 0; i < count; ++i)
    atomic(words()[first + i]).store(copy[i], std::memory_order_release);
}

void PackedSegment::set_value_concurrently(size_t at, uint64_t value) noexcept {
  const size_t begin = at * slot_bytes();
  change_concurrently(begin, begin + value_bytes(),
                      [&](uint8_t* slot) { std::memcpy(slot, &value, value_bytes()); });
}

uint32_t PackedSegment::insert_concurrently(size_t at, uint64_t hash, uint64_t value) noexcept {
  const size_t bytes = slot_bytes();
  uint32_t looked_at = 1;
  size_t free = at;
  for (; this->value(free) != 0; free = next(free), ++looked_at) {
    if ((looked_at + 1) * bytes > kMostMovedBytes) return 0;
  }
  // All slots up to the free one move by one, the last of the segment to its first place.
  size_t moved = free - at;
  if (free < at) {
    moved = slot_count() - 1 - at;
    std::array<uint8_t, 2 * sizeof(uint64_t)> last;
    std::memcpy(last.data(), slot(slot_count() - 1), bytes);
    change_concurrently(0, (free + 1) * bytes, [&](uint8_t* slot) {
      std::memmove(slot + bytes, slot, free * bytes);
      std::memcpy(slot, last.data(), bytes);
    });
  }
  const uint64_t rest = hash >> depth();
  change_concurrently(at * bytes, (at + moved + 1) * bytes, [&](uint8_t* slot) {
    std::memmove(slot + bytes, slot, moved * bytes);
    std::memcpy(slot, &value, value_bytes());
    std::memcpy(slot + value_bytes(), &rest, hash_bytes());
  });
  ++head_->used;
  return looked_at;
}

uint32_t PackedSegment::insert(size_t at, uint64_t hash, uint64_t value) noexcept {
  uint32_t looked_at = 1;
  size_t free = at;
  for (; this->value(free) != 0; free = next(free))
    ++looked_at;
  const size_t bytes = slot_bytes();
  if (free < at) {
    std::memmove(slot(1), slot(0), free * bytes);
    std::memcpy(slot(0), slot(slot_count() - 1), bytes);
    free = slot_count() - 1;
  }
  std::memmove(slot(at) + bytes, slot(at), (free - at) * bytes);
  const uint64_t rest = hash >> depth();
  set_value(at, value);
  std::memcpy(slot(at) + value_bytes(), &rest, hash_bytes());
  ++head_->used;
  return looked_at;
}

// The slots that follow move up, until one is free or at its home.
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

// Begins behind a free slot: from there on, homes ascend in the new segment as well, except among slots that
// had the same home in the old one. So nearly all are appended, without a look at other slots.
//
// When a segment is split, whether a slot belongs here is as good as random. So there is no branch for it: a
// slot that does not belong here is written to `nowhere`. Both segment objects are copied, because the
// compiler must assume that the written bytes could be theirs.
void PackedSegment::take(const PackedSegment& other, uint64_t low) noexcept {
  const PackedSegment there = other;
  const PackedSegment here = *this;
  // The bits of a stored hash of `there`, which lacks its lowest bits, that are the same for all slots that
  // belong here.
  const uint64_t own_bits = ((uint64_t{1} << here.depth()) - 1) >> there.depth() << there.depth();
  const uint64_t shared_bits = low & ((uint64_t{1} << there.depth()) - 1);
  const size_t slots_here = here.slot_count();
  size_t free = 0;
  while (there.value(free) != 0)
    ++free;
  const size_t first = there.next(free);
  const size_t base = first * slots_here / there.slot_count();  // no home here is before it
  size_t greatest = 0;  // of the homes so far; this and the following count from `base`
  size_t end = 0;       // behind the last slot
  size_t appended = 0;
  std::array<uint8_t, 2 * sizeof(uint64_t)> nowhere;
  const uint8_t* from = there.slot(first);
  for (size_t at = first; at != free;) {
    const uint64_t number = load(from) & mask_of(there.value_bytes());
    const uint64_t hash = (load(from + there.value_bytes()) & mask_of(there.hash_bytes())) << there.depth();
    from = ++at == there.slot_count() ? there.slots() : from + there.slot_bytes();
    at = at == there.slot_count() ? 0 : at;
    const bool is_taken = (number != 0) & (((hash ^ low) & own_bits) == 0);
    const size_t home_at = here.behind(base, here.home(hash));
    const size_t place_at = std::max(home_at, end);
    const bool is_beyond = place_at + 1 >= slots_here;  // and so are all that follow
    if (is_taken & (is_beyond | (home_at < greatest))) {
      insert(place(hash | shared_bits).at, hash | shared_bits, number);
      if (is_beyond) end = slots_here;
      while (end < slots_here && here.value(here.from(base, end)) != 0)
        ++end;
      continue;
    }
    here.write(is_taken ? here.slot(here.from(base, place_at)) : nowhere.data(), hash, number);
    appended += is_taken;
    greatest = is_taken ? home_at : greatest;
    end = is_taken ? place_at + 1 : end;
  }
  head_->used += appended;
}

}  // namespace nd
