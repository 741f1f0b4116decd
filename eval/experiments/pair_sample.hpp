// All pairs of a number of items, or a sample of them.
#pragma once

#include <cstdint>
#include <vector>

namespace nd::eval {

// Unordered pairs of distinct items. Fewer than 2^32 items.
constexpr uint64_t pair_count(uint64_t items) noexcept {
  return items < 2 ? 0 : items * (items - 1) / 2;
}

// Ascending: `sample` distinct numbers below `count`, each set of so many as likely as any other (Floyd's
// algorithm; Bentley, "Programming Pearls", 1987). `sample` <= `count`. The same for the same arguments on
// every machine.
std::vector<uint64_t> sampled_numbers(uint64_t count, uint64_t sample, uint64_t seed);

// Calls visit(b, a), a < b, for each pair of the items if they are `limit` or fewer, else for so many of
// them. By b, then a.
template <typename Visit>
void for_each_pair(uint64_t items, uint64_t limit, uint64_t seed, const Visit& visit) {
  if (pair_count(items) <= limit) {
    for (uint64_t b = 1; b < items; ++b) {
      for (uint64_t a = 0; a < b; ++a)
        visit(static_cast<uint32_t>(b), static_cast<uint32_t>(a));
    }
    return;
  }
  uint64_t b = 1;
  for (const uint64_t number : sampled_numbers(pair_count(items), limit, seed)) {
    while (number >= pair_count(b + 1))
      ++b;
    visit(static_cast<uint32_t>(b), static_cast<uint32_t>(number - pair_count(b)));
  }
}

// Numbers below `items`, ascending and evenly spread: all of them if they are `limit` or fewer.
std::vector<uint32_t> spread_items(uint32_t items, uint32_t limit);

}  // namespace nd::eval
