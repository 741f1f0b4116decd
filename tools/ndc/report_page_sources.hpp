// What the browser gets beside the data: the files of tools/report_page, put into the program when it is
// built.
#pragma once

#include <string_view>

namespace ndc {

extern const std::string_view kReportBody;    // HTML, between <body> and the scripts
extern const std::string_view kReportStyle;   // CSS
extern const std::string_view kReportScript;  // all scripts in their order

}  // namespace ndc
