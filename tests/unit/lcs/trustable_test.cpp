// The trustable region against its oracle and the figures of the report.
#include "lcs/trustable.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "unit/lcs/longest_common_subsequence_oracle.hpp"
#include "unit/lcs/sequence_sample.hpp"
#include "unit/lcs/trustable_oracle.hpp"

namespace nd::lcs {
namespace {

using Edits = std::vector<std::pair<uint32_t, uint32_t>>;

Region region(uint32_t length, const Edits& edits, const TrustableParameters& parameters) {
  std::vector<Edit> list;
  for (const auto& [position, amount] : edits)
    list.push_back({position, amount});
  const Region result = trustable_region(length, list, parameters);
  const Region expected = oracle::trustable_region(length, list, parameters);
  EXPECT_EQ(result.begin, expected.begin);
  EXPECT_EQ(result.end, expected.end);
  return result;
}

void expect_region(const Region& result, uint32_t begin, uint32_t end) {
  EXPECT_EQ(result.begin, begin);
  EXPECT_EQ(result.end, end);
}

const TrustableParameters kTens = {.slope = 0.1, .block_width = 10, .blocks_limit = 256};

TEST(TrustableTest, WithoutEditsItIsTheWholeText) {
  expect_region(region(47, {}, kTens), 0, 47);
  expect_region(region(1, {}, kTens), 0, 1);
  expect_region(region(0, {}, kTens), 0, 0);
}

TEST(TrustableTest, ATextThatChangedThroughoutHasNone) {
  EXPECT_TRUE(region(20, {{0, 9}, {10, 9}}, kTens).empty());
}

// k = 5, weights 1 2 3 2 1: blocks 1–3 and 3–5 both weigh 6.
TEST(TrustableTest, OddNumberOfBlocksWeighsTheMiddleMost) {
  // Block 2 is full of edits, so 3–5 is left, and of block 2 what follows its last edit.
  expect_region(region(50, {{12, 5}, {15, 5}}, kTens), 16, 50);
  // Block 4 is, so 1–3 is left, up to its first edit.
  expect_region(region(50, {{33, 50}}, kTens), 0, 33);
  // Block 3 is: 1–2 and 4–5 weigh 3 each; the longer extension wins.
  expect_region(region(50, {{22, 50}}, kTens), 23, 50);
  expect_region(region(50, {{28, 50}}, kTens), 0, 28);
}

// k = 6, weights 1 2 3 2 1 0: blocks 1–5 weigh as much as 1–6 and are fewer; the end is won back by
// extension.
TEST(TrustableTest, EvenNumberOfBlocksWeighsTheLastNothing) {
  expect_region(region(60, {}, kTens), 0, 59);
  // 3 weighs as much as 1 and 2 together, and as 4 and 5.
  expect_region(region(60, {{18, 60}, {31, 60}}, kTens), 19, 31);
}

TEST(TrustableTest, ExtendsTheLeftEndFirst) {
  // Base 2–4 of five blocks; both ends could be extended over one edit, not over both.
  const Edits sorted = {{3, 100}, {5, 3}, {44, 3}, {46, 100}};
  expect_region(region(50, sorted, kTens), 4, 44);
}

TEST(TrustableTest, EditsBehindTheEndCountAsAtTheLastPosition) {
  expect_region(region(30, {{30, 50}}, kTens), 0, 29);
}

TEST(TrustableTest, ALongTextHasWiderBlocks) {
  const TrustableParameters five = {.slope = 0.1, .block_width = 1, .blocks_limit = 5};
  expect_region(region(50, {{33, 50}}, five), 0, 33);
}

TEST(TrustableTest, EqualsTheOracle) {
  Random random(2007);
  for (int round = 0; round < 4000; ++round) {
    const auto length = static_cast<uint32_t>(random() % 200);
    const TrustableParameters parameters = {.slope = static_cast<double>(random() % 30) / 100,
                                            .block_width = static_cast<uint32_t>(1 + random() % 25),
                                            .blocks_limit = static_cast<uint32_t>(1 + random() % 20)};
    std::map<uint32_t, uint32_t> edits;
    const auto most = static_cast<uint32_t>(1 + random() % 12);
    for (uint64_t i = random() % 20; i > 0; --i) {
      edits[static_cast<uint32_t>(random() % (length + 1))] = static_cast<uint32_t>(1 + random() % most);
    }
    SCOPED_TRACE(round);
    region(length, Edits(edits.begin(), edits.end()), parameters);
    if (HasFailure()) break;
  }
}

TEST(TrustableTest, EditsOfTheExampleOfThePaper) {
  const Sample a("abcabba"), b("cbabac");
  const Script script = {{2, 0, 1}, {3, 2, 2}, {6, 4, 1}};  // c ab a
  Vector<Edit> edits;
  append_edits(a.sequence(), b.sequence(), script, edits);
  const std::vector<std::pair<uint32_t, uint32_t>> expected = {{0, 1}, {1, 1}, {3, 1}, {5, 1}, {7, 1}};
  ASSERT_EQ(edits.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(std::pair(edits[i].position, edits[i].amount), expected[i]);
  }
}

TEST(TrustableTest, EditsCountWidths) {
  // Widths are 1 + symbol mod 4: A = 3 1 4 2, B = 4 2 3; matched 4 of A with 4 of B (symbol 3).
  const Sample a({2, 0, 3, 1}, 4), b({3, 1, 2}, 4);
  Vector<Edit> edits;
  append_edits(a.sequence(), b.sequence(), Script{{2, 0, 1}}, edits);
  ASSERT_EQ(edits.size(), 3u);
  EXPECT_EQ(std::pair(edits[0].position, edits[0].amount), (std::pair{0u, 3u}));
  EXPECT_EQ(std::pair(edits[1].position, edits[1].amount), (std::pair{3u, 1u}));
  EXPECT_EQ(std::pair(edits[2].position, edits[2].amount), (std::pair{8u, 2u + 2u + 3u}));
}

}  // namespace
}  // namespace nd::lcs
