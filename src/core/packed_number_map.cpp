// How the map grows: a full segment is enlarged or split, where possible while other threads read, so that
// none of them waits.
#include "core/packed_number_map.hpp"

#include <algorithm>
#include <new>
#include <thread>

namespace nd {
namespace {

constexpr size_t kLeastSlots = 32;
constexpr size_t kStep = 128;  // from two steps on

// Whether one more slot can be used without making searches long.
bool is_roomy(size_t used, size_t slot_count) noexcept {
  return (used + 1) * 8 <= slot_count * 7 && used + 2 + PackedNumberMap::kMostReserved <= slot_count;
}

size_t more_slots(size_t slot_count, size_t split_slots) noexcept {
  const bool doubles = slot_count < 2 * kStep || slot_count >= split_slots;
  return doubles ? 2 * slot_count : slot_count + kStep;
}

// The number of slots for so many numbers and a tenth more.
size_t slots_for(size_t used, size_t split_slots) noexcept {
  size_t slot_count = kLeastSlots;
  while (!is_roomy(used + (slot_count < split_slots ? used / 10 : 0), slot_count))
    slot_count = more_slots(slot_count, split_slots);
  return slot_count;
}

}  // namespace

class PackedNumberMap::PartChange {
 public:
  PartChange(PackedNumberMap& map, uint64_t hash, uint32_t depth) noexcept
      : map_(map),
        step_(std::min(kParts, size_t{1} << depth)),
        first_(static_cast<size_t>(hash) % step_),
        end_(std::min(kParts, map.directory_.size())) {
    count(std::memory_order_relaxed);  // later stores are not visible before this one
  }
  PartChange(const PartChange&) = delete;
  PartChange& operator=(const PartChange&) = delete;
  ~PartChange() { count(std::memory_order_release); }

 private:
  void count(std::memory_order order) noexcept {
    for (size_t part = first_; part < end_; part += step_) {
      std::atomic<uint32_t>& changes = map_.changes_[part];
      changes.store(changes.load(std::memory_order_relaxed) + 1, order);
    }
  }

