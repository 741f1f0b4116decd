// The files of a report: index.html with everything in it where that is little, else with a script, a style
// and parts of data beside it, which the page loads by script elements: it opens from a disk, where a browser
// loads nothing else (docs/report_format.md).
#pragma once

#include <cstdint>
#include <set>
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

// An earlier report in the folder stays until the new one is whole: the new index.html waits beside it, and
// the other files in a folder of their own. Then they take their places one by one, the index last: a process
// that is killed meanwhile leaves parts of both, and no half file. Of the earlier one's files only those of a
// report are removed. One thread at a time.
class ReportFolder {
 public:
  ReportFolder() = default;
  ~ReportFolder();  // without finish(): what was in the folder stays
  ReportFolder(const ReportFolder&) = delete;
  ReportFolder& operator=(const ReportFolder&) = delete;

  // Makes the folder. One that is neither empty nor of an earlier report is refused. False: error() says why.
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
  bool take_parts();
  bool remove_other_parts();
  bool write_part(std::string_view name, std::string_view json);
  bool write_file(const std::string& name, std::string_view content);
  bool fail(std::string reason);

  std::string path_;
  std::string waiting_;  // the folder of the parts that wait; empty: it is not this run's
  ReportLayout layout_ = ReportLayout::kBySize;
  std::vector<std::pair<std::string, std::string>> held_;  // until the layout is known
  OutputFile index_;
  std::set<std::string> parts_;  // names of files, in the folder where they wait
  uint64_t bytes_ = 0;
  uint64_t files_ = 0;
  std::string error_;
};

}  // namespace ndc
