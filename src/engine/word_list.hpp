// A list of words as the value of an option.
#pragma once

#include <string_view>

#include "core/memory.hpp"
#include "core/result.hpp"

namespace nd::engine {

inline constexpr size_t kListedWordsLimit = 256;
inline constexpr size_t kWordListBytesLimit = 8192;

// The words of `value`, which stand between spaces or commas, as tokens of a page have them: in normal form,
// ascending, each once, between single spaces. Empty if `value` is not a list of 1 to 256 words of letters,
// digits and marks in well-formed UTF-8. Errors: kInternal where ICU's data is missing. Cost: O(n log n).
Result<String> word_list_of(std::string_view value);

}  // namespace nd::engine
