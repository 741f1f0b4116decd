#include "spotsigs/spot_index.hpp"

#include <algorithm>

namespace nd::spotsigs {
namespace {

constexpr uint64_t kLargestShare = 8;  // of the budget: one page must not empty the index
// Lists and postings of the running epoch for each insertion: some times what the insertion itself does.
constexpr uint64_t kEpochWork = 1024;

}  // namespace

uint64_t SpotIndex::frequency(SpotEntry entry) const noexcept {
  if (entry.is_none()) return 0;
  return entry.is_list() ? lists_[entry.number()].size() : 1;
}

bool SpotIndex::dropped(SpotEntry entry) const noexcept {
  return entry.is_list() ? lists_.dropped(entry.number()) : entry.dropped();
}

Posting SpotIndex::posting_in(uint32_t number, const StoredDocument& document, uint32_t slot) const noexcept {
  return posting(number < sorted_end_ ? document.length : document.sorted_length, slot);
}

SpotIndex::Inserted SpotIndex::insert(uint32_t slot, SpotVector spots) {
  if (spots.empty() || slot > kGreatestSlot || length(spots) > UINT32_MAX || contains(slot) ||
      too_large(spots)) {
    ++counts_.refused;
    return {false, 0};
  }
  advance_epoch(kEpochWork);
  uint32_t kept_length = 0;
  for (const Spot& spot : spots)
    table_.prefetch(spot.hash);
  for (const Spot& spot : spots) {
    const uint32_t value = table_.find(spot.hash);
    if (value == SpotTable::kAbsent || !dropped(SpotEntry(value))) kept_length += spot.count;
  }
  StoredDocument& document = store_.add(slot, spots);
  document.length = document.sorted_length = kept_length;
  uint32_t added = 0;
  try {
    for (; added < spots.size(); ++added)
      add_posting(spots[added].hash, document, slot);
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

void SpotIndex::add_posting(uint64_t hash, const StoredDocument& document, uint32_t slot) {
  const uint32_t value = table_.find(hash);
  if (value == SpotTable::kAbsent) return table_.put(hash, SpotEntry::document(slot).bits());
  const SpotEntry entry(value);
  if (entry.is_list()) return lists_.insert(entry.number(), posting_in(entry.number(), document, slot));
  const uint32_t number = lists_.create();
  try {
    lists_.insert(number, posting_in(number, store_.at(entry.number()), entry.number()));
  } catch (...) {
    lists_.release(number);
    throw;
  }
  lists_.insert(number, posting_in(number, document, slot));
  lists_.set_dropped(number, entry.dropped());
  table_.put(hash, SpotEntry::list(number).bits());
}

// A signature that no document has is forgotten. One that the epoch leaves out keeps its list to the last:
// the next pass must find it.
void SpotIndex::remove_posting(uint64_t hash, const StoredDocument& document, uint32_t slot) noexcept {
  const SpotEntry entry(table_.find(hash));
  if (!entry.is_list()) {
    counts_.dropped -= entry.dropped();
    return table_.erase(hash);
  }
  const uint32_t number = entry.number();
  const bool is_dropped = lists_.dropped(number);
  lists_.erase(number, posting_in(number, document, slot));
  const size_t left = lists_[number].size();
  if (left == 0) {
    counts_.dropped -= is_dropped;
    lists_.release(number);
    return table_.erase(hash);
  }
  if (left > 1 || is_dropped) return;
  uint32_t last = 0;
  lists_[number].visit_from(0, [&](Posting only) {
    last = slot_of(only);
    return false;
  });
  lists_.release(number);
  table_.put(hash, SpotEntry::document(last).bits());
}

void SpotIndex::remove_postings(const StoredDocument& document, uint32_t slot, uint32_t count) noexcept {
  for (uint32_t i = 0; i < count; ++i)
    table_.prefetch(document.hash(i));
  for (uint32_t i = 0; i < count; ++i)
    remove_posting(document.hash(i), document, slot);
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
  return table_.memory_bytes() + store_.memory_bytes() + lists_.memory_bytes() +
         buffer_.capacity() * sizeof(Posting);
}

uint64_t SpotIndex::budget_bytes() const noexcept {
  return table_.greatest_bytes() + store_.memory_bytes() + lists_.memory_bytes() +
         buffer_.capacity() * sizeof(Posting);
}

SpotIndexCounts SpotIndex::counts() const noexcept {
  SpotIndexCounts counts = counts_;
  counts.documents = store_.size();
  counts.signatures = table_.size();
  return counts;
}

}  // namespace nd::spotsigs
