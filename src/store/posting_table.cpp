// Copies a list into the active layer before its first change and keeps the counts of lists and numbers that
// the limits need.
#include "store/posting_table.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <new>
#include <utility>

#include "store/run.hpp"

namespace nd::store {
namespace {

static_assert(std::endian::native == std::endian::little, "lists are read where they stand in the file");

// Counts that were restored from a file may be less than what the runs hold.
void subtract(RelaxedCounter<uint64_t>& count, uint64_t less) noexcept {
  count -= std::min(count.get(), less);
}

}  // namespace

PostingTable::List PostingTable::List::single(uint64_t number) noexcept {
  List list;
  list.single_ = number;
  list.size_ = 1;
  return list;
}

PostingTable::List PostingTable::List::of(const NumberList::Content& content) noexcept {
  List list;
  list.numbers_ = content.numbers.data();
  list.size_ = content.numbers.size();
  list.ascends_ = content.ascends;
  return list;
}

PostingTable::List PostingTable::List::mark() noexcept {
  List list;
  list.marked_ = true;
  return list;
}

PostingTable::List PostingTable::list_of(const PostingLayer& layer,
                                         const PostingLayer::Entry& entry) noexcept {
  switch (entry.kind) {
    case PostingLayer::Kind::kSingle:
      return List::single(entry.value);
    case PostingLayer::Kind::kList:
      return List::of(layer.list(entry));
    case PostingLayer::Kind::kMarked:
      return List::mark();
    case PostingLayer::Kind::kErased:
    case PostingLayer::Kind::kAbsent:
      break;
  }
  return {};
}

PostingTable::List PostingTable::list_of(const RunEntry& entry) noexcept {
  if (entry.erased) return {};
  if (entry.value.empty()) return List::mark();
  if (entry.value.size() <= NumberBytes::kGreatestSize) {
    const uint64_t number = number_of(entry.value);
    return number == 0 ? List() : List::single(number);
  }
  const bool is_aligned = reinterpret_cast<uintptr_t>(entry.value.data()) % alignof(uint64_t) == 0;
  if (entry.value.size() % sizeof(uint64_t) != 0 || !is_aligned) return {};
  return List::of(
      {{reinterpret_cast<const uint64_t*>(entry.value.data()), entry.value.size() / sizeof(uint64_t)},
       false});
}

PostingTable::List PostingTable::find_below(uint64_t key) const noexcept {
  if (!has_frozen_ && runs_.empty()) return {};
  const PostingLayer::Entry frozen = frozen_.find(key);
  List list;
  if (frozen.kind != PostingLayer::Kind::kAbsent) {
    list = list_of(frozen_, frozen);
  } else if (!runs_.empty()) {
    if (const std::optional<RunEntry> entry = find_in_runs(runs_, key)) list = list_of(*entry);
    list.probes_ = static_cast<uint32_t>(runs_.size());
  }
  list.probes_ += frozen.probes;
  return list;
}

PostingTable::List PostingTable::find(uint64_t key) const noexcept {
  const PostingLayer::Entry active = active_.find(key);
  List list = active.kind != PostingLayer::Kind::kAbsent ? list_of(active_, active) : find_below(key);
  list.probes_ += active.probes;
  return list;
}

// For changes: counts the probes.
PostingLayer::Entry PostingTable::find_active(uint64_t key) noexcept {
  const PostingLayer::Entry active = active_.find(key);
  probe_count_ += active.probes;
  return active;
}

PostingTable::List PostingTable::list_at(const LayerMerge& merge) const noexcept {
  if (const PostingLayer* layer = memory_layer(merge)) return list_of(*layer, layer->find(merge.key()));
  return list_of(merge.entry());
}

// Copies the list of a key that the active layer does not have into it.
void PostingTable::take(uint64_t key, const List& below) {
  if (below.marked()) {
    active_.reserve_more(1);
    active_.set_marked(key);
  } else if (!below.empty()) {
    probe_count_ += below.size();
    active_.put(key, PostingLayer::copy(below.numbers()));
  }
}

// The key's entry in the active layer, to which it is copied first if another layer has it.
PostingLayer::Entry PostingTable::take_for_change(uint64_t key) {
  const PostingLayer::Entry active = find_active(key);
  if (active.kind != PostingLayer::Kind::kAbsent) return active;
  const List below = find_below(key);
  probe_count_ += below.probes();
  if (!below.exists()) return active;
  take(key, below);
  return find_active(key);
}

void PostingTable::prepare_change(uint64_t key) {
  take_for_change(key);
}

PostingTable::Found PostingTable::find_to_add(uint64_t key) noexcept {
  const PostingLayer::Entry active = find_active(key);
  if (active.kind != PostingLayer::Kind::kAbsent) return {active, list_of(active_, active)};
  const List below = find_below(key);
  probe_count_ += below.probes() + below.size();
  return {active, below};
}

std::optional<size_t> PostingTable::add_concurrently(uint64_t key, uint64_t number,
                                                     const Found& found) noexcept {
  if (found.list.marked()) return 0;
  size_t size_before = found.list.size();
  bool is_added = false;
  if (found.active.kind != PostingLayer::Kind::kAbsent || found.list.empty()) {
    is_added = active_.add_concurrently(key, found.active, number);
  } else {
    try {
      NumberList list = PostingLayer::copy(found.list.numbers());
      size_before = list.size();
      list.add(number);  // there is room
      is_added = active_.put_concurrently(key, list);
    } catch (const std::bad_alloc&) {
    }
  }
  if (!is_added) return std::nullopt;
  size_ += size_before == 0;
  ++number_count_;
  return size_before + 1;
}

size_t PostingTable::add(uint64_t key, uint64_t number) {
  const PostingLayer::Entry entry = take_for_change(key);
  const List before = list_of(active_, entry);
  if (before.marked()) return 0;
  const size_t size_before = before.size();
  active_.add(key, entry, number);
  size_ += size_before == 0;
  ++number_count_;
  return size_before + 1;
}

bool PostingTable::remove(uint64_t key, uint64_t number) noexcept {
  if (find_active(key).kind == PostingLayer::Kind::kAbsent) {
    const List below = find_below(key);
    const NumberPlace found = below.find(number);
    probe_count_ += below.probes() + found.passed;
    if (found.place == below.size()) return false;
    take(key, below);
  }
  if (!active_.remove(key, number)) return false;
  subtract(number_count_, 1);
  if (active_.find(key).kind != PostingLayer::Kind::kErased) return true;
  subtract(size_, 1);
  if (!find_below(key).exists()) active_.forget(key);
  return true;
}

void PostingTable::mark(uint64_t key) noexcept {
  const List before = find(key);
  if (before.marked()) return;
  size_ += before.empty();
  subtract(number_count_, before.size());
  ++marked_count_;
  active_.set_marked(key);
}

void PostingTable::restore_counts(uint64_t marked_count, uint64_t number_count) noexcept {
  marked_count_ = marked_count;
  number_count_ = number_count;
}

void PostingTable::freeze() noexcept {
  probe_count_ += active_.probe_count();
  TableOfLayers::freeze();
}

Result<void> PostingTable::write_frozen(RunSink& sink) const {
  for (const uint64_t key : ascending_keys(frozen_.keys(), 0)) {
    const List list = list_of(frozen_, frozen_.find(key));
    Result<void> added;
    if (!list.exists()) {
      added = sink.add_erased(key);
    } else if (list.size() == 1) {
      added = sink.add(key, NumberBytes(*list.begin()).bytes());
    } else {
      added = sink.add(key, {reinterpret_cast<const uint8_t*>(list.begin()), list.size() * sizeof(uint64_t)});
    }
    if (!added) return added;
  }
  return {};
}

}  // namespace nd::store
