// How much each block of a page is the page's own text and not its site's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "page/features.hpp"
#include "page/site_counts.hpp"

namespace nd::engine {

// A block with less weight is hardly the page's own.
inline constexpr double kHardlyOwn = 0.25;

// Less own text, in units of the LCS partition, is no evidence of what a page is.
inline constexpr double kLeastOwnWidth = 8;

// The weights of a page's blocks: by how much of the page's site has them, and, the less of that is known, by
// their learned weights. `blocks` and `site` must stay in place.
class OwnWeights {
 public:
  // `width_of`: (size_t) → number, of the text of a block.
  template <typename WidthOf>
  OwnWeights(std::span<const FeatureBlock> blocks, const SiteCounts& site, WidthOf&& width_of) noexcept
      : blocks_(blocks), site_(site) {
    double repeated = 0;
    double all = 0;
    for (size_t i = 0; i < blocks.size(); ++i) {
      const auto width = static_cast<double>(width_of(i));
      repeated += (1 - own_share(site.with_block(i), site.pages)) * width;
      all += width;
    }
    trust_ = trust_in_learned_weights(site.pages, all > 0 ? repeated / all : 1);
  }

  // The weight of a block, 0..1.
  double operator[](size_t block) const noexcept;

 private:
  static double trust_in_learned_weights(uint32_t pages, double repeated_share) noexcept;

  std::span<const FeatureBlock> blocks_;
  SiteCounts site_;
  double trust_;
};

}  // namespace nd::engine
