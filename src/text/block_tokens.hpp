// The tokens of a document's blocks, in one pass over its text.
#pragma once

#include <cstddef>
#include <cstdint>

#include "text/document.hpp"

namespace nd::text {

// Appends the tokens of the blocks from `first` on to document.tokens and sets their `tokens`, `width` and
// `stop_share`. Stops with the block in which the document reaches `limit` tokens; the rest of that block is
// left out, and document.tokens_limited is set. Returns the number of the document's blocks that have been
// cut into tokens. Cost: some ns per token.
size_t cut_tokens(Document& document, size_t first, uint32_t limit);

}  // namespace nd::text
