// Sentences of normalised text, the unit of the LCS partition's fingerprints (TR2007012 section 4.2).
#pragma once

#include <string_view>

#include "core/memory.hpp"
#include "text/extraction.hpp"

namespace nd::text {

// Appends the sentences of one normalised block, in order, as ranges of `text` shifted by `offset`. They end after
// sentence punctuation (. ! ? ; and … in ASCII and full-width form, 。！？；｡ after NFKC) and at the end of
// the block; the punctuation belongs to its sentence, the spaces between sentences to none. A full stop
// ends a sentence only where white space, the end, or a wide character follows ("3.14", "example.com" stay whole).
void append_sentences(std::string_view text, uint32_t offset, Vector<Range>& out);

}  // namespace nd::text
