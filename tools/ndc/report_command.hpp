// `ndc report`: groups of near-duplicates as a page for a browser, for people who must judge them.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "archives/archive_page.hpp"
#include "exit_code.hpp"

namespace ndc {

struct ReportSettings {
  std::vector<std::string> inputs;  // of a run; with a store empty
  std::string store;                // directory; empty: a run over `inputs`
  std::vector<std::string> pages;   // archives with the texts of the store's pages
  std::string output;               // folder
  std::string keep = "first";       // as keep_rule_named() takes it
  bool leave_out_parts = false;
  std::string caution = "normal";  // likewise
  std::string replay;  // what stands before time and URL of a page in a replay; empty: there is none
  bool single_file = false;
  bool parts = false;  // even where one file would do
  size_t threads = 1;
  uint64_t text_megabytes = 512;  // of all texts in the report
  size_t page_text_bytes = size_t{1} << 20;
  size_t review_pairs = 500;
  size_t near_miss_groups = 10000;  // to look at
  PageRules rules;
  std::vector<std::string> library_options;

  // The inputs from which pages are read.
  const std::vector<std::string>& archives() const { return store.empty() ? inputs : pages; }
};

class ReportCommand {
 public:
  CLI::App* attach(CLI::App& app);
  ExitCode run() const;

 private:
  bool has_fitting_source() const;

  ReportSettings settings_;
};

}  // namespace ndc
