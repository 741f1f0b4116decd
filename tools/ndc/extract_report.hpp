// How `ndc extract` shows a page: the library's JSON as it is, or laid out for reading.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "output_file.hpp"

namespace ndc {

// What --show calls the words at which spot signatures begin.
inline constexpr std::string_view kAntecedents = "antecedents";

// What is shown beside what nd_extract gave, by its name.
struct Description {
  std::string shown;
  std::string content;   // JSON of nd_describe_page,
  bool is_text = false;  // or lines of text
};

// Writes what nd_extract gave (`json`) for the page: as a line of JSON with the URL put first and the
// descriptions by their names, or for reading. False: some JSON is not what the C interface promises.
bool write_extract(std::string_view url, std::string_view json, const std::vector<Description>& descriptions,
                   bool as_json, OutputFile& output);

// The same of what a store knows of a page: `json` as page_line() writes it.
bool write_known_page(std::string_view url, std::string_view json, bool as_json, OutputFile& output);

}  // namespace ndc
