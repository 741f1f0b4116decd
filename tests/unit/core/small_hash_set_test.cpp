// The small fixed set against a set, up to the fill that it promises.
#include "core/small_hash_set.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace nd {
namespace {

TEST(SmallHashSetTest, EqualsASetUpToTwoFifthsFull) {
  for (uint32_t seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    SmallHashSet<512> hashes;
    std::set<uint32_t> expected;
    while (expected.size() < 512 * 2 / 5) {
      const auto hash = static_cast<uint32_t>(random());
      if (hash == 0) continue;
      hashes.insert(hash);
      hashes.insert(hash);
      expected.insert(hash);
    }
    for (uint32_t hash : expected)
      EXPECT_TRUE(hashes.contains(hash));
    for (int i = 0; i < 10000; ++i) {
      const auto hash = static_cast<uint32_t>(random());
      EXPECT_EQ(hashes.contains(hash), expected.contains(hash));
    }
  }
}

TEST(SmallHashSetTest, ZeroIsInNoSet) {
  SmallHashSet<16> hashes;
  EXPECT_FALSE(hashes.contains(0));
  hashes.insert(7);
  EXPECT_FALSE(hashes.contains(0));
  EXPECT_TRUE(hashes.contains(7));
}

}  // namespace
}  // namespace nd
