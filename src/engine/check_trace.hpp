// What one check looked at before it answered; for measurements and tests, never for callers of ndcapi.h.
#pragma once

#include <cstdint>

#include "core/memory.hpp"
#include "engine/verification.hpp"

namespace nd::engine {

struct CandidateView {
  uint64_t group_id;
  bool same_text;             // a member with the very same text is known
  bool verified;              // it was compared; else the answer was clear before, or a limit was hit
  Verification verification;  // if verified
};

// In the order of the ranking. With several threads: those of the look before the commit.
struct CheckTrace {
  Vector<CandidateView> candidates;
};

}  // namespace nd::engine
