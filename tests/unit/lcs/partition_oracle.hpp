// The candidate sets and groups of TR2007012 sections 3.3 and 4.2, by comparing everything with everything.
#pragma once

#include <vector>

#include "lcs/partition.hpp"

namespace nd::lcs::oracle {

struct Groups {
  std::vector<uint32_t> representatives;
  PartitionCounts counts;
};

Groups partition(std::span<const PartitionDocument> documents, const PartitionParameters& parameters,
                 const Similarity& similarity);

}  // namespace nd::lcs::oracle
