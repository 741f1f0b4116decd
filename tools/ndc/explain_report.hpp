// The explanation of a pair for people: what nd_explain gives as JSON, written like a diff.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "output_file.hpp"

namespace ndc {

// Writes what nd_explain gave (`json`) for reading: the scores, then the text, with "-" before what only the
// first page has and "+" before what only the second has; or, of the comparison's steps, those `shown`:
// "sketch", "trustable". False: `json` is not what the C interface promises.
bool write_explanation(std::string_view json, std::span<const std::string> shown, bool coloured,
                       OutputFile& output);

}  // namespace ndc
