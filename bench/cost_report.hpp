// Prints the figures of check_cost for people, who read a line a figure and no JSON.
#pragma once

#include <nlohmann/json.hpp>

namespace ndc::bench {

// `out`: what check_cost writes as JSON. To standard output.
void print_costs(const nlohmann::json& out);

}  // namespace ndc::bench
