#include "spotsigs/spot_index.hpp"

#include <algorithm>

namespace nd::spotsigs {
namespace {

constexpr uint64_t kLargestShare = 8;  // of the budget: one page must not empty the index

}  // namespace

uint64_t SpotIndex::frequency(SpotEntry entry) const noexcept {
  if (entry.is_orphan()) return 0;
  return entry.is_list() ? lists_[entry.number()].size() : 1;
}

SpotIndex::Inserted SpotIndex::insert(uint32_t slot, SpotVector spots) {
  if (spots.empty() || slot > kGreatestSlot || length(spots) > UINT32_MAX || contains(slot) ||
      too_large(spots)) {
    ++counts_.refused;
    return {false, 0};
  }
  uint32_t kept_length = 0;
  for (const Spot& spot : spots)
    table_.prefetch(spot.hash);
  for (const Spot& spot : spots) {
    const uint32_t value = table_.find(spot.hash);
    if (value == SpotTable::kAbsent || !SpotEntry(value).dropped()) kept_length += spot.count;
  }
  StoredDocument& document = store_.add(slot, spots);
  document.length = kept_length;
  uint32_t added = 0;
  try {
    for (; added < spots.size(); ++added)
      add_posting(spots[added].hash, posting(kept_length, slot));
  } catch (...) {
    remove_postings(document, slot, added);
    store_.remove(slot);
    throw;
  }
  ++inserted_since_epoch_;
  const uint32_t evicted = evict();
  return {contains(slot), evicted};
}

bool SpotIndex::remove(uint32_t slot) noexcept {
  if (!contains(slot)) return false;
  const StoredDocument& document = store_.at(slot);
  remove_postings(document, slot, document.distinct());
  store_.remove(slot);
  return true;
}

void SpotIndex::add_posting(uint64_t hash, Posting added) {
  const uint32_t value = table_.find(hash);
  if (value == SpotTable::kAbsent) return table_.put(hash, SpotEntry::document(slot_of(added)).bits());
  const SpotEntry entry(value);
  if (entry.is_list()) return lists_.insert(entry.number(), added);
  if (entry.is_orphan()) {
    --orphans_;
    return table_.put(hash, SpotEntry::document(slot_of(added)).with_dropped(entry.dropped()).bits());
  }
  const uint32_t number = lists_.create();
  try {
    lists_.insert(number, posting(store_.at(entry.number()).length, entry.number()));
  } catch (...) {
    lists_.release(number);
    throw;
  }
  lists_.insert(number, added);
  table_.put(hash, SpotEntry::list(number).with_dropped(entry.dropped()).bits());
}

void SpotIndex::remove_posting(uint64_t hash, Posting removed) noexcept {
  const SpotEntry entry(table_.find(hash));
  if (!entry.is_list()) {
    if (!entry.dropped()) return table_.erase(hash);
    ++orphans_;
    return table_.put(hash, SpotEntry::orphan().with_dropped(true).bits());
  }
  const uint32_t number = entry.number();
  lists_.erase(number, removed);
  if (lists_[number].size() > 1) return;
  uint32_t last = 0;
  lists_[number].visit_from(0, [&](Posting only) {
    last = slot_of(only);
    return false;
  });
  lists_.release(number);
  table_.put(hash, SpotEntry::document(last).with_dropped(entry.dropped()).bits());
}

void SpotIndex::remove_postings(const StoredDocument& document, uint32_t slot, uint32_t count) noexcept {
  for (uint32_t i = 0; i < count; ++i)
    table_.prefetch(document.hash(i));
  for (uint32_t i = 0; i < count; ++i)
    remove_posting(document.hash(i), posting(document.length, slot));
}

bool SpotIndex::too_large(SpotVector spots) const noexcept {
  const uint64_t bytes = SpotStore::vector_bytes(spots) + spots.size() * SpotTable::kGreatestBytesPerEntry;
  return parameters_.bytes != 0 && bytes > parameters_.bytes / kLargestShare;
}

uint32_t SpotIndex::evict() noexcept {
  uint32_t evicted = 0;
  while (parameters_.bytes != 0 && budget_bytes() > parameters_.bytes && store_.size() > 0) {
    remove(store_.oldest());
    ++evicted;
  }
  counts_.evicted += evicted;
  return evicted;
}

uint64_t SpotIndex::memory_bytes() const noexcept {
  return table_.memory_bytes() + store_.memory_bytes() + lists_.memory_bytes();
}

uint64_t SpotIndex::budget_bytes() const noexcept {
  return table_.greatest_bytes() + store_.memory_bytes() + lists_.memory_bytes();
}

SpotIndexCounts SpotIndex::counts() const noexcept {
  SpotIndexCounts counts = counts_;
  counts.documents = store_.size();
  counts.signatures = table_.size() - orphans_;
  return counts;
}

}  // namespace nd::spotsigs
