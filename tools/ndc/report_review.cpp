#include "report_review.hpp"

#include <algorithm>
#include <tuple>

namespace ndc {

void ReportReview::add(const Pair& pair, size_t limit) {
  pairs_.push_back(pair);
  // So that the work for each pair stays the same.
  if (pairs_.size() >= 4 * limit + 16) shrink(limit);
}

void ReportReview::shrink(size_t limit) {
  const auto key = [](const Pair& pair) {
    return std::make_tuple(!pair.disputed, !pair.marked, pair.margin, pair.b);
  };
  std::sort(pairs_.begin(), pairs_.end(), [&](const Pair& x, const Pair& y) { return key(x) < key(y); });
  if (pairs_.size() > limit) pairs_.resize(limit);
}

std::string ReportReview::text(size_t limit) {
  shrink(limit);
  std::string json = "[";
  for (const Pair& pair : pairs_) {
    json += (json.size() > 1 ? ",[" : "[") + std::to_string(pair.a) + "," + std::to_string(pair.b) + "," +
            std::to_string(pair.group) + "," + (pair.disputed ? "1" : "0") + "]";
  }
  return json + "]";
}

}  // namespace ndc
