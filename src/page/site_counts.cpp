// Turns counts into shares, without the page itself, and marks as boilerplate what most of a site's pages
// have.
#include "page/site_counts.hpp"

#include <algorithm>

namespace nd::engine {
namespace {

// A part that this share of its site's pages have is half a page's own; chosen on judged pairs of pages
// (docs/decision_model.md).
constexpr double kHalfShare = 0.15;

// What is boilerplate gives no candidate keys.
constexpr uint32_t kLeastKnownPages = 2;  // with fewer others, nothing is
constexpr double kMostlyOwn = 0.5;        // what is less the page's own is
constexpr uint32_t kLeastEverywhere = 4;  // pages, and half of all

}  // namespace

void CountedPage::leave_out_one() noexcept {
  pages -= pages > 0 ? 1 : 0;
  for (uint32_t& with : blocks)
    with -= with > 0 ? 1 : 0;
}

double own_share(uint32_t with, uint32_t pages) noexcept {
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

}  // namespace nd::engine
