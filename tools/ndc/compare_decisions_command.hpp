#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "archive_page.hpp"
#include "exit_code.hpp"
#include "handles.hpp"

namespace ndc {

// `ndc compare-decisions`: which groups of the same pages change with option `decision`.
class CompareDecisionsCommand {
 public:
  CLI::App* attach(CLI::App& app);
  ExitCode run() const;

 private:
  bool fits() const;
  // `flag`: which one names the decision. NULL after a message.
  OptionsHandle options_with(const std::string& flag, const std::string& decision) const;

  std::vector<std::string> inputs_;
  std::string output_ = "-";
  std::string format_ = "tsv";
  std::string from_ = "classic";
  std::string to_ = "document";
  PageRules rules_;
  std::vector<std::string> library_options_;
};

}  // namespace ndc
