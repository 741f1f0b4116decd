// What the model of block weights knows about a block: small integers, the same on every machine.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/memory.hpp"
#include "text/document.hpp"

namespace nd::text {

// Shares are in 255ths. A width is in steps of a quarter of an octave (see log_scale); so are counts and
// distances in blocks. What a page lacks is 0.
// The macro's own lines: clang-format takes the comments within for text.
// clang-format off
#define ND_BLOCK_FEATURES(FEATURE)                                                                           \
  /* The block itself. */                                                                                    \
  FEATURE(width) FEATURE(link_share) FEATURE(stop_share) FEATURE(token_width) FEATURE(sentences)             \
  FEATURE(ends_sentence)                                                                                     \
  /* Elements around it; navigation, margin and aside: 2 by an element or role, 1 by a name. */              \
  FEATURE(heading_level) FEATURE(in_list) FEATURE(in_table) FEATURE(in_form) FEATURE(in_pre)                 \
  FEATURE(navigation) FEATURE(margin) FEATURE(aside) FEATURE(in_article) FEATURE(beside_article)             \
  FEATURE(named_content) FEATURE(named_nearest) FEATURE(beside_named) FEATURE(depth) FEATURE(depth_below_run) \
  /* Where it stands: in the page's text, and from the densest run. */                                       \
  FEATURE(before) FEATURE(blocks_before) FEATURE(in_run) FEATURE(ahead_of_run) FEATURE(behind_run)           \
  FEATURE(levels_to_best) FEATURE(since_heading) FEATURE(after_first_heading) FEATURE(title_heading)         \
  FEATURE(since_title)                                                                                       \
  /* Its neighbours. */                                                                                      \
  FEATURE(last_width) FEATURE(last_heading) FEATURE(next_width) FEATURE(next_heading) FEATURE(good_near)     \
  /* Its container; the one around that, and the one around both, with all that is inside. */                \
  FEATURE(own_width) FEATURE(own_link_share) FEATURE(own_good_share) FEATURE(own_blocks)                     \
  FEATURE(score_share) FEATURE(outer_width) FEATURE(outer_link_share) FEATURE(outer_good_share)              \
  FEATURE(outer_blocks) FEATURE(outer_block_width) FEATURE(outer_containers) FEATURE(third_link_share)       \
  FEATURE(third_good_share)                                                                                  \
  /* The page. */                                                                                            \
  FEATURE(page_blocks) FEATURE(page_good) FEATURE(page_link_share) FEATURE(run_share)
// clang-format on

enum class BlockFeature : uint8_t {
#define ND_FEATURE(name) name,
  ND_BLOCK_FEATURES(ND_FEATURE)
#undef ND_FEATURE
      kCount
};

inline constexpr size_t kBlockFeatures = static_cast<size_t>(BlockFeature::kCount);

inline constexpr std::array<std::string_view, kBlockFeatures> kBlockFeatureNames = {
#define ND_FEATURE(name) #name,
    ND_BLOCK_FEATURES(ND_FEATURE)
#undef ND_FEATURE
};

// 0 for 0; then four steps per octave of value + 1, 127 at most. 0 for 2^64 - 1.
constexpr uint8_t log_scale(uint64_t value) noexcept {
  const uint64_t raised = value + 1;
  const auto octave = static_cast<unsigned>(std::bit_width(raised | 1)) - 1;
  const uint64_t quarter = octave >= 2 ? raised >> (octave - 2) & 3 : raised << (2 - octave) & 3;
  return static_cast<uint8_t>(octave < 31 ? 4 * octave + quarter : 127);
}

// What the rules have found of a page (main_content.hpp).
struct ContentStructure {
  std::span<const uint8_t> good;  // by block: reads like prose
  Range run;                      // of blocks; empty if none is good
  uint32_t best_container = 0;    // if any block is good
};

// The features of a page's blocks, computed for a chunk of blocks at a time and stored by feature, so that
// the model can process many blocks at once. Reusable buffers.
class BlockFeatures {
 public:
  static constexpr size_t kChunk = 128;
  using Rows = std::array<std::array<uint8_t, kChunk>, kBlockFeatures>;

  // `document` and what `structure` refers to must outlive the calls of chunk().
  void start(const Document& document, const ContentStructure& structure);
  // The features of at most kChunk blocks from `first` on; called in order, from 0 on.
  const Rows& chunk(size_t first);

  uint64_t memory_bytes() const noexcept { return containers_.capacity() * sizeof(ContainerView); }

 private:
  struct Sums {
    uint64_t width = 0, linked = 0, good = 0;  // linked: in 255ths
    uint32_t blocks = 0;
  };
  struct ContainerView {
    Sums own, all;
    uint32_t inner = 0;  // containers directly inside
    uint8_t levels_to_best = 0;
    bool is_shown = false;
    // What the blocks show of it.
    uint8_t own_width, own_link_share, own_good_share, own_blocks, score_share;
    uint8_t outer_width, outer_link_share, outer_good_share, outer_blocks, outer_block_width;
    uint8_t outer_containers, third_link_share, third_good_share;
  };
  struct BlockView {
    uint8_t width = 0, link_share = 0, good = 0, heading_level = 0;
    uint32_t container = UINT32_MAX;
  };

  void sum_containers();
  void find_levels();
  void find_title();
  void show(uint32_t container);
  BlockView view(size_t block) const;
  void put_text(size_t block, size_t column);
  void put_context(size_t block, size_t column);
  void put_position(size_t block, size_t column);
  void put_neighbours(size_t block, size_t column);
  void put_container(size_t column);
  void put_page(size_t column);
  void put(BlockFeature feature, size_t column, uint8_t value) noexcept {
    rows_[static_cast<size_t>(feature)][column] = value;
  }

  const Document* document_ = nullptr;
  ContentStructure structure_;
  Vector<ContainerView> containers_;
  Sums page_;
  uint64_t best_score_ = 0;
  uint64_t run_width_ = 0;
  bool any_article_ = false;
  bool any_named_ = false;
  size_t title_heading_ = SIZE_MAX;  // the block whose text is in the title, if any
  uint8_t page_blocks_ = 0, page_good_ = 0, page_link_share_ = 0, run_share_ = 0;
  // Sum over the blocks before the current one.
  uint64_t width_before_ = 0;
  size_t last_heading_ = SIZE_MAX;
  bool first_heading_seen_ = false;
  BlockView last_, current_, next_;
  Rows rows_{};
};

}  // namespace nd::text
