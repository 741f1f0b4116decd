#include "store/posting_table.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

#include "core/hash.hpp"
#include "store/run.hpp"

namespace nd::store {
namespace {

static_assert(std::endian::native == std::endian::little, "lists are read where they stand in the file");

// Counts that were restored from a file may be less than what the runs hold.
void subtract(uint64_t& count, uint64_t less) noexcept {
  count -= std::min(count, less);
}

}  // namespace

PostingTable::List PostingTable::List::single(uint64_t number) noexcept {
  List list;
  list.single_ = number;
  list.size_ = 1;
  return list;
}

PostingTable::List PostingTable::List::of(std::span<const uint64_t> numbers, bool ascends) noexcept {
  List list;
  list.numbers_ = numbers.data();
  list.size_ = numbers.size();
  list.ascends_ = ascends;
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
      return List::of(layer.list(entry), layer.ascends(entry));
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
      {reinterpret_cast<const uint64_t*>(entry.value.data()), entry.value.size() / sizeof(uint64_t)}, false);
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

// For a change: it counts.
PostingLayer::Entry PostingTable::find_active(uint64_t key) noexcept {
  const PostingLayer::Entry active = active_.find(key);
  probe_count_ += active.probes;
  return active;
}

PostingTable::List PostingTable::list_at(const LayerMerge& merge) const noexcept {
  switch (merge.layer()) {
    case LayerMerge::Layer::kActive:
      return list_of(active_, active_.find(merge.key()));
    case LayerMerge::Layer::kFrozen:
      return list_of(frozen_, frozen_.find(merge.key()));
    case LayerMerge::Layer::kRun:
      break;
  }
  return list_of(merge.entry());
}

// A key that the active layer does not have.
void PostingTable::take(uint64_t key, const List& below) {
  if (below.marked()) {
    active_.reserve_more(1);
    active_.set_marked(key);
  } else if (!below.empty()) {
    probe_count_ += below.size();
    active_.put(key, PostingLayer::copy(below.numbers()));
  }
}

// The key's entry in the active layer, which has it then unless no layer does.
PostingLayer::Entry PostingTable::take_for_change(uint64_t key) {
  forget_prepared();
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

void PostingTable::prepare_additions(std::span<const uint64_t> keys) {
  prepared_.clear();
  next_prepared_ = 0;
  // What is added twice is not as it was prepared the second time.
  if (!is_distinct(keys)) return;
  prepared_.reserve(keys.size());
  for (const uint64_t key : keys)
    active_.prefetch_for_change(key);
  for (const uint64_t key : keys)
    prepared_.push_back(prepare(key));
}

bool PostingTable::is_distinct(std::span<const uint64_t> keys) {
  seen_keys_.assign(std::bit_ceil(2 * keys.size() + 1), 0);
  const size_t mask = seen_keys_.size() - 1;
  for (const uint64_t key : keys) {
    size_t at = mix(key ^ secret_) & mask;
    while (seen_keys_[at] != 0 && seen_keys_[at] != key)
      at = (at + 1) & mask;
    if (seen_keys_[at] == key) return false;  // or the key is 0, which is as good as never
    seen_keys_[at] = key;
  }
  return true;
}

PostingTable::Prepared PostingTable::prepare(uint64_t key) {
  Prepared out{key, find_active(key)};
  if (out.entry.kind != PostingLayer::Kind::kAbsent) return out;
  const List below = find_below(key);
  probe_count_ += below.probes() + below.size();
  if (below.marked()) out.entry.kind = PostingLayer::Kind::kMarked;
  if (!below.empty()) out.below = PostingLayer::copy(below.numbers());
  return out;
}

// Null if the key was not prepared, or something else has changed since: then nothing that was prepared is
// used any more.
PostingTable::Prepared* PostingTable::prepared(uint64_t key) noexcept {
  while (next_prepared_ < prepared_.size() && prepared_[next_prepared_].key != key)
    ++next_prepared_;
  return next_prepared_ < prepared_.size() ? &prepared_[next_prepared_] : nullptr;
}

PostingTable::List PostingTable::find_to_add(uint64_t key) noexcept {
  const Prepared* found = prepared(key);
  if (found == nullptr) return find(key);
  if (!found->below.numbers.empty()) return List::of(found->below.numbers.entries(), found->below.ascends);
  return list_of(active_, found->entry);
}

size_t PostingTable::add_prepared(Prepared& prepared, uint64_t number) {
  if (prepared.entry.kind == PostingLayer::Kind::kMarked) return 0;
  size_t size_before = list_of(active_, prepared.entry).size();
  if (prepared.below.numbers.empty()) {
    active_.add(prepared.key, prepared.entry, number);
  } else {
    size_before = prepared.below.numbers.size();
    prepared.below.add(number);  // there is room
    active_.put(prepared.key, std::move(prepared.below));
  }
  size_ += size_before == 0;
  ++number_count_;
  return size_before + 1;
}

size_t PostingTable::add(uint64_t key, uint64_t number) {
  if (Prepared* found = prepared(key)) {
    ++next_prepared_;
    return add_prepared(*found, number);
  }
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
  forget_prepared();
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
  forget_prepared();
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

void PostingTable::attach(Runs runs, uint64_t size) noexcept {
  forget_prepared();
  runs_ = std::move(runs);
  size_ = size;
}

void PostingTable::freeze() noexcept {
  assert(!has_frozen_);
  forget_prepared();
  probe_count_ += active_.probe_count();
  active_.swap(frozen_);
  has_frozen_ = true;
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

void PostingTable::install(Runs runs) noexcept {
  forget_prepared();
  discard();
  frozen_.swap(spent_);
  has_frozen_ = false;
  runs_ = std::move(runs);
}

}  // namespace nd::store
