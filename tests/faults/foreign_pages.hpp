// Pages in scripts and charsets other than those of page_sample.hpp, of made-up text.
#pragma once

#include <cstdint>
#include <string>

namespace faults {

// Articles in UTF-8. Those of different seeds share no sentence.
std::string chinese_text(uint64_t seed);
std::string japanese_text(uint64_t seed);
std::string russian_text(uint64_t seed);

// The text as paragraphs of a page that declares the charset, or none if it is "".
std::string page_in(const std::string& text, const char* charset, bool declared = true);

}  // namespace faults
