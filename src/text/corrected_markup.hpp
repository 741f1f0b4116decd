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
//  - a reference is written as the number of what it means in HTML, and any other '&' is "&amp;",
//  - end tags have no attributes.
// The prefilter makes the same corrections in its pass; this function is for the plain way of reading against
// which the prefilter is tested. Linear.
String corrected_markup(std::string_view html);

}  // namespace nd::text
