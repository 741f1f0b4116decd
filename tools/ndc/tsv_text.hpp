#pragma once

#include <string>
#include <string_view>

namespace ndc {

// Appends `text` with the bytes that would break a table (tab, line feed, carriage return) percent-encoded.
void append_tsv_text(std::string_view text, std::string& line);

}  // namespace ndc
