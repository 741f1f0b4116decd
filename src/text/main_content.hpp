// How likely each block is main content: soft weights from the block itself, from its neighbours and from the
// container that holds it.
#pragma once

#include "text/document.hpp"

namespace nd::text {

// Sets DocumentBlock::weight, 0..1, for every block:
//   weight = 0.4 · good + 0.3 · in the densest run + 0.3 · in the container with most good text
// A block is good if it reads like prose: little of it is linked, it is long enough, and it has the share of function words that
// running text has. The densest run is the maximum-sum run of blocks where good ones count their width and others a
// penalty. A block that repeats one further up weighs
// nothing. Measured on the project's corpora against hard 0/1 decisions: docs/quality.md.
// Cost: O(blocks · depth).
void weigh_blocks(Document& document);

}  // namespace nd::text
