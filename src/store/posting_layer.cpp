// Puts and removes the numbers of a list; the variants for concurrent readers copy a list and publish the
// copy.
#include "store/posting_layer.hpp"

#include <algorithm>
#include <cassert>
#include <new>
#include <utility>

namespace nd::store {
namespace {

constexpr size_t kRoomShare = 8;

constexpr bool is_number(uint64_t number) noexcept {
  return number != 0 && number <= PostingLayer::kGreatestNumber;
}

NumberList pair_of(uint64_t first, uint64_t second) {
  NumberList list;
  list.reserve(2);
  list.add(first);
  list.add(second);
  return list;
}

}  // namespace

PostingLayer::Entry PostingLayer::find(uint64_t key) const noexcept {
  const auto [entry, probes] = entries_.find_counted(key);
  if (entry == 0) return {Kind::kAbsent, probes, 0};
  return {static_cast<Kind>(entry & kKinds), probes, entry >> kKindBits};
}

NumberList PostingLayer::copy(std::span<const uint64_t> numbers) {
  NumberList list;
  list.reserve(numbers.size() + numbers.size() / kRoomShare + 1);
  for (const uint64_t number : numbers) {
    if (is_number(number)) list.add(number);
  }
  return list;
}

void PostingLayer::put(uint64_t key, NumberList list) {
  entries_.reserve_more(1);
  if (list.empty()) return set_erased(key);
  if (list.size() == 1) return entries_.put(key, make(Kind::kSingle, list.numbers().front()));
  entries_.put(key, make(Kind::kList, keep(std::move(list))));
}

void PostingLayer::add(uint64_t key, const Entry& entry, uint64_t number) {
  assert(is_number(number));
  if (entry.kind == Kind::kList) {
    NumberList& list = lists_[entry.value];
    const size_t bytes_before = list.memory_bytes();
    list.add(number);
    list_bytes_ += list.memory_bytes() - bytes_before;
  } else if (entry.kind == Kind::kSingle) {
    entries_.put(key, make(Kind::kList, keep(pair_of(entry.value, number))));
  } else {
    entries_.put(key, make(Kind::kSingle, number));
  }
}

bool PostingLayer::put_concurrently(uint64_t key, NumberList& list) noexcept {
  if (list.size() < 2)
    return entries_.put_concurrently(
        key, list.empty() ? make(Kind::kErased, 0) : make(Kind::kSingle, list.numbers().front()));
  return keep_concurrently(key, list);
}

bool PostingLayer::add_concurrently(uint64_t key, const Entry& entry, uint64_t number) noexcept {
  assert(is_number(number));
  if (entry.kind != Kind::kList && entry.kind != Kind::kSingle)
    return entries_.put_concurrently(key, make(Kind::kSingle, number));
  try {
    if (entry.kind == Kind::kSingle) {
      NumberList list = pair_of(entry.value, number);
      return keep_concurrently(key, list);
    }
    replaced_.reserve(replaced_.size() + 1);
    NumberList& list = lists_[entry.value];
    const size_t bytes_before = list.memory_bytes();
    if (uint64_t* replaced = list.add_concurrently(number)) replaced_.push_back(replaced);
    list_bytes_ += list.memory_bytes() - bytes_before;
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

// No reader knows the list's place before the entry names it.
bool PostingLayer::keep_concurrently(uint64_t key, NumberList& list) noexcept {
  if (!lists_.may_take_concurrently()) return false;
  try {
    const uint32_t place = keep(std::move(list));
    if (entries_.put_concurrently(key, make(Kind::kList, place))) return true;
    list_bytes_ -= lists_[place].memory_bytes();
    list = std::move(lists_[place]);
    lists_.give_back(place);
  } catch (const std::bad_alloc&) {
  }
  return false;
}

void PostingLayer::release_replaced() noexcept {
  for (uint64_t* replaced : replaced_)
    release_bytes(replaced);
  replaced_.clear();
  entries_.release_replaced();
}

bool PostingLayer::remove(uint64_t key, uint64_t number) noexcept {
  const Entry entry = find(key);
  if (entry.kind == Kind::kSingle && entry.value == number) {
    set_erased(key);
    return true;
  }
  if (entry.kind != Kind::kList) return false;
  NumberList& list = lists_[entry.value];
  const NumberList::Content content = list.content();
  const NumberPlace found = find_number(content.numbers, number, content.ascends);
  probe_count_ += found.passed;
  if (found.place == content.numbers.size()) return false;
  probe_count_ += list.erase(found.place);
  if (list.empty()) {
    set_erased(key);
  } else if (list.size() == 1) {
    const uint64_t single = make(Kind::kSingle, list.numbers().front());
    if (entries_.fits(key, single)) replace(key, single);
  }
  return true;
}

void PostingLayer::forget(uint64_t key) noexcept {
  const Entry entry = find(key);
  if (entry.kind == Kind::kList) free_list(entry.value);
  entries_.erase(key);
}

uint64_t PostingLayer::memory_bytes() const noexcept {
  return entries_.memory_bytes() + array_bytes_ + list_bytes_;
}

void PostingLayer::swap(PostingLayer& other) noexcept {
  entries_.swap(other.entries_);
  lists_.swap(other.lists_);
  std::swap(list_bytes_, other.list_bytes_);
  std::swap(array_bytes_, other.array_bytes_);
  replaced_.swap(other.replaced_);
  std::swap(probe_count_, other.probe_count_);
}

void PostingLayer::replace(uint64_t key, uint64_t entry) noexcept {
  const Entry before = find(key);
  entries_.put(key, entry);
  if (before.kind == Kind::kList) free_list(before.value);
}

// Throws std::bad_alloc; the caller then still owns the list.
uint32_t PostingLayer::keep(NumberList&& list) {
  if (lists_.size() == kMostLists) throw std::bad_alloc();
  const uint32_t place = lists_.take();
  list_bytes_ += list.memory_bytes();
  array_bytes_ = lists_.memory_bytes();
  lists_[place] = std::move(list);
  return place;
}

void PostingLayer::free_list(uint64_t list) noexcept {
  list_bytes_ -= lists_[list].memory_bytes();
  lists_.give_back(static_cast<uint32_t>(list));
}

}  // namespace nd::store
