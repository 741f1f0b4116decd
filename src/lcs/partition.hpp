// The batch order of TR2007012 section 4.2: documents by number of fingerprints, candidate sets that widen
// one way, from larger to smaller, and groups around representatives inside each set (section 3.3).
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "core/memory.hpp"

namespace nd::lcs {

struct PartitionParameters {
  uint32_t fingerprint_limit = 10000;     // a key on more documents than this is deleted
  uint32_t site_fingerprint_limit = 400;  // a key on more than this …
  uint32_t few_sites = 8;                 // … and on at most so many sites is deleted too
};

struct PartitionDocument {
  std::span<const uint64_t> keys;  // distinct; share one = perhaps similar
  uint64_t site;                   // any stable number of its site
};

struct PartitionCounts {
  uint64_t candidate_sets = 0;
  uint64_t comparisons = 0;
  uint64_t deleted_keys = 0;
  uint64_t groups = 0;
};

// How well a document fits a representative: greater is better, 0 or less is "not similar".
using Similarity = std::function<double(uint32_t representative, uint32_t document)>;

// Returns for each document the index of its representative (its own if it founds a group). Candidate sets:
// documents in descending number of keys (ties: input order); the first that stands in no set yet opens one
// and draws in every later document that shares a key with it, or with one already drawn in that stands
// before it in the order. Inside a set each document is compared with the representatives found so far and
// joins the best. Deterministic. Cost: O(total keys · log) + the comparisons.
Vector<uint32_t> partition(std::span<const PartitionDocument> documents,
                           const PartitionParameters& parameters, const Similarity& similarity,
                           PartitionCounts& counts);

}  // namespace nd::lcs
