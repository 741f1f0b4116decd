// Hashes that stand in files never change, see every byte and spread every bit.
#include "core/hash.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace nd {
namespace {

// The hashes of nothing are widely published; the others were computed once, with libxxhash 0.8.1, and pin
// what stores hold: one for each range of lengths that XXH3 treats differently.
TEST(StableHash, NeverChanges) {
  EXPECT_EQ(stable_hash(""), 0x2d06800538d394c2ULL);
  EXPECT_EQ(stable_hash_128(""), (Hash128{0x6001c324468d497fULL, 0x99aa06d3014798d8ULL}));
  EXPECT_EQ(stable_hash("a"), 0xe6c632b61e964e1fULL);
  EXPECT_EQ(stable_hash("the"), 0xcb1283631cf33d7dULL);
  EXPECT_EQ(stable_hash("sentence"), 0x079c593a72c72592ULL);
  EXPECT_EQ(stable_hash("near-duplicate"), 0xc4b642a23d31dc23ULL);
  EXPECT_EQ(stable_hash(std::string(100, 'x')), 0xc90984ffdf50ce42ULL);
  EXPECT_EQ(stable_hash(std::string(1000, 'x')), 0xc0a4877b962cba82ULL);
  EXPECT_EQ(stable_hash("sentence", 1), 0x6fe818c9a63954a3ULL);
}

TEST(StableHash, WithSeedZeroIsTheUnseeded) {
  for (const size_t length : {0U, 1U, 5U, 12U, 100U, 200U, 1000U}) {
    const std::string text(length, 'q');
    EXPECT_EQ(stable_hash(text, 0), stable_hash(text));
    EXPECT_NE(stable_hash(text, 1), stable_hash(text));
  }
}

TEST(StableHash, SeesEveryByte) {
  std::set<uint64_t> hashes;
  for (size_t length = 0; length < 300; ++length) {
    std::string text(length, '\0');
    hashes.insert(stable_hash(text));
    for (size_t i = 0; i < length; i += 7) {
      text[i] = 1;
      hashes.insert(stable_hash(text));
      text[i] = 0;
    }
  }
  size_t expected = 0;
  for (size_t length = 0; length < 300; ++length)
    expected += 1 + (length + 6) / 7;
  EXPECT_EQ(hashes.size(), expected);
}

// One flipped bit changes about half of the bits.
TEST(Mix, SpreadsEveryBit) {
  EXPECT_EQ(mix(0), 0U);
  int flipped = 0;
  for (uint64_t value = 1; value <= 200; ++value) {
    for (int bit = 0; bit < 64; ++bit)
      flipped += std::popcount(mix(value) ^ mix(value ^ (1ULL << bit)));
  }
  EXPECT_NEAR(flipped / (200.0 * 64), 32.0, 0.5);
}

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
