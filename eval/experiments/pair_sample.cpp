#include "pair_sample.hpp"

#include <algorithm>
#include <random>
#include <unordered_set>

namespace nd::eval {
namespace {

// Evenly 0..`most`; std::uniform_int_distribution is not the same everywhere.
uint64_t at_most(uint64_t most, std::mt19937_64& random) {
  if (most == UINT64_MAX) return random();
  const uint64_t whole = most + 1;
  const uint64_t rest = (UINT64_MAX % whole + 1) % whole;  // of 2^64: these would make small numbers likelier
  uint64_t number = random();
  while (number > UINT64_MAX - rest)
    number = random();
  return number % whole;
}

}  // namespace

std::vector<uint64_t> sampled_numbers(uint64_t count, uint64_t sample, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::unordered_set<uint64_t> taken;
  std::vector<uint64_t> numbers;
  numbers.reserve(sample);
  for (uint64_t last = count - sample; last < count; ++last) {
    const uint64_t number = at_most(last, random);
    numbers.push_back(taken.insert(number).second ? number : last);
    taken.insert(numbers.back());
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::vector<uint32_t> spread_items(uint32_t items, uint32_t limit) {
  const uint32_t taken = std::min(items, limit);
  std::vector<uint32_t> out(taken);
  for (uint32_t i = 0; i < taken; ++i)
    out[i] = static_cast<uint32_t>(uint64_t{i} * items / taken);
  return out;
}

}  // namespace nd::eval
