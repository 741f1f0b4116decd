// Thresholds for tests of what follows from a verdict, whose texts share little.
#pragma once

#include "engine/parameters.hpp"

namespace nd::engine {

// TR2007012, section 5.4: how much two texts share decides alone, whatever was exchanged.
inline Parameters shared_text_rules() {
  Parameters parameters;
  DecisionParameters& decision = parameters.decision;
  // `resemblance` and `containment` are asked for in any case.
  decision.document_resemblance = decision.plain_text_resemblance = 0;
  decision.document_containment = decision.plain_text_containment = 0;
  decision.young_resemblance = decision.same_site_resemblance;
  decision.exchanged_word_weight = decision.exchanged_number_weight = decision.exchanged_heading_weight = 0;
  return parameters;
}

}  // namespace nd::engine
