// Light stemming: English words in the plural to their singular, and nothing else (Harman 1991, the S
// stemmer).
#pragma once

#include <string_view>

#include "core/memory.hpp"

namespace nd::mwo {

// A BCP 47 tag in lower case, as pages declare it, whose first subtag is "en".
bool is_english(std::string_view language) noexcept;

// "ies" becomes "y", but not after "a" or "e"; any other "s" goes, but not after "u" or "s". (Harman has "es"
// become "e" as well, which is the same.) Words of less than four letters stay as they are. The stem lies in
// the word or, for "ies", in `buffer`. Throws std::bad_alloc.
std::string_view singular(std::string_view word, String& buffer);

}  // namespace nd::mwo
