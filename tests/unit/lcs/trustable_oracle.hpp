// The trustable region by TR2007012 figure 4, line by line, over a curve with a value at every position.
#pragma once

#include <span>

#include "lcs/trustable.hpp"

namespace nd::lcs::oracle {

Region trustable_region(uint32_t length, std::span<const Edit> edits, const TrustableParameters& parameters);

}  // namespace nd::lcs::oracle
