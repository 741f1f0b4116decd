// Which features a simhash is made of, and that their hashes never change.
#include "moz/simhash.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/utf8.hpp"

namespace nd::moz {
namespace {

using Features = std::vector<std::pair<uint64_t, uint32_t>>;

Features features(const std::vector<WeightedToken>& run) {
  Vector<WeightedFeature> made;
  append_features(run, made);
  Features pairs;
  for (const WeightedFeature& feature : made)
    pairs.emplace_back(feature.hash, feature.weight);
  return pairs;
}

constexpr WeightedToken word(uint32_t hash, uint32_t weight) {
  return {hash, weight, false};
}
constexpr WeightedToken character(uint32_t hash, uint32_t weight) {
  return {hash, weight, true};
}

std::vector<WeightedToken> characters(std::string_view text) {
  std::vector<WeightedToken> run;
  for (size_t position = 0; position < text.size();) {
    const size_t begin = position;
    next_code_point(text, position);
    run.push_back(character(static_cast<uint32_t>(stable_hash(text.substr(begin, position - begin))), 1));
  }
  return run;
}

uint32_t simhash_distance(const std::vector<WeightedToken>& a, const std::vector<WeightedToken>& b) {
  Vector<WeightedFeature> of_a, of_b;
  append_features(a, of_a);
  append_features(b, of_b);
  return distance(*simhash64(of_a), *simhash64(of_b));
}

// From a program that shares no code with the library. Two neighbours weigh what the lighter one does; the
// character between two words stands alone.
TEST(SimhashFeaturesTest, AreStable) {
  const Features expected{{0xef2b74c4f900c4cb, 3},
                          {0xffdcfaf333cbaa8d, 2},
                          {0xdadb9f0f099a4f60, 1},
                          {0x7e8288a421b770f2, 4},
                          {0xe82969996335cf2e, 6}};
  EXPECT_EQ(features({word(7, 3), character(8, 2), character(9, 5), character(10, 1), word(11, 4),
                      character(12, 6)}),
            expected);
}

TEST(SimhashFeaturesTest, AWordACharacterAndAPairDiffer) {
  std::set<uint64_t> hashes;
  hashes.insert(features({word(0, 1)})[0].first);
  hashes.insert(features({character(0, 1)})[0].first);
  hashes.insert(features({character(0, 1), character(0, 1)})[0].first);
  hashes.insert(features({character(0, 1), character(1, 1)})[0].first);
  hashes.insert(features({character(1, 1), character(0, 1)})[0].first);
  EXPECT_EQ(hashes.size(), 5U);
}

TEST(SimhashFeaturesTest, WithoutWeightIsLeftOut) {
  EXPECT_TRUE(features({}).empty());
  EXPECT_TRUE(features({word(1, 0), character(2, 0)}).empty());
  EXPECT_TRUE(features({character(1, 4), character(2, 0), character(3, 4)}).empty());
  EXPECT_EQ(features({word(1, 0), word(2, 1)}), features({word(2, 1)}));
  EXPECT_EQ(features({word(1, UINT32_MAX)})[0].second, UINT32_MAX);
}

TEST(SimhashFeaturesTest, OneHashOfAFeatureIsNoOther) {
  const WeightedFeature128 wide = widened({123, 9});
  EXPECT_EQ(wide.weight, 9U);
  EXPECT_NE(wide.hash.low, wide.hash.high);
  EXPECT_EQ(wide.hash, widened({123, 1}).hash);
}

// The order of characters counts, and one changed character of a paragraph does not matter much.
TEST(SimhashFeaturesTest, ChineseByPairsOfCharacters) {
  const auto text = characters(
      "市政府宣布明年春天将重修港口的灯塔工程预计持续六个月期间航道照常开放渔民协会对此表示欢迎并希望"
      "新的灯光能够照得更远此前灯塔已有三十年没有大修外墙剥落楼梯生锈");
  auto changed = text;
  changed[20] = characters("夏")[0];
  auto reversed = text;
  std::reverse(reversed.begin(), reversed.end());
  const auto other = characters(
      "昨晚的比赛中客队在最后一分钟打入制胜一球教练赛后说球员们从未放弃主场球迷虽然失望仍然为双方鼓掌"
      "下一轮他们将在客场面对排名第一的球队");
  EXPECT_LE(simhash_distance(text, changed), 8U);
  EXPECT_GE(simhash_distance(text, reversed), 16U);
  EXPECT_GE(simhash_distance(text, other), 16U);
}

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
