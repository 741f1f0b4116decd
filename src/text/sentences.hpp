// Sentences of normalised text, the unit of the LCS partition's fingerprints (TR2007012 section 4.2).
#pragma once

#include <span>
#include <string_view>

#include "core/memory.hpp"
#include "text/document.hpp"

namespace nd::text {

// Appends the sentences of consecutive blocks of a document's normalised text to `out`, in order, and sets
// each block's `sentences`. They end after sentence punctuation and at the end of the block, which no mark
// joins to the next; the spaces between sentences belong to none. A sentence is ended by a run of punctuation
// marks and of closing quotes and brackets right behind them ("?!", "...", "。」"); the run belongs to its
// sentence.
//   。｡！？；．           always end it (NFKC leaves only the first of them)
//   ! ? ; and the Arabic ؟ ؛ ۔ and Indic । ॥
//                        where white space, the end or a wide character follows, or a wide one stands before
//   . …                  where white space, the end or a wide character follows ("3.14", "example.com" stay
//   whole)
// Cost: O(n), one pass over the text.
void cut_sentences(std::string_view text, std::span<DocumentBlock> blocks, Vector<Range>& out);

}  // namespace nd::text
