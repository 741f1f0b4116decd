// The words of a run of ideographs and kana: the cheapest way through ICU's dictionary, with the boundaries
// that ICU's break iterator draws (its CjkBreakEngine, ICU 72).
#pragma once

#include <cstdint>
#include <span>

#include "core/memory.hpp"
#include "text/cjk_dictionary.hpp"

namespace nd::text {

// Stands for a character beyond U+FFFF, which is in no word of the dictionary.
constexpr char16_t kBeyondBmp = 0xffff;

// Replaces `lengths` by one byte a character of `run`; at the first character of each word it is the number
// of its characters, at most 20; the others mean nothing. `run` holds characters of the classes kIdeograph
// and kKatakana. Returns the words that were tried. Cost: O(characters), some 20 ns each.
uint64_t split_cjk_run(const CjkDictionary& dictionary, std::span<const char16_t> run,
                       Vector<uint8_t>& lengths);

}  // namespace nd::text
