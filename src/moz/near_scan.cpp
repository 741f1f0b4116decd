#include "moz/near_scan.hpp"

namespace nd::moz {
namespace {

// These are compiled into each loop, so that the loop's instruction set decides what counting bits becomes.
#define NDC_IN_LOOP [[gnu::always_inline]] inline

NDC_IN_LOOP uint32_t differing(const BucketItem& item, uint32_t check) noexcept {
  return static_cast<uint32_t>(__builtin_popcount(item.check ^ check));
}
NDC_IN_LOOP uint32_t differing(uint64_t a, uint64_t b) noexcept {
  return static_cast<uint32_t>(__builtin_popcountll(a ^ b));
}
// Both halves are always counted: the first alone stays below 31 for half of all pairs, and a branch that is
// right half of the time costs more than the second count.
NDC_IN_LOOP uint32_t differing(const Hash128& a, const Hash128& b) noexcept {
  return differing(a.low, b.low) + differing(a.high, b.high);
}
NDC_IN_LOOP uint32_t number_of(const BucketItem& item, size_t) noexcept {
  return item.number;
}
template <typename Hash>
NDC_IN_LOOP uint32_t number_of(const Hash&, size_t place) noexcept {
  return static_cast<uint32_t>(place);
}

template <typename Item, typename Query>
NDC_IN_LOOP void collect(std::span<const Item> items, const Query& query, uint32_t distance,
                         Vector<uint32_t>& out) {
  for (size_t i = 0; i < items.size(); ++i) {
    if (differing(items[i], query) <= distance) out.push_back(number_of(items[i], i));
  }
}

template <typename Item, typename Query>
void collect_anywhere(std::span<const Item> items, const Query& query, uint32_t distance,
                      Vector<uint32_t>& out) {
  collect(items, query, distance, out);
}

// The baseline of x86-64 has no instruction that counts bits; nearly every machine has it.
#if defined(__x86_64__) && !defined(__POPCNT__)
template <typename Item, typename Query>
[[gnu::target("popcnt")]] void collect_by_instruction(std::span<const Item> items, const Query& query,
                                                      uint32_t distance, Vector<uint32_t>& out) {
  collect(items, query, distance, out);
}
template <typename Item, typename Query>
void dispatch(std::span<const Item> items, const Query& query, uint32_t distance, Vector<uint32_t>& out) {
  if (__builtin_cpu_supports("popcnt")) {
    collect_by_instruction(items, query, distance, out);
  } else {
    collect_anywhere(items, query, distance, out);
  }
}
#else
template <typename Item, typename Query>
void dispatch(std::span<const Item> items, const Query& query, uint32_t distance, Vector<uint32_t>& out) {
  collect_anywhere(items, query, distance, out);
}
#endif

}  // namespace

void scan(std::span<const BucketItem> items, uint32_t check, uint32_t distance, Vector<uint32_t>& out) {
  dispatch(items, check, distance, out);
}
void scan(std::span<const uint64_t> hashes, uint64_t hash, uint32_t distance, Vector<uint32_t>& out) {
  dispatch(hashes, hash, distance, out);
}
void scan(std::span<const Hash128> hashes, const Hash128& hash, uint32_t distance, Vector<uint32_t>& out) {
  dispatch(hashes, hash, distance, out);
}

}  // namespace nd::moz
