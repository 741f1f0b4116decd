#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "archive_page.hpp"
#include "archive_reader.hpp"
#include "exit_code.hpp"

namespace ndc {

struct FilterSettings {
  std::vector<std::string> inputs;
  std::string output;
  std::string keep = "first";  // as keep_rule_named() takes it
  bool revisit = false;        // records in the place of pages
  PageRules rules;
  std::vector<std::string> library_options;
};

// `ndc filter`: a WARC file without the duplicates of others.
class FilterCommand {
 public:
  CLI::App* attach(CLI::App& app);
  ExitCode run() const;

 private:
  bool has_fitting_files(const ArchiveReader& reader) const;

  FilterSettings settings_;
};

}  // namespace ndc
