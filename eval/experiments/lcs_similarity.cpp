// Computes resemblance and containment of two texts by the report's formulas.
#include "lcs_similarity.hpp"

#include <algorithm>

namespace nd::eval::partition {

double resemblance(const ComparedText& a, const ComparedText& b, uint64_t matched_width) {
  const uint64_t joined = a.width + b.width - matched_width;
  return joined == 0 ? 0 : static_cast<double>(matched_width) / static_cast<double>(joined);
}

bool is_similar(const ComparedText& a, const ComparedText& b, uint64_t matched_width) {
  if (matched_width == 0) return false;
  return resemblance(a, b, matched_width) >= kResemblance ||
         static_cast<double>(matched_width) / static_cast<double>(b.width) >= kContainment;
}

uint64_t least_width(const ComparedText& a, const ComparedText& b) {
  const double by_resemblance = kResemblance / (1 + kResemblance) * static_cast<double>(a.width + b.width);
  const double by_containment = kContainment * static_cast<double>(b.width);
  // Rounded down twice: what is rejected by it must be different beyond doubt.
  const auto width = static_cast<uint64_t>(std::min(by_resemblance, by_containment));
  return std::max<uint64_t>(width, 2) - 1;
}

std::optional<uint64_t> TrustedComparer::trusted_width(const ComparedText& a, const ComparedText& b,
                                                       const TrustOptions& options, uint64_t need_width) {
  lcs::ComparisonParameters parameters;
  parameters.window_width = options.window_width;
  parameters.trustable = options.slope.has_value();
  parameters.trust.slope = options.slope.value_or(0);
  parameters.rounds = 1;
  comparer_.compare(a.sequence(), b.sequence(), parameters, need_width, comparison_);
  if (comparison_.limited) return std::nullopt;
  return comparison_.matched_width;
}

}  // namespace nd::eval::partition
