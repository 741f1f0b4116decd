// The filtered sketch of TR2007012 section 4.3 over sets of pieces of text in place of hashes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lcs/sequence.hpp"

namespace nd::lcs::oracle {

// The positions of `text` that a window covers which `other` has too.
std::vector<uint32_t> kept_positions(const Sequence& text, std::span<const uint32_t> cuts,
                                     const Sequence& other, std::span<const uint32_t> other_cuts,
                                     uint32_t window_width);

}  // namespace nd::lcs::oracle
