// Rewrites a page so that libxml2 2.9 finds the same tags, comments, texts and references in it as a browser
// does. The effect of tags is left to the parser.
#pragma once

#include <string_view>

#include "core/memory.hpp"

namespace nd::text {

// `html`: well-formed UTF-8 without NUL. In the result
//  - a comment, and whatever a browser takes for one (comment_end()), is "<!---->",
//  - scripts and other raw text that is not shown are empty,
//  - a '<' that begins no tag is "&lt;", in a title or textarea too,
//  - a reference stands for what it is in HTML, written as a number, and any other '&' is "&amp;",
//  - end tags have no attributes.
// The prefilter corrects the same as it goes; this is for the plain way of reading that it is tested against.
// Linear.
String corrected_markup(std::string_view html);

}  // namespace nd::text
