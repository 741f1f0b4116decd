// Parameters for tests of what follows from a verdict, whose texts share little.
#pragma once

#include "options/parameters.hpp"

namespace nd::engine {

// TR2007012, section 5.4: how much two texts share decides alone.
inline Parameters report_parameters() {
  Parameters parameters;
  parameters.decision.decision = static_cast<uint32_t>(DecisionKind::kReport);
  parameters.comparison.trustable = true;
  return parameters;
}

}  // namespace nd::engine
