// The settings of `ndc dedup`, which finds the near-duplicate groups of archives, and its place among the
// commands.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "archives/archive_page.hpp"
#include "archives/archive_reader.hpp"
#include "exit_code.hpp"
#include "handles.hpp"

namespace ndc {

struct DedupSettings {
  std::vector<std::string> inputs;
  std::string output = "-";
  std::string metadata_output;  // file for the verdicts as WARC metadata; empty: none
  std::string store;            // directory; empty: an engine in memory
  std::string against;          // directory of a store that is read; empty: none
  bool restart = false;         // whatever the store remembers of an earlier run
  std::string format = "tsv";   // "tsv", "csv", "jsonl", "groups"
  std::string order = "input";  // "input", "fingerprints"
  std::string keep;             // as keep_rule_named() takes it; empty: kept pages are not told
  bool leave_out_parts = false;
  std::string caution = "normal";  // as keep_rule_named() takes it
  std::string keep_list;           // file for the URLs of pages that are kept; empty: none
  std::string drop_list;           // and of those that are not
  size_t threads = 1;
  bool stats = false;
  std::string detector;  // as option detector; empty: as --option says
  std::string decide;    // as option decide
  PageRules rules;
  std::vector<std::string> library_options;

  bool tells_kept() const { return !keep.empty() || !keep_list.empty() || !drop_list.empty(); }
  // All pages are read before the first is checked, and rows are written at the end.
  bool learns() const { return store.empty() && against.empty() && order == "input"; }
  // The list of groups counts the pages that could be left out.
  bool chooses_kept() const { return tells_kept() || (format == "groups" && order == "input"); }
};

class DedupCommand {
 public:
  CLI::App* attach(CLI::App& app);
  ExitCode run() const;

 private:
  bool has_fitting_outputs() const;
  bool has_fitting_keep() const;
  bool fits_a_store() const;
  bool has_fitting_order(const OptionsHandle& options) const;
  ExitCode run_in_memory(const OptionsHandle& options, ArchiveReader& reader) const;
  ExitCode run_against(const OptionsHandle& options, ArchiveReader& reader) const;
  ExitCode run_in_store(const OptionsHandle& options, ArchiveReader& reader) const;

  DedupSettings settings_;
};

}  // namespace ndc
