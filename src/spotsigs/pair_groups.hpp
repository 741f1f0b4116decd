// Groups of documents from the pairs that a join found.
#pragma once

#include <cstdint>
#include <span>

#include "core/memory.hpp"
#include "spotsigs/spot_vector.hpp"

namespace nd::spotsigs {

// Two documents by their place in the input, first < second.
struct SimilarPair {
  uint32_t first;
  uint32_t second;
  Overlap overlap;
};

// The connected components of the pairs: by document, the first document of its group (itself if it has no
// pair). Cost: nearly linear.
Vector<uint32_t> pair_groups(size_t documents, std::span<const SimilarPair> pairs);

}  // namespace nd::spotsigs
