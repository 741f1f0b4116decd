// The spot signatures of an archive's pages, read once for all measurements of the spot index.
#pragma once

#include <string>
#include <vector>

#include "core/memory.hpp"
#include "spotsigs/spot_vector.hpp"

namespace ndc::bench {

// By page, in the archive's order, without pages that have none. Ends the process if the archive cannot be
// read.
std::vector<nd::Vector<nd::spotsigs::PackedSpot>> spots_of_archive(const std::string& path);

}  // namespace ndc::bench
