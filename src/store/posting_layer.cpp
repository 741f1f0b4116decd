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

}  // namespace

PostingLayer::Entry PostingLayer::find(uint64_t key) const noexcept {
  const auto [entry, probes] = entries_.find_counted(key);
  if (entry == 0) return {Kind::kAbsent, probes, 0};
  return {static_cast<Kind>(entry & kKinds), probes, entry >> kKindBits};
}

PostingLayer::List PostingLayer::copy(std::span<const uint64_t> numbers) {
  List list;
  list.numbers.reserve(numbers.size() + numbers.size() / kRoomShare + 1);
  for (const uint64_t number : numbers) {
    if (is_number(number)) list.add(number);
  }
  return list;
}

void PostingLayer::put(uint64_t key, List list) {
  entries_.reserve_more(1);
  if (list.numbers.empty()) return set_erased(key);
  if (list.numbers.size() == 1) return entries_.put(key, make(Kind::kSingle, list.numbers.entries().front()));
  entries_.put(key, make(Kind::kList, keep(std::move(list))));
}

void PostingLayer::add(uint64_t key, const Entry& entry, uint64_t number) {
  assert(is_number(number));
  if (entry.kind == Kind::kList) {
    List& list = lists_[entry.value];
    const size_t bytes_before = list.numbers.memory_bytes();
    list.add(number);
    list_bytes_ += list.numbers.memory_bytes() - bytes_before;
  } else if (entry.kind == Kind::kSingle) {
    List list;
    list.numbers.reserve(2);
    list.add(entry.value);
    list.add(number);
    entries_.put(key, make(Kind::kList, keep(std::move(list))));
  } else {
    entries_.put(key, make(Kind::kSingle, number));
  }
}

bool PostingLayer::remove(uint64_t key, uint64_t number) noexcept {
  const Entry entry = find(key);
  if (entry.kind == Kind::kSingle && entry.value == number) {
    set_erased(key);
    return true;
  }
  if (entry.kind != Kind::kList) return false;
  List& list = lists_[entry.value];
  const NumberPlace found = find_number(list.numbers.entries(), number, list.ascends);
  probe_count_ += found.passed;
  if (found.place == list.numbers.size()) return false;
  probe_count_ += list.numbers.erase(found.place);
  if (list.numbers.empty()) {
    set_erased(key);
  } else if (list.numbers.size() == 1) {
    const uint64_t single = make(Kind::kSingle, list.numbers.entries().front());
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
  return entries_.memory_bytes() + lists_.memory_bytes() + list_bytes_;
}

void PostingLayer::swap(PostingLayer& other) noexcept {
  entries_.swap(other.entries_);
  lists_.swap(other.lists_);
  std::swap(list_bytes_, other.list_bytes_);
  std::swap(probe_count_, other.probe_count_);
}

void PostingLayer::replace(uint64_t key, uint64_t entry) noexcept {
  const Entry before = find(key);
  entries_.put(key, entry);
  if (before.kind == Kind::kList) free_list(before.value);
}

uint32_t PostingLayer::keep(List list) {
  if (lists_.size() == kMostLists) throw std::bad_alloc();
  const uint32_t place = lists_.take();
  list_bytes_ += list.numbers.memory_bytes();
  lists_[place] = std::move(list);
  return place;
}

void PostingLayer::free_list(uint64_t list) noexcept {
  list_bytes_ -= lists_[list].numbers.memory_bytes();
  lists_.give_back(static_cast<uint32_t>(list));
}

}  // namespace nd::store
