// The lists behind antecedents.hpp, in the form of text/stop_word_tables.hpp. Each word is a stop word.
#pragma once

#include <span>

#include "text/stop_word_tables.hpp"

namespace nd::spotsigs {

// The languages of stop_word_lists(), and Chinese.
std::span<const text::StopWordList> antecedent_lists() noexcept;

}  // namespace nd::spotsigs
