// What a collection keeps, within which bounds, and what it searches. A collection also reads what its pages'
// features and its decisions were made with.
#pragma once

#include <cstdint>

#include "collection/key_index.hpp"
#include "collection/site_knowledge.hpp"
#include "collection/spot_source.hpp"
#include "decision/decision_parameters.hpp"
#include "page/feature_parameters.hpp"

namespace nd::engine {

struct CollectionParameters : FeatureParameters, VerificationParameters {
  SpotSourceParameters spot_source;
  IndexParameters index;
  SiteKnowledgeLimits sites;
  uint64_t memory_budget_bytes = 0;  // 0: none
  uint32_t events = 100000;          // kept

  // Only the probability asks what is known about sites.
  bool asks_sites() const noexcept {
    return decision.kind() == DecisionKind::kDocument && !detector.method_decides();
  }
};

}  // namespace nd::engine
