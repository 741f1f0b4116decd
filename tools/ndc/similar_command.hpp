// `ndc similar`: the pages of an input that are most similar to one of them, whatever their groups.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "archives/archive_page.hpp"
#include "exit_code.hpp"

namespace ndc {

class SimilarCommand {
 public:
  CLI::App* attach(CLI::App& app);
  ExitCode run() const;

 private:
  std::string input_;
  std::string url_;
  uint32_t limit_ = 10;
  std::string detector_;
  std::string format_ = "tsv";
  PageRules rules_;
  std::vector<std::string> library_options_;
};

}  // namespace ndc
