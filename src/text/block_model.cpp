// Walks the trees for sixteen blocks at a time, or 32 with AVX2; whole numbers make the sums the same in any
// order.
#include "text/block_model.hpp"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace nd::text {
namespace {

constexpr size_t kLanes = 16;  // blocks that go through the trees together
using Lanes [[gnu::vector_size(kLanes)]] = uint8_t;

static_assert(BlockFeatures::kChunk % kLanes == 0);

Lanes load(const uint8_t* bytes) noexcept {
  Lanes lanes;
  std::memcpy(&lanes, bytes, sizeof lanes);
  return lanes;
}

// For the blocks from `first` on.
void add_scores(const BlockTree& tree, const BlockFeatures::Rows& rows, size_t first,
                std::array<int32_t, kLanes>& scores) noexcept {
  Lanes answers{};
  for (size_t level = 0; level < BlockTree::kLevels; ++level) {
    const Lanes values = load(rows[tree.features[level]].data() + first);
    // A comparison that is true is all ones: -1.
    answers = answers + answers - reinterpret_cast<Lanes>(values > tree.thresholds[level]);
  }
  for (size_t i = 0; i < kLanes; ++i)
    scores[i] += tree.leaves[answers[i]];
}

uint8_t weight_of(const BlockModel& model, int32_t score) noexcept {
  constexpr int32_t kLast = BlockModel::kRows - 1;
  const int32_t row = (score >> BlockModel::kScoreShift) + static_cast<int32_t>(BlockModel::kRows / 2);
  return model.weights[static_cast<size_t>(std::clamp(row, 0, kLast))];
}

#if defined(__x86_64__)
namespace avx2 {

#define NDC_AVX2 gnu::target("avx2")

constexpr size_t kLanes = 32;
static_assert(BlockFeatures::kChunk % kLanes == 0);

// 256 bytes fit into a sum of 16 bits.
constexpr size_t kTreesAtOnce = 256;

// The low and the high bytes of a tree's leaves, each as two tables of 16, in both halves of a register. High
// bytes are raised by 128, so that both are sums of unsigned bytes.
constexpr int32_t kRaised = 128 * 256;
struct LeafTables {
  __m256i low[2];
  __m256i high[2];
};

[[NDC_AVX2]] inline LeafTables tables_of(const BlockTree& tree) noexcept {
  LeafTables tables;
  const __m128i bytes = _mm_set1_epi16(0xff);
  for (size_t half = 0; half < 2; ++half) {
    __m128i leaves[2];
    std::memcpy(leaves, tree.leaves.data() + 16 * half, sizeof leaves);
    const __m128i low = _mm_packus_epi16(_mm_and_si128(leaves[0], bytes), _mm_and_si128(leaves[1], bytes));
    const __m128i high = _mm_packus_epi16(_mm_srli_epi16(leaves[0], 8), _mm_srli_epi16(leaves[1], 8));
    tables.low[half] = _mm256_broadcastsi128_si256(low);
    tables.high[half] = _mm256_broadcastsi128_si256(_mm_xor_si128(high, _mm_set1_epi8(-128)));
  }
  return tables;
}

// The sums of 32 blocks, in the order in which bytes are widened: the first and the last eight of each half.
struct Sums {
  __m256i low[2];
  __m256i high[2];
};

[[NDC_AVX2]] inline void add(__m256i bytes, __m256i (&sums)[2]) noexcept {
  const __m256i zero = _mm256_setzero_si256();
  sums[0] = _mm256_add_epi16(sums[0], _mm256_unpacklo_epi8(bytes, zero));
  sums[1] = _mm256_add_epi16(sums[1], _mm256_unpackhi_epi8(bytes, zero));
}

[[NDC_AVX2]] inline void add_leaves(const BlockTree& tree, const LeafTables& tables,
                                    const BlockFeatures::Rows& rows, size_t first, Sums& sums) noexcept {
  const __m256i one = _mm256_set1_epi8(1);
  __m256i answers = _mm256_setzero_si256();
  for (size_t level = 0; level < BlockTree::kLevels; ++level) {
    __m256i values;
    std::memcpy(&values, rows[tree.features[level]].data() + first, sizeof values);
    const __m256i above =
        _mm256_subs_epu8(values, _mm256_set1_epi8(static_cast<char>(tree.thresholds[level])));
    answers = _mm256_add_epi8(_mm256_add_epi8(answers, answers), _mm256_min_epu8(above, one));
  }
  // The fifth bit of an answer, moved to the place of the sign, chooses between the two tables.
  const __m256i second = _mm256_slli_epi16(answers, 3);
  add(_mm256_blendv_epi8(_mm256_shuffle_epi8(tables.low[0], answers),
                         _mm256_shuffle_epi8(tables.low[1], answers), second),
      sums.low);
  add(_mm256_blendv_epi8(_mm256_shuffle_epi8(tables.high[0], answers),
                         _mm256_shuffle_epi8(tables.high[1], answers), second),
      sums.high);
}

[[NDC_AVX2]] void add_scores(std::span<const BlockTree> trees, const BlockFeatures::Rows& rows, size_t count,
                             std::array<int32_t, BlockFeatures::kChunk>& scores) noexcept {
  Sums sums[BlockFeatures::kChunk / kLanes];
  std::memset(sums, 0, sizeof sums);
  for (const BlockTree& tree : trees) {
    const LeafTables tables = tables_of(tree);
    for (size_t group = 0; group * kLanes < count; ++group)
      add_leaves(tree, tables, rows, group * kLanes, sums[group]);
  }
  for (size_t i = 0; i < count; ++i) {
    uint16_t low[kLanes];
    uint16_t high[kLanes];
    std::memcpy(low, sums[i / kLanes].low, sizeof low);
    std::memcpy(high, sums[i / kLanes].high, sizeof high);
    const size_t at = (i & 8) << 1 | (i & 16) >> 1 | (i & 7);
    scores[i] += low[at] + 256 * high[at] - kRaised * static_cast<int32_t>(trees.size());
  }
}

void weigh(const BlockModel& model, const BlockFeatures::Rows& rows, size_t count,
           ChunkWeights& weights) noexcept {
  std::array<int32_t, BlockFeatures::kChunk> scores;
  scores.fill(model.bias);
  for (size_t first = 0; first < model.trees.size(); first += kTreesAtOnce)
    add_scores(model.trees.subspan(first, std::min(kTreesAtOnce, model.trees.size() - first)), rows, count,
               scores);
  for (size_t i = 0; i < count; ++i)
    weights[i] = weight_of(model, scores[i]);
}

}  // namespace avx2
#endif

}  // namespace

void weigh_blocks(const BlockModel& model, const BlockFeatures::Rows& rows, size_t count,
                  ChunkWeights& weights) noexcept {
#if defined(__x86_64__)
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  if (has_avx2) return avx2::weigh(model, rows, count, weights);
#endif
  weigh_blocks_portable(model, rows, count, weights);
}

void weigh_blocks_portable(const BlockModel& model, const BlockFeatures::Rows& rows, size_t count,
                           ChunkWeights& weights) noexcept {
  for (size_t first = 0; first < count; first += kLanes) {
    std::array<int32_t, kLanes> scores;
    scores.fill(model.bias);
    for (const BlockTree& tree : model.trees)
      add_scores(tree, rows, first, scores);
    for (size_t i = 0; i < kLanes; ++i)
      weights[first + i] = weight_of(model, scores[i]);
  }
}

}  // namespace nd::text
