#pragma once

#include <string_view>

#include "output_file.hpp"

namespace ndc {

// Writes what nd_extract gave (`json`) for the page: as a line of JSON with the URL put first, or for
// reading. False: `json` is not what the C interface promises.
bool write_extract(std::string_view url, std::string_view json, bool as_json, OutputFile& output);

}  // namespace ndc
