// The walk over all layers in ascending order of keys, in which the topmost entry of a key is the one that
// counts.
#include "store/layered_table.hpp"

#include <algorithm>
#include <utility>

namespace nd::store {
namespace {

template <typename Map>
Vector<uint64_t> sorted_keys(const Map& map, uint64_t least) {
  Vector<uint64_t> keys;
  keys.reserve(map.size());
  map.for_each([&](uint64_t key, uint64_t) {
    if (key >= least) keys.push_back(key);
  });
  std::sort(keys.begin(), keys.end());
  return keys;
}

}  // namespace

Vector<uint64_t> ascending_keys(const HashMap<uint64_t>& map, uint64_t least) {
  return sorted_keys(map, least);
}

Vector<uint64_t> ascending_keys(const PackedNumberMap& map, uint64_t least) {
  return sorted_keys(map, least);
}

std::optional<RunEntry> find_in_runs(const Runs& runs, uint64_t key) noexcept {
  for (size_t i = runs.size(); i > 0; --i) {
    if (std::optional<RunEntry> entry = runs[i - 1]->find(key)) return entry;
  }
  return std::nullopt;
}

LayerMerge::LayerMerge(Vector<uint64_t> active, Vector<uint64_t> frozen, const Runs& runs, uint64_t least)
    : active_(std::move(active)), frozen_(std::move(frozen)) {
  runs_.reserve(runs.size());
  for (const std::shared_ptr<const Run>& run : runs) {
    runs_.push_back({run.get(), run->lower_bound(least), {}, std::nullopt, {}});
    find_entry(runs_.back(), least);
  }
}

// The first readable entry at or after the cursor's position whose key is not below `least`.
void LayerMerge::find_entry(RunCursor& cursor, uint64_t least) noexcept {
  for (; cursor.position < cursor.run->entry_count(); ++cursor.position) {
    cursor.entry = cursor.run->at(cursor.position, cursor.hint);
    if (!cursor.entry) continue;
    if (cursor.entry->key >= least && cursor.order.follows(*cursor.entry)) return;
    cursor.run->report_disorder(cursor.position);
  }
  cursor.entry.reset();
}

void LayerMerge::pass(RunCursor& cursor, uint64_t key) noexcept {
  if (!cursor.entry || cursor.entry->key != key) return;
  ++cursor.position;
  if (key == UINT64_MAX) {
    cursor.entry.reset();
  } else {
    find_entry(cursor, key + 1);
  }
}

bool LayerMerge::next() noexcept {
  bool found = false;
  const auto offer = [&](uint64_t key, Layer layer) {
    if (found && key >= key_) return false;
    found = true;
    key_ = key;
    layer_ = layer;
    return true;
  };
  if (active_at_ < active_.size()) offer(active_[active_at_], Layer::kActive);
  if (frozen_at_ < frozen_.size()) offer(frozen_[frozen_at_], Layer::kFrozen);
  for (size_t i = runs_.size(); i > 0; --i) {
    const std::optional<RunEntry>& entry = runs_[i - 1].entry;
    if (entry && offer(entry->key, Layer::kRun)) entry_ = *entry;
  }
  if (!found) return false;
  if (active_at_ < active_.size() && active_[active_at_] == key_) ++active_at_;
  if (frozen_at_ < frozen_.size() && frozen_[frozen_at_] == key_) ++frozen_at_;
  for (RunCursor& cursor : runs_)
    pass(cursor, key_);
  return true;
}

}  // namespace nd::store
