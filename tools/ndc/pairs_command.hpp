#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "archive_page.hpp"
#include "exit_code.hpp"

namespace ndc {

struct PairsSettings {
  std::vector<std::string> inputs;
  std::string output = "-";
  std::string format = "tsv";  // "tsv", "jsonl"
  std::string detector = "lcs";
  double threshold = 0;
  size_t threads = 1;
  uint64_t memory_mb = 1024;  // of the pages that are joined with all later ones at once
  bool stats = false;
  PageRules rules;
  std::vector<std::string> library_options;
};

// `ndc pairs`: the complete join.
class PairsCommand {
 public:
  CLI::App* attach(CLI::App& app);
  ExitCode run() const;

 private:
  PairsSettings settings_;
};

}  // namespace ndc