  PackedNumberMap& map_;
  const size_t step_;
  const size_t first_;
  const size_t end_;  // parts beyond the directory are not in use
};

bool PackedNumberMap::put_concurrently(uint64_t key, uint64_t value) noexcept {
  assert(value != 0);
  if (directory_.empty()) return false;
  const uint64_t hash = hash_of(key);
  if (change_concurrently(hash, value)) return true;
  try {
    return grow(hash, value, true) && change_concurrently(hash, value);
  } catch (const std::bad_alloc&) {
    return false;
  }
}

// False if there is no room, or if too many slots would move.
bool PackedNumberMap::change_concurrently(uint64_t hash, uint64_t value) noexcept {
  PackedSegment segment = segment_of(hash);
  if (!segment.fits(value)) return false;
  const PackedSegment::Place place = segment.place(hash);
  if (place.is_found) {
    const PartChange change(*this, hash, segment.depth());
    segment.set_value_concurrently(place.at, value);
    probe_count_ += place.probes;
    return true;
  }
  if (!is_roomy(segment.used(), segment.slot_count())) return false;
  uint32_t looked_at = 0;
  {
    const PartChange change(*this, hash, segment.depth());
    looked_at = segment.insert_concurrently(place.at, hash, value);
  }
  if (looked_at == 0) return false;
  probe_count_ += place.probes + looked_at;
  least_room_ = std::min(least_room_, segment.room());
  ++size_;
  return true;
}

// The thread that makes the change may be waiting for this processor.
void PackedNumberMap::give_way() noexcept {
  std::this_thread::yield();
}

void PackedNumberMap::release_replaced() noexcept {
  for (PackedSegment& segment : replaced_)
    segment.release();
  replaced_.clear();
}

void PackedNumberMap::put(uint64_t key, uint64_t value) {
  assert(value != 0);
  const uint64_t hash = hash_of(key);
  for (bool may_grow = true;;) {
    if (!directory_.empty()) {
      PackedSegment segment = segment_of(hash);
      const PackedSegment::Place place = segment.place(hash);
      if (place.is_found && segment.fits(value)) {
        segment.set_value(place.at, value);
        probe_count_ += place.probes;
        return;
      }
      const bool has_room = may_grow ? is_roomy(segment.used(), segment.slot_count()) : segment.room() != 0;
      if (!place.is_found && segment.fits(value) && has_room) {
        probe_count_ += place.probes + segment.insert(place.at, hash, value);
        least_room_ = std::min(least_room_, segment.room());
        ++size_;
        return;
      }
    }
    if (!may_grow) throw std::bad_alloc();
    try {
      if (directory_.empty()) {
        start(value);
      } else {
        grow(hash, value, false);
      }
    } catch (const std::bad_alloc&) {
      may_grow = false;
    }
  }
}

uint64_t PackedNumberMap::erase(uint64_t key) noexcept {
  if (directory_.empty()) return 0;
  const uint64_t hash = hash_of(key);
  PackedSegment segment = segment_of(hash);
  const PackedSegment::Place place = segment.place(hash);
  if (!place.is_found) return 0;
  const uint64_t erased = segment.value(place.at);
  probe_count_ += place.probes + segment.erase(place.at);
  --size_;
  return erased;
}

void PackedNumberMap::reserve_more(size_t count) {
  const size_t needed = std::min(count, kMostReserved);
  if (directory_.empty()) start(0);
  if (least_room_ >= needed) return;
  size_t least = SIZE_MAX;
  for (size_t i = 0; i < directory_.size(); ++i) {
    while (directory_[i].room() < needed)
      grow(i, 0, false);
    least = std::min(least, directory_[i].room());
  }
  least_room_ = least;
}

// Throws std::bad_alloc and has changed nothing.
void PackedNumberMap::start(uint64_t value) {
  directory_.reserve(1);
  directory_.push_back(PackedSegment::make(kLeastSlots, 0, value));
  segment_count_ = 1;
  segment_bytes_ = directory_[0].memory_bytes();
  least_room_ = directory_[0].room();
}

// Makes room where the hash belongs, for a number of this width. False, with nothing changed, if that is
// impossible while others read. Throws std::bad_alloc; the content is then the same.
bool PackedNumberMap::grow(uint64_t hash, uint64_t value, bool is_concurrent) {
  const PackedSegment segment = segment_of(hash);
  const uint64_t widest = std::max(value, segment.greatest_value());
  const bool is_only_narrow = !segment.fits(value) && is_roomy(segment.used(), segment.slot_count());
  const bool is_full = !is_only_narrow && segment.slot_count() >= kSegmentSlots;
  if (is_concurrent) {
    replaced_.reserve(replaced_.size() + 1);
    if (is_full && directory_.size() == size_t{1} << segment.depth()) return false;
  }
  if (is_full && prepare_split(hash)) {
    split(hash, widest, is_concurrent);
    return true;
  }
  const size_t slot_count =
      is_only_narrow ? segment.slot_count() : more_slots(segment.slot_count(), kSegmentSlots);
  PackedSegment larger = PackedSegment::make(slot_count, segment.depth(), widest);
  larger.take(segment, hash);
  replace(hash, larger);
  release(segment, is_concurrent);
  return true;
}

// Makes room in the directory for two segments in place of the hash's one. False, with nothing changed, if
// the directory would become too large because the hashes are unevenly distributed. Throws std::bad_alloc and
// has changed nothing.
bool PackedNumberMap::prepare_split(uint64_t hash) {
  const uint32_t depth = segment_of(hash).depth();
  if (depth == PackedSegment::kGreatestDepth) return false;
  if (directory_.size() > size_t{1} << depth) return true;
  if (2 * directory_.size() > kMostEntriesPerSegment * segment_count_) return false;
  Vector<PackedSegment> larger;
  larger.reserve(2 * directory_.size());
  larger.insert(larger.end(), directory_.begin(), directory_.end());
  larger.insert(larger.end(), directory_.begin(), directory_.end());
  directory_.swap(larger);
  return true;
}

void PackedNumberMap::split(uint64_t hash, uint64_t widest, bool is_concurrent) {
  const PackedSegment old = segment_of(hash);
  const uint64_t bit = uint64_t{1} << old.depth();
  size_t with_bit = 0;
  old.for_each(hash, [&](uint64_t one, uint64_t) { with_bit += (one & bit) != 0; });
  const auto make = [&](size_t used) {
    return PackedSegment::make(slots_for(used, kSegmentSlots), old.depth() + 1, widest);
  };
  PackedSegment without = make(old.used() - with_bit);
  PackedSegment with;
  try {
    with = make(with_bit);
  } catch (...) {
    without.release();
    throw;
  }
  without.take(old, hash & ~bit);
  with.take(old, hash | bit);
  // Between the two calls readers still find the other segment's keys in the old one.
  replace(hash & ~bit, without);
  replace(hash | bit, with);
  ++segment_count_;
  release(old, is_concurrent);
}

// Stores `by` in every entry with the lowest bits of the hash.
void PackedNumberMap::replace(uint64_t hash, const PackedSegment& by) noexcept {
  const PartChange change(*this, hash, by.depth());
  const size_t step = size_t{1} << by.depth();
  for (size_t i = static_cast<size_t>(hash) & (step - 1); i < directory_.size(); i += step)
    by.store_to(directory_[i]);
  segment_bytes_ += by.memory_bytes();
}

// Releases a segment that has been replaced, or keeps it for readers; `replaced_` has room for it.
void PackedNumberMap::release(const PackedSegment& old, bool is_concurrent) noexcept {
  segment_bytes_ -= old.memory_bytes();
  if (is_concurrent) {
    replaced_.push_back(old);
  } else {
    PackedSegment(old).release();
  }
}

void PackedNumberMap::release_all() noexcept {
  release_replaced();
  // Backwards, so that the first entry of a segment is visited last.
  for (size_t i = directory_.size(); i-- > 0;) {
    if (is_first(i)) directory_[i].release();
  }
}

void PackedNumberMap::swap(PackedNumberMap& other) noexcept {
  directory_.swap(other.directory_);
  std::swap(secret_, other.secret_);
  std::swap(segment_count_, other.segment_count_);
  std::swap(segment_bytes_, other.segment_bytes_);
  std::swap(size_, other.size_);
  std::swap(least_room_, other.least_room_);
  std::swap(probe_count_, other.probe_count_);
  replaced_.swap(other.replaced_);
}

}  // namespace nd
