#include "text/block_model.hpp"

#include <algorithm>
#include <cstring>

namespace nd::text {
namespace {

constexpr size_t kLanes = 16;  // blocks that go through the trees side by side
using Lanes [[gnu::vector_size(kLanes)]] = uint8_t;

static_assert(BlockFeatures::kChunk % kLanes == 0);

Lanes load(const uint8_t* bytes) noexcept {
  Lanes lanes;
  std::memcpy(&lanes, bytes, sizeof lanes);
  return lanes;
}

// Of the blocks from `first` on.
void add_scores(const BlockTree& tree, const BlockFeatures::Rows& rows, size_t first,
                std::array<int32_t, kLanes>& scores) noexcept {
  Lanes answers{};
  for (size_t level = 0; level < BlockTree::kLevels; ++level) {
    const Lanes values = load(rows[tree.features[level]].data() + first);
    // A comparison that holds is all ones: -1.
    answers = answers + answers - reinterpret_cast<Lanes>(values > tree.thresholds[level]);
  }
  for (size_t i = 0; i < kLanes; ++i)
    scores[i] += tree.leaves[answers[i]];
}

}  // namespace

void weigh_blocks(const BlockModel& model, const BlockFeatures::Rows& rows, size_t count,
                  ChunkWeights& weights) noexcept {
  constexpr int32_t kLast = BlockModel::kRows - 1;
  for (size_t first = 0; first < count; first += kLanes) {
    std::array<int32_t, kLanes> scores;
    scores.fill(model.bias);
    for (const BlockTree& tree : model.trees)
      add_scores(tree, rows, first, scores);
    for (size_t i = 0; i < kLanes; ++i) {
      const int32_t row =
          (scores[i] >> BlockModel::kScoreShift) + static_cast<int32_t>(BlockModel::kRows / 2);
      weights[first + i] = model.weights[static_cast<size_t>(std::clamp(row, 0, kLast))];
    }
  }
}

}  // namespace nd::text
