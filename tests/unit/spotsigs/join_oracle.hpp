// Brute force over maps, by the definitions of the paper.
#pragma once

#include <cstdint>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "spotsigs/spot_vector.hpp"

namespace nd::spotsigs::oracle {

// sum of minima, sum of maxima
std::pair<uint64_t, uint64_t> jaccard(SpotVector a, SpotVector b);
bool reaches(std::pair<uint64_t, uint64_t> similarity, uint32_t tau);

// first, second, shared, united
using Pairs = std::set<std::tuple<uint32_t, uint32_t, uint64_t, uint64_t>>;
Pairs join(const std::vector<SpotVector>& documents, uint32_t tau);

// The component of each document by its least member, by repeated relabelling.
std::vector<uint32_t> components(size_t documents, const Pairs& pairs);

}  // namespace nd::spotsigs::oracle
