#include "engine/suspected_copies_table.hpp"

#include <algorithm>
#include <new>
#include <type_traits>
#include <utility>

namespace nd::engine {
namespace {

static_assert(std::has_unique_object_representations_v<SuspectedPair>, "no padding may go into files");

auto place_of(std::span<const SuspectedPair> pairs, uint64_t older, uint64_t younger) noexcept {
  return std::ranges::find_if(
      pairs, [&](const SuspectedPair& pair) { return pair.older == older && pair.younger == younger; });
}

}  // namespace

std::optional<SuspectedCopiesRecord::View> SuspectedCopiesRecord::parse(store::Bytes bytes) noexcept {
  if (reinterpret_cast<uintptr_t>(bytes.data()) % alignof(SuspectedPair) != 0) return std::nullopt;
  if (bytes.size() < sizeof(uint64_t) || (bytes.size() - sizeof(uint64_t)) % sizeof(SuspectedPair) != 0)
    return std::nullopt;
  const size_t count = (bytes.size() - sizeof(uint64_t)) / sizeof(SuspectedPair);
  if (count > SuspectedCopiesTable::kPairsOfSite) return std::nullopt;
  const auto* last_use = reinterpret_cast<const uint64_t*>(bytes.data());
  return View{*last_use, {reinterpret_cast<const SuspectedPair*>(last_use + 1), count}};
}

void SuspectedCopiesRecord::write(Vector<uint8_t>& out) const {
  const auto append = [&out](const void* data, size_t size) {
    const auto* bytes = static_cast<const uint8_t*>(data);
    out.insert(out.end(), bytes, bytes + size);
  };
  append(&last_use, sizeof last_use);
  if (!pairs.empty()) append(pairs.data(), pairs.size() * sizeof(SuspectedPair));
}

void SuspectedCopiesTable::restore(const State& state) noexcept {
  pair_count_ = state.pair_count;
  clock_ = state.clock;
  is_ordered_ = false;
}

std::span<const SuspectedPair> SuspectedCopiesTable::pairs(uint64_t site) const noexcept {
  const std::optional<SuspectedCopiesRecord::View> record = sites_.find(site);
  return record ? record->pairs : std::span<const SuspectedPair>{};
}

uint64_t SuspectedCopiesTable::note(uint64_t site, uint64_t group_a, uint64_t group_b,
                                    uint64_t version) noexcept {
  if (parameters_.pairs == 0 || group_a == group_b) return 0;
  const SuspectedPair pair{std::min(group_a, group_b), std::max(group_a, group_b), version,
                           SuspectedPair::kNever};
  const std::span<const SuspectedPair> known = pairs(site);
  probe_count_ += known.size();
  if (place_of(known, pair.older, pair.younger) != known.end()) return 0;
  uint64_t forgotten = 0;
  try {
    SuspectedCopiesRecord* record = sites_.change(site);
    if (record == nullptr) record = &sites_.insert(site, SuspectedCopiesRecord{});
    if (is_ordered_) order_.use(site);
    record->last_use = ++clock_;
    const uint64_t bytes_before = record->memory_bytes();
    if (record->pairs.size() >= kPairsOfSite) {
      record->pairs.erase(record->pairs.begin());
      --pair_count_;
      ++forgotten;
    }
    record->pairs.push_back(pair);
    sites_.changed(bytes_before, record->memory_bytes());
    ++pair_count_;
    if (pair_count_ > parameters_.pairs) forgotten += forget_oldest();
  } catch (const std::bad_alloc&) {
    return forgotten;
  }
  return forgotten;
}

void SuspectedCopiesTable::compared(uint64_t site, uint64_t older, uint64_t younger, uint64_t version,
                                    bool witnessed) {
  SuspectedCopiesRecord* record = sites_.change(site);
  if (record == nullptr) return;
  probe_count_ += record->pairs.size();
  const auto place = place_of(record->pairs, older, younger);
  if (place == std::span<const SuspectedPair>(record->pairs).end()) return;
  const auto pair = record->pairs.begin() + (place - std::span<const SuspectedPair>(record->pairs).begin());
  (witnessed ? pair->witness_version : pair->version) = version;
  std::rotate(pair, pair + 1, record->pairs.end());
}

void SuspectedCopiesTable::forget(uint64_t site, uint64_t older, uint64_t younger) {
  sites_.reserve_more(1);
  SuspectedCopiesRecord* record = sites_.change(site);
  if (record == nullptr) return;
  probe_count_ += record->pairs.size();
  pair_count_ -= std::min<uint64_t>(pair_count_, std::erase_if(record->pairs, [&](const SuspectedPair& pair) {
                                      return pair.older == older && pair.younger == younger;
                                    }));
  if (!record->pairs.empty()) return;
  sites_.erase(site);
  order_.forget(site);
}

// Removes whole sites until there is room.
uint64_t SuspectedCopiesTable::forget_oldest() {
  if (!is_ordered_) put_in_order();
  uint64_t forgotten = 0;
  while (pair_count_ > parameters_.pairs) {
    const std::optional<uint64_t> oldest = order_.oldest();
    if (!oldest) break;
    sites_.reserve_more(1);
    ++probe_count_;
    const uint64_t count = pairs(*oldest).size();
    order_.forget(*oldest);
    sites_.erase(*oldest);
    pair_count_ -= std::min(count, pair_count_);
    forgotten += count;
  }
  return forgotten;
}

// Restores the content of a store. Cost: examines each site once.
void SuspectedCopiesTable::put_in_order() {
  Vector<std::pair<uint64_t, uint64_t>> by_age;  // last use, site
  uint64_t pair_count = 0;
  by_age.reserve(sites_.size());
  sites_.for_each(0, [&](uint64_t site, const SuspectedCopiesRecord::View& record) {
    pair_count += record.pairs.size();
    by_age.emplace_back(record.last_use, site);
    return true;
  });
  probe_count_ += by_age.size();
  std::ranges::sort(by_age);
  UseOrder order(secret_ ^ 1);
  for (const auto& [last_use, site] : by_age)
    order.use(site);
  order_.swap(order);
  is_ordered_ = true;
  pair_count_ = pair_count;  // a damaged store may claim any number
}

}  // namespace nd::engine
