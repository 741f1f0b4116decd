// The files of a report: index.html with everything in it where that is little, else with a script, a style
// and parts of data beside it, which the page loads by script elements: it opens from a disk, where a browser
// loads nothing else (docs/report_format.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "output_file.hpp"

namespace ndc {

// The files of tools/report_page, which the browser gets in addition to the data; built into the program.
extern const std::string_view kReportBody;    // HTML, between <body> and the scripts
extern const std::string_view kReportStyle;   // CSS
extern const std::string_view kReportScript;  // all scripts in their order

enum class ReportLayout {
  kBySize,  // one file up to kSingleFileBytes of data
  kSingle,
  kParts,
};
inline constexpr uint64_t kSingleFileBytes = uint64_t{4} << 20;

// One thread at a time.
class ReportFolder {
 public:
  // Makes the folder. One that holds an earlier report loses it; one with anything else is refused. False:
  // error() says why.
  bool open(const std::string& path, ReportLayout layout);

  // `name`: a word of letters, digits and '-'. `json`: well formed. False: error() says why.
  bool add_part(std::string_view name, std::string_view json);

  // After all parts.
  bool finish();

  const std::string& error() const { return error_; }
  uint64_t bytes() const { return bytes_; }  // of data
  uint64_t files() const { return files_; }

 private:
  bool begin_parts();
  bool begin_single();
  bool write_part(std::string_view name, std::string_view json);
  bool write_file(const std::string& name, std::string_view content);
  bool fail(std::string reason);

  std::string path_;
  ReportLayout layout_ = ReportLayout::kBySize;
  std::vector<std::pair<std::string, std::string>> held_;  // until the layout is known
  OutputFile single_;
  uint64_t bytes_ = 0;
  uint64_t files_ = 0;
  std::string error_;
};

}  // namespace ndc
