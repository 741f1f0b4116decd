// Where a number stands in a list that is ordered by the time of addition. Numbers are given out ascending,
// so most lists ascend: all but those that something older joined late.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace nd::store {

struct NumberPlace {
  size_t place;     // the size of the list: the number is not there
  uint64_t passed;  // numbers looked at
};

// `ascends`: the list is known to. Cost: O(log n); O(n) in a list that may not ascend, of a number that is
// not there or joined late.
inline NumberPlace find_number(std::span<const uint64_t> numbers, uint64_t number, bool ascends) noexcept {
  if (numbers.empty() || numbers.front() == number) return {0, 1};
  const auto found = std::lower_bound(numbers.begin(), numbers.end(), number);
  const uint64_t halvings = std::bit_width(numbers.size());
  if (found != numbers.end() && *found == number)
    return {static_cast<size_t>(found - numbers.begin()), halvings};
  if (ascends) return {numbers.size(), halvings};
  // From the end: what was added last is asked for most.
  for (size_t place = numbers.size(); place > 0; --place) {
    if (numbers[place - 1] == number) return {place - 1, halvings + numbers.size() - place + 1};
  }
  return {numbers.size(), halvings + numbers.size()};
}

}  // namespace nd::store
