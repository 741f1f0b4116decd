// The trustable LCS (TR2007012 section 4.4, figures 3 and 4): the central region of A that contains few
// edits.
#pragma once

#include <cstdint>
#include <span>

#include "lcs/sequence.hpp"

namespace nd::lcs {

struct TrustableParameters {
  double slope = 0.10;          // θ, TR2007012 section 5.3, figure 7: edits per unit of text
  uint32_t block_width = 64;    // s, TR2007012 section 4.4; its value is ours
  uint32_t blocks_limit = 256;  // cap of k; a longer text gets wider blocks (the k² term)
};

// A point of an edit curve: at `position` of A (in width units, 0..length) there are `amount` edits, the
// width of what is deleted there or inserted before it. Insertions behind the last position are at `length`.
// Positions ascend.
struct Edit {
  uint32_t position;
  uint32_t amount;
};

struct Region {
  uint32_t begin = 0;  // in width units of A
  uint32_t end = 0;
  bool empty() const noexcept { return begin == end; }
};

// Appends the edits of a script between A and B, ascending. A replacement of a run of A is at the beginning
// of that run, so that a region can begin behind all of it.
void append_edits(const Sequence& a, const Sequence& b, std::span<const Match> script, Vector<Edit>& out);

// The trustable region of a text of `length` units, empty if no base region has a slope ≤ θ.
//
// The text is cut into k = ⌈length / s⌉ blocks, block i (from 1) weighing ⌈k/2⌉ − |⌈k/2⌉ − i|. Of the runs of
// blocks with a slope (edits within / width) ≤ θ those of the largest weight are the base regions; of these,
// those of the fewest blocks. Each is extended at its left end, then at its right end, by at most s − 1
// units: to the furthest point at which the slope of the whole region is still below θ. The longest region
// wins; of equally long ones the first. Edits at `length` count as at the last position. If k would exceed
// blocks_limit, s is widened. Cost: O(k² + D).
Region trustable_region(uint32_t length, std::span<const Edit> edits, const TrustableParameters& parameters);

}  // namespace nd::lcs
