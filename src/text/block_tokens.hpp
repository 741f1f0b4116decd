// The tokens of a document's blocks, in one pass over its text.
#pragma once

#include <cstddef>
#include <cstdint>

#include "text/document.hpp"

namespace nd::text {

// Appends the tokens of the blocks from `first` on to document.tokens and sets their `tokens`, `width` and
// `stop_share`. The block with which the document has `limit` tokens is the last that is cut; what it has
// beyond is left out, which document.tokens_limited tells. Returns the number of the document's blocks that
// have been cut. Cost: some ns per token.
size_t cut_tokens(Document& document, size_t first, uint32_t limit);

}  // namespace nd::text
