// The epochs of SpotIndex: docs/spotsigs.md.
#include <algorithm>

#include "spotsigs/spot_index.hpp"

namespace nd::spotsigs {

bool SpotIndex::epoch_due() const noexcept {
  return inserted_since_epoch_ >= std::max(parameters_.epoch_documents, counts_.epoch_documents);
}

void SpotIndex::start_epoch() {
  size_t longest = 0;
  for (uint32_t number = 0; number < lists_.number_end(); ++number)
    longest = std::max(longest, lists_[number].size());
  // The last allocations; nothing has changed before them.
  Vector<Posting> buffer;
  buffer.reserve(longest);
  Vector<uint64_t> orphans;
  orphans.reserve(orphans_);

  const FrequencyRange range = frequency_range(parameters_.band, store_.size());
  counts_.dropped = 0;
  bool changed = false;
  table_.for_each([&](uint64_t hash, uint32_t& value) {
    const SpotEntry entry(value);
    if (entry.is_orphan()) return orphans.push_back(hash);
    const bool drops = !range.contains(frequency(entry));
    if (drops) ++counts_.dropped;
    if (drops == entry.dropped()) return;
    set_dropped(hash, value, drops);
    changed = true;
  });
  for (const uint64_t hash : orphans)
    table_.erase(hash);
  orphans_ = 0;
  if (changed) sort_lists(buffer);
  ++counts_.epoch;
  counts_.epoch_documents = store_.size();
  inserted_since_epoch_ = 0;
}

// Documents grow or shrink by the signature; the lists keep the old lengths until sort_lists().
void SpotIndex::set_dropped(uint64_t hash, uint32_t& value, bool drops) noexcept {
  const SpotEntry entry(value);
  visit_postings(entry, 0, [&](Posting held) {
    StoredDocument& document = store_.at(slot_of(held));
    const uint32_t count = document.count_of(hash);
    document.length = drops ? document.length - count : document.length + count;
    return true;
  });
  value = entry.with_dropped(drops).bits();
}

void SpotIndex::sort_lists(Vector<Posting>& buffer) noexcept {
  for (uint32_t number = 0; number < lists_.number_end(); ++number) {
    bool stale = false;
    buffer.clear();
    lists_[number].visit_from(0, [&](Posting held) {
      buffer.push_back(posting(store_.at(slot_of(held)).length, slot_of(held)));
      stale = stale || buffer.back() != held;
      return true;
    });
    if (!stale) continue;
    std::sort(buffer.begin(), buffer.end());
    lists_.rewrite(number, buffer);
  }
}

}  // namespace nd::spotsigs
