// text/plain pages: paragraphs as blocks.
#pragma once

#include <string_view>

#include "text/extraction.hpp"
#include "text/html.hpp"

namespace nd::text {

// Blank lines separate blocks; `text` is the decoder's output.
void extract_plain_text(std::string_view text, const HtmlLimits& limits, Extraction& out);

}  // namespace nd::text
