// Median, least and most of the rounds, because single times of a shared machine say little.
#include "spread.hpp"

#include <algorithm>

namespace ndc::bench {

Spread spread_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  const size_t half = values.size() / 2;
  const double median = values.size() % 2 != 0 ? values[half] : (values[half - 1] + values[half]) / 2;
  return {median, values.front(), values.back()};
}

nlohmann::json to_json(const Spread& spread) {
  return {{"median", spread.median}, {"least", spread.least}, {"most", spread.most}};
}

}  // namespace ndc::bench
