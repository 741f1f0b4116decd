#include "core/hash.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace nd {
namespace {

TEST(HashSortTest, EqualsStdSort) {
  std::mt19937_64 random(5);
  Vector<uint64_t> buffer;
  for (size_t round = 0; round < 2000; ++round) {
    std::vector<uint64_t> hashes(random() % (round % 10 == 0 ? 5000 : 300));
    for (uint64_t& hash : hashes) {
      hash = random() >> (round % 3 == 0 ? 0 : random() % 64);  // spread, and crowded at the low end
      if (round % 4 == 0) hash |= 0xff00000000000000ULL;        // all in one
      if (round % 5 == 0) hash = hashes[random() % hashes.size()];
    }
    std::vector<uint64_t> sorted = hashes;
    std::sort(sorted.begin(), sorted.end());
    sort_hashes(hashes, buffer);
    ASSERT_EQ(hashes, sorted) << round;
  }
}

}  // namespace
}  // namespace nd
