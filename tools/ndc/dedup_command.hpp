#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "archive_page.hpp"
#include "exit_code.hpp"

namespace ndc {

struct DedupSettings {
  std::vector<std::string> inputs;
  std::string output = "-";
  std::string format = "tsv";   // "tsv", "jsonl", "groups"
  std::string order = "input";  // "input", "fingerprints"
  size_t threads = 1;
  bool stats = false;
  PageRules rules;
  std::vector<std::string> library_options;
};

// `ndc dedup`: the near-duplicate groups of archives.
class DedupCommand {
 public:
  CLI::App* attach(CLI::App& app);
  ExitCode run() const;

 private:
  DedupSettings settings_;
};

}  // namespace ndc
