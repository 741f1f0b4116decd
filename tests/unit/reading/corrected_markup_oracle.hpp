// Rewrites a page so that libxml2 2.9 finds the same tags, comments, texts and references in it as a browser
// does. The effect of tags is left to the parser. The prefilter makes the same corrections in its pass.
#pragma once

#include <string_view>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "reading/html.hpp"

namespace nd::text::test {

// `html`: well-formed UTF-8 without NUL. In the result
//  - a comment, and whatever a browser takes for one (comment_end()), is "<!---->",
//  - scripts and other raw text that is not shown are empty,
//  - a '<' that begins no tag is "&lt;", in a title or textarea too,
//  - a reference is written as the number of what it means in HTML, and any other '&' is "&amp;",
//  - end tags have no attributes.
String corrected_markup(std::string_view html);

// What HtmlExtractor::extract_by_libxml2() must find, without the prefilter. Broken markup can make it slow
// without bounds.
Result<void> extract_plain(HtmlExtractor& extractor, std::string_view html, std::string_view site,
                           const HtmlLimits& limits, Extraction& out);

}  // namespace nd::text::test
