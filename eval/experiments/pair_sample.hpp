// All pairs of a number of items, or a sample drawn from them where all would take too long.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace nd::eval {

// Unordered pairs of distinct items. Fewer than 2^32 items.
constexpr uint64_t pair_count(uint64_t items) noexcept {
  return items < 2 ? 0 : items * (items - 1) / 2;
}

// So many of a number of things that come one after the other, each set of so many as likely as any other:
// selection sampling (Knuth, "The Art of Computer Programming", volume 2, 3.4.2, algorithm S). It holds no
// memory, however large the sample. The same for the same arguments on every machine.
class SelectionSample {
 public:
  // All of them if `sample` is `count` or more.
  SelectionSample(uint64_t count, uint64_t sample, uint64_t seed)
      : left_(count), wanted_(sample), random_(seed) {}

  // Whether the next one is taken. At most `count` calls.
  bool takes_next();

 private:
  uint64_t left_;    // that are still to come
  uint64_t wanted_;  // of these
  std::mt19937_64 random_;
};

// Calls visit(b, a), a < b, for each pair of the items if they are `limit` or fewer, else for so many of
// them. By b, then a. Cost of a sample: about 10 ns for each pair, taken or not.
template <typename Visit>
void for_each_pair(uint64_t items, uint64_t limit, uint64_t seed, const Visit& visit) {
  SelectionSample sample(pair_count(items), limit, seed);
  for (uint64_t b = 1; b < items; ++b) {
    for (uint64_t a = 0; a < b; ++a) {
      if (sample.takes_next()) visit(static_cast<uint32_t>(b), static_cast<uint32_t>(a));
    }
  }
}

// Numbers below `items`, ascending and evenly spread: all of them if they are `limit` or fewer.
std::vector<uint32_t> spread_items(uint32_t items, uint32_t limit);
// For the about of a table: "12 pages, all." or "12 pages, evenly spread over 30."
std::string told_pages(size_t taken, size_t items);

}  // namespace nd::eval
