// The trees walked in lanes against trees walked one by one.
#include "text/block_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

namespace nd::text {
namespace {

// A tree as a book draws it: a node asks and leads to one of two others.
struct Node {
  uint8_t feature = 0, threshold = 0;
  int answer = 0;
  std::unique_ptr<Node> low, high;
};

std::unique_ptr<Node> nested(const BlockTree& tree, size_t level = 0, size_t leaf = 0) {
  auto node = std::make_unique<Node>();
  if (level == BlockTree::kLevels) {
    node->answer = tree.leaves[leaf];
    return node;
  }
  node->feature = tree.features[level];
  node->threshold = tree.thresholds[level];
  node->low = nested(tree, level + 1, 2 * leaf);
  node->high = nested(tree, level + 1, 2 * leaf + 1);
  return node;
}

uint8_t weight_of(const BlockModel& model, const BlockFeatures::Rows& rows, size_t column) {
  int score = model.bias;
  for (const BlockTree& tree : model.trees) {
    const std::unique_ptr<Node> root = nested(tree);
    const Node* node = root.get();
    while (node->low != nullptr)
      node = rows[node->feature][column] > node->threshold ? node->high.get() : node->low.get();
    score += node->answer;
  }
  int row = 128;
  while (score >= 64)
    score -= 64, ++row;
  while (score < 0)
    score += 64, --row;
  return model.weights[static_cast<size_t>(std::clamp(row, 0, 255))];
}

void fill(BlockFeatures::Rows& rows, std::mt19937& random) {
  for (auto& row : rows) {
    const unsigned most = std::vector<unsigned>{2, 20, 128, 256}[random() % 4];
    for (uint8_t& value : row)
      value = static_cast<uint8_t>(random() % most);
  }
}

void expect_walked(const BlockModel& model, const BlockFeatures::Rows& rows, size_t count) {
  ChunkWeights weights;
  ChunkWeights portable;
  weigh_blocks(model, rows, count, weights);
  weigh_blocks_portable(model, rows, count, portable);
  for (size_t i = 0; i < count; ++i) {
    const uint8_t expected = weight_of(model, rows, i);
    ASSERT_EQ(weights[i], expected) << count << ' ' << i;
    ASSERT_EQ(portable[i], expected) << count << ' ' << i;
  }
}

TEST(BlockModel, WeighsAsTreesWalkedOneByOne) {
  std::mt19937 random(7);
  auto rows = std::make_unique<BlockFeatures::Rows>();
  for (size_t count = 1; count <= BlockFeatures::kChunk; ++count) {
    fill(*rows, random);
    expect_walked(kBlockModel, *rows, count);
  }
}

// More trees than the product has, with leaves of any size: no sum overflows.
TEST(BlockModel, WeighsByAnyTrees) {
  std::mt19937 random(8);
  auto rows = std::make_unique<BlockFeatures::Rows>();
  for (const size_t count : {1U, 2U, 255U, 256U, 257U, 600U}) {
    std::vector<BlockTree> trees(count);
    const int step = random() % 2 == 0 ? 1 : -1;
    for (BlockTree& tree : trees) {
      for (uint8_t& feature : tree.features)
        feature = static_cast<uint8_t>(random() % kBlockFeatures);
      for (uint8_t& threshold : tree.thresholds)
        threshold = static_cast<uint8_t>(random() % 4 == 0 ? 255 : random() % 130);
      for (int16_t& leaf : tree.leaves)
        leaf = static_cast<int16_t>(random() % 3 == 0 ? 32767 * step
                                                      : static_cast<int>(random() % 65536) - 32768);
    }
    BlockModel model{trees, 0, kBlockModel.weights};
    fill(*rows, random);
    expect_walked(model, *rows, BlockFeatures::kChunk);
    // Sums that cancel out show what the ends of the table would hide.
    for (size_t i = 0; i + 1 < count; i += 2) {
      trees[i + 1] = trees[i];
      for (int16_t& leaf : trees[i + 1].leaves)
        leaf = static_cast<int16_t>(static_cast<int>(random() % 64) - std::max<int>(leaf, -32000));
    }
    model.trees = std::span(trees).first(count & ~size_t{1});
    expect_walked(model, *rows, BlockFeatures::kChunk);
  }
}

TEST(BlockModel, ScoresBeyondTheTableHaveItsEnds) {
  std::vector<BlockTree> trees(1);
  trees[0].features.fill(0);
  trees[0].thresholds.fill(9);
  trees[0].leaves.fill(0);
  trees[0].leaves.front() = -32768;
  trees[0].leaves.back() = 32767;
  BlockModel model{trees, 0, {}};
  model.weights.front() = 3;
  model.weights[128] = 100;
  model.weights.back() = 250;
  auto rows = std::make_unique<BlockFeatures::Rows>();
  (*rows)[0][1] = 10;
  ChunkWeights weights;
  weigh_blocks(model, *rows, 2, weights);
  EXPECT_EQ(weights[0], 3);
  EXPECT_EQ(weights[1], 250);
  model.trees = {};
  weigh_blocks(model, *rows, 1, weights);
  EXPECT_EQ(weights[0], 100);
}

TEST(BlockModel, TheTableIsInBounds) {
  ASSERT_FALSE(kBlockModel.trees.empty());
  EXPECT_LE(kBlockModel.trees.size(), 100U);
  int64_t most = std::abs(kBlockModel.bias);
  for (const BlockTree& tree : kBlockModel.trees) {
    for (const uint8_t feature : tree.features)
      EXPECT_LT(feature, kBlockFeatures);
    const auto [least, greatest] = std::ranges::minmax(tree.leaves);
    most += std::max(std::abs(int{least}), std::abs(int{greatest}));
  }
  EXPECT_LT(most, INT32_MAX);
  EXPECT_TRUE(std::ranges::is_sorted(kBlockModel.weights));
  EXPECT_EQ(kBlockModel.weights.front(), 0);
  EXPECT_EQ(kBlockModel.weights.back(), 255);
}

}  // namespace
}  // namespace nd::text
