// Mixes what a site is known to repeat with the learned weight of a block, by how much is known of the site.
#include "page/own_weights.hpp"

#include <algorithm>
#include <array>

namespace nd::engine {
namespace {

// The constants were chosen on judged pairs of pages (docs/decision_model.md).
constexpr double kAroundWeight = 0.25;  // of blocks in navigation and forms, against others
constexpr double kKnownTemplate = 0.4;  // of a page's text: with so much on other pages its template is known

}  // namespace

// The learned weight of a block is all that is known with no other page of its site, and misleads once a few
// are. But where other pages of the site have hardly anything of a page, its template is not known,
// however many pages are: a host may have a hundred templates.
double OwnWeights::trust_in_learned_weights(uint32_t pages, double repeated_share) noexcept {
  constexpr std::array kTrust = {1.0, 0.8, 0.7, 0.7, 0.5, 0.5, 0.5, 0.5,
                                 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2};
  const double by_pages = pages < kTrust.size() ? kTrust[pages] : 0;
  return std::max(by_pages, 1 - repeated_share / kKnownTemplate);
}

double OwnWeights::operator[](size_t block) const noexcept {
  const bool around = (blocks_[block].context & (kBlockInNavigation | kBlockInForm)) != 0;
  return own_share(site_.with_block(block), site_.pages) * (around ? kAroundWeight : 1) *
         (1 - trust_ + trust_ * blocks_[block].weight / 255.0);
}

}  // namespace nd::engine
