// Turns counts into shares, without the page itself, and marks as boilerplate what most of a site's pages
// have.
#include "page/site_counts.hpp"

#include <algorithm>
#include <array>

namespace nd::engine {
namespace {

// A part that this share of its site's pages have is half a page's own; chosen on judged pairs of pages
// (docs/decision_model.md).
constexpr double kHalfShare = 0.15;

// What is boilerplate gives no candidate keys.
constexpr uint32_t kLeastKnownPages = 2;  // with fewer others, nothing is
constexpr double kMostlyOwn = 0.5;        // what is less the page's own is
constexpr uint32_t kLeastEverywhere = 4;  // pages, and half of all

// The constants were chosen on judged pairs of pages (docs/decision_model.md).
constexpr double kAroundWeight = 0.25;  // of blocks in navigation and forms, against others
constexpr double kKnownTemplate = 0.4;  // of a page's text: with so much on other pages its template is known

}  // namespace

void CountedPage::leave_out_one() noexcept {
  pages -= pages > 0 ? 1 : 0;
  for (uint32_t& with : blocks)
    with -= with > 0 ? 1 : 0;
}

double own_share(uint32_t with, uint32_t pages) noexcept {
  if (with == 0) return 1;
  const double share = std::min(with, pages) / (pages + 1.0) / kHalfShare;
  return 1 / (1 + share * share);
}

void mark_by_share(const CountedPage& counted, std::span<uint8_t> marks) noexcept {
  const uint32_t pages = counted.pages;
  if (pages < kLeastKnownPages) return;
  for (size_t i = 0; i < marks.size(); ++i) {
    const uint32_t with = counted.blocks[i];
    if (own_share(with, pages) >= kMostlyOwn) continue;
    const bool is_everywhere = 2 * uint64_t{with} >= pages && with >= kLeastEverywhere;
    marks[i] = is_everywhere ? kEverywhere : kBoilerplate;
  }
}

// The learned weight of a block is all that is known with no other page of its site, and misleads once a few
// are. But where other pages of the site have hardly anything of a page, its template is not known,
// however many pages are: a host may have a hundred templates.
double trust_in_learned_weights(uint32_t pages, double repeated_share) noexcept {
  constexpr std::array kTrust = {1.0, 0.8, 0.7, 0.7, 0.5, 0.5, 0.5, 0.5,
                                 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2};
  const double by_pages = pages < kTrust.size() ? kTrust[pages] : 0;
  return std::max(by_pages, 1 - repeated_share / kKnownTemplate);
}

double own_weight(const FeatureBlock& block, double share, double trust) noexcept {
  const bool around = (block.context & (kBlockInNavigation | kBlockInForm)) != 0;
  return share * (around ? kAroundWeight : 1) * (1 - trust + trust * block.weight / 255.0);
}

}  // namespace nd::engine
