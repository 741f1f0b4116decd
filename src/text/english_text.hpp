// Whether bytes of an unknown single-byte charset are plain English, for which no statistics of trigrams are
// needed.
#pragma once

#include <string_view>

namespace nd::text {

// True for text of which the article, the conjunction and the preposition that English uses most make up one
// word in twenty and more (in running English one in eight, in no other language that writes ASCII letters
// more than a few in a hundred), and of which at most one word in sixteen has a byte that could be a letter
// beyond ASCII. Such text is windows-1252 to ICU's detector, too: its other bytes are typographic quotes,
// dashes and blanks, at the same place in all of windows-1250 to 1258. Says no to fewer than twenty words.
// Cost: one pass over the text, some ns a word; ICU's detector takes half a microsecond a byte.
bool is_english_windows_1252(std::string_view text) noexcept;

}  // namespace nd::text
