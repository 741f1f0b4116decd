#include "moz/shingle_hashes.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <vector>

namespace nd::moz {
namespace {

Vector<uint64_t> shingles(const std::vector<uint32_t>& tokens, uint32_t length = kShingleTokens) {
  Vector<uint64_t> made;
  append_shingles(tokens, length, made);
  return made;
}

// From a program that shares no code with the library.
TEST(ShinglesTest, AreStable) {
  const Vector<uint64_t> expected{0x61f9ed32cc098e94, 0x16a5ee9d046bd59e, 0xf4b7f3dc70fb226c};
  EXPECT_EQ(shingles({101, 102, 103, 104, 105}), expected);
}

TEST(ShinglesTest, AreWhatStandsInARow) {
  EXPECT_EQ(shingles({1, 2, 3, 4, 1, 2, 3}).size(), 5U);
  EXPECT_EQ(shingles({1, 2, 3, 4, 1, 2, 3})[0], shingles({1, 2, 3, 4, 1, 2, 3})[4]);
  EXPECT_NE(shingles({1, 2, 3}), shingles({1, 3, 2}));
  EXPECT_NE(shingles({1, 2, 3}), shingles({2, 1, 3}));
  EXPECT_EQ(shingles({7, 7, 7, 7}, 1), (Vector<uint64_t>(4, shingles({7}, 1)[0])));
}

TEST(ShinglesTest, ShortTextIsOneShingle) {
  EXPECT_TRUE(shingles({}).empty());
  EXPECT_EQ(shingles({5}).size(), 1U);
  EXPECT_EQ(shingles({5, 6}).size(), 1U);
  EXPECT_EQ(shingles({5, 6}), shingles({5, 6}, 2));
  EXPECT_EQ(shingles({5, 6}), shingles({5, 6}, UINT32_MAX));
  // Zeros are tokens like others.
  std::set<uint64_t> kinds;
  for (size_t size = 1; size <= 3; ++size)
    kinds.insert(shingles(std::vector<uint32_t>(size, 0))[0]);
  EXPECT_EQ(kinds.size(), 3U);
}

TEST(ShinglesTest, RunsAreAppended) {
  Vector<uint64_t> made{42};
  append_shingles(std::array<uint32_t, 3>{1, 2, 3}, 3, made);
  append_shingles(std::array<uint32_t, 3>{4, 5, 6}, 3, made);
  EXPECT_EQ(made, (Vector<uint64_t>{42, shingles({1, 2, 3})[0], shingles({4, 5, 6})[0]}));
}

}  // namespace
}  // namespace nd::moz
