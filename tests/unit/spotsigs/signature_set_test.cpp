// The set of signatures against std::set, for hashes that are in it and that are not.
#include "spotsigs/signature_set.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace nd::spotsigs {
namespace {

TEST(SignatureSetTest, EmptyContainsNothing) {
  const SignatureSet set;
  EXPECT_FALSE(set.contains(0));
  EXPECT_EQ(set.memory_bytes(), 0U);
  EXPECT_FALSE(SignatureSet(Vector<uint64_t>{}).contains(7));
}

TEST(SignatureSetTest, EqualsAnOrderedSet) {
  std::mt19937_64 random(4);
  for (const size_t size : {1U, 2U, 63U, 64U, 1000U, 5000U}) {
    std::set<uint64_t> oracle;
    while (oracle.size() < size)
      oracle.insert(random() >> (8 + random() % 50));
    const SignatureSet set(Vector<uint64_t>(oracle.begin(), oracle.end()));
    EXPECT_EQ(set.size(), size);
    for (const uint64_t hash : oracle) {
      EXPECT_TRUE(set.contains(hash));
      for (const uint64_t other : {hash - 1, hash + 1, hash + (uint64_t{1} << 40), random() >> 8})
        EXPECT_EQ(set.contains(other), oracle.contains(other));
    }
  }
}

}  // namespace
}  // namespace nd::spotsigs
