// The results of the rounds of a measurement as median, least and most, so that their noise is seen beside
// them.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

namespace ndc::bench {

struct Spread {
  double median = 0, least = 0, most = 0;
};

// Of an even number of values the median is the mean of the two in the middle. All zero of none.
Spread spread_of(std::vector<double> values);

// {"median": …, "least": …, "most": …}
nlohmann::json to_json(const Spread& spread);

}  // namespace ndc::bench
