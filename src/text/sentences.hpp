// Sentences of normalised text, the unit of the LCS partition's fingerprints (TR2007012 section 4.2).
#pragma once

#include <span>
#include <string_view>

#include "core/memory.hpp"
#include "text/document.hpp"

namespace nd::text {

// Appends the sentences of one normalised block, in order, as ranges of `text` shifted by `offset`. They end
// after sentence punctuation and at the end of the block; the spaces between sentences belong to none. What
// ends a sentence is a run of punctuation marks and of the closing quotes and brackets right behind them
// ("?!", "...", "。」"); the run belongs to its sentence.
//   。｡！？；．           always end it (NFKC leaves only the first of them)
//   ! ? ; and the Arabic ؟ ؛ ۔ and Indic । ॥
//                        where white space, the end or a wide character follows, or a wide one stands before
//   . …                  where white space, the end or a wide character follows ("3.14", "example.com" stay
//   whole)
// Cost: O(n).
void append_sentences(std::string_view text, uint32_t offset, Vector<Range>& out);

// The same for consecutive blocks of a document's text, which no mark joins: appends to `out` and sets each
// block's `sentences`. One pass over the text.
void cut_sentences(std::string_view text, std::span<DocumentBlock> blocks, Vector<Range>& out);

}  // namespace nd::text
