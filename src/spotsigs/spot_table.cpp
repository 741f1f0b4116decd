#include "spotsigs/spot_table.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "core/hash.hpp"

namespace nd::spotsigs {
namespace {

constexpr size_t kLeastSlots = 8;

// Grown when more than three quarters full, shrunk below one half, to three fifths both: far from either.
bool full(size_t used, size_t slots) noexcept {
  return used * 4 > slots * 3;
}
bool sparse(size_t used, size_t slots) noexcept {
  return slots > kLeastSlots && used * 2 < slots;
}
size_t fitting(size_t used) noexcept {
  return used == 0 ? 0 : std::max(kLeastSlots, used * 5 / 3 + 1);
}

}  // namespace

uint64_t SpotTable::hash(uint64_t key) const noexcept {
  return mix(key ^ secret_);
}

// The bits below the shard's, as a fraction of the number of slots.
size_t SpotTable::home(const Shard& shard, uint64_t hash) noexcept {
  using Wide = unsigned __int128;
  return static_cast<size_t>(Wide{hash << kShardBits} * shard.slots.size() >> 64);
}

size_t SpotTable::place(const Shard& shard, uint64_t key, uint64_t hash) const noexcept {
  size_t at = home(shard, hash);
  while (shard.slots[at].value != kAbsent && shard.slots[at].key() != key)
    at = at + 1 == shard.slots.size() ? 0 : at + 1;
  return at;
}

uint32_t SpotTable::find(uint64_t key) const noexcept {
  if (shards_.empty()) return kAbsent;
  const uint64_t hashed = hash(key);
  const Shard& shard = shard_of(hashed);
  return shard.slots.empty() ? kAbsent : shard.slots[place(shard, key, hashed)].value;
}

// A shard has twice as many slots as entries, or the least number.
uint64_t SpotTable::greatest_bytes() const noexcept {
  constexpr uint64_t kShards = uint64_t{1} << kShardBits;
  if (size_ == 0) return 0;
  return kShards * (sizeof(Shard) + kLeastSlots * sizeof(Slot)) + size_ * kGreatestBytesPerEntry;
}

void SpotTable::prefetch(uint64_t key) const noexcept {
  if (shards_.empty()) return;
  const uint64_t hashed = hash(key);
  const Shard& shard = shard_of(hashed);
  if (!shard.slots.empty()) __builtin_prefetch(&shard.slots[home(shard, hashed)]);
}

void SpotTable::put(uint64_t key, uint32_t value) {
  if (shards_.empty()) {
    Vector<Shard> shards(size_t{1} << kShardBits);
    shards_.swap(shards);
  }
  const uint64_t hashed = hash(key);
  Shard& shard = shard_of(hashed);
  if (!shard.slots.empty()) {
    Slot& slot = shard.slots[place(shard, key, hashed)];
    if (slot.value != kAbsent) {
      slot.value = value;
      return;
    }
  }
  if (full(shard.used + 1, shard.slots.size())) resize(shard, fitting(shard.used + 1));
  shard.slots[place(shard, key, hashed)] = {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32),
                                            value};
  ++shard.used;
  ++size_;
}

void SpotTable::erase(uint64_t key) noexcept {
  if (shards_.empty()) return;
  const uint64_t hashed = hash(key);
  Shard& shard = shard_of(hashed);
  if (shard.slots.empty()) return;
  Vector<Slot>& slots = shard.slots;
  size_t hole = place(shard, key, hashed);
  if (slots[hole].value == kAbsent) return;
  const auto next = [&](size_t at) { return at + 1 == slots.size() ? 0 : at + 1; };
  const auto distance = [&](size_t from, size_t to) {
    return to >= from ? to - from : to + slots.size() - from;
  };
  // Whatever follows in the run moves up unless that would put it before its home.
  for (size_t at = next(hole); slots[at].value != kAbsent; at = next(at)) {
    if (distance(home(shard, hash(slots[at].key())), at) < distance(hole, at)) continue;
    slots[hole] = slots[at];
    hole = at;
  }
  slots[hole].value = kAbsent;
  --shard.used;
  --size_;
  if (sparse(shard.used, slots.size())) shrink(shard);
  if (size_ == 0) {
    Vector<Shard>().swap(shards_);
    slot_bytes_ = 0;
  }
}

void SpotTable::resize(Shard& shard, size_t slots) {
  Shard resized;
  resized.slots.assign(slots, Slot{0, 0, kAbsent});
  resized.used = shard.used;
  for (const Slot& slot : shard.slots) {
    if (slot.value == kAbsent) continue;
    resized.slots[place(resized, slot.key(), hash(slot.key()))] = slot;
  }
  slot_bytes_ += (resized.slots.capacity() - shard.slots.capacity()) * sizeof(Slot);
  std::swap(shard, resized);
}

void SpotTable::shrink(Shard& shard) noexcept {
  try {
    resize(shard, fitting(shard.used));
  } catch (const std::bad_alloc&) {
    // A table that is too large answers as well.
  }
}

}  // namespace nd::spotsigs
