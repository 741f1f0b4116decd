#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "archive_page.hpp"
#include "exit_code.hpp"

namespace ndc {

// `ndc explain`: why two pages are near-duplicates, or are not.
class ExplainCommand {
 public:
  CLI::App* attach(CLI::App& app);
  ExitCode run() const;

 private:
  std::string input_;
  std::string url_a_;
  std::string url_b_;
  std::string format_ = "text";  // "text", "json"
  PageRules rules_;
  std::vector<std::string> library_options_;
};

}  // namespace ndc
