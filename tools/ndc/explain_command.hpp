// `ndc explain`: why two pages are near-duplicates, or are not, for whoever doubts a row of `ndc dedup`.
#pragma once

#include <ndcapi.h>
#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "archives/archive_item.hpp"
#include "archives/archive_page.hpp"
#include "exit_code.hpp"

namespace ndc {

class ExplainCommand {
 public:
  CLI::App* attach(CLI::App& app);
  ExitCode run() const;

 private:
  ExitCode explain_in_store(nd_engine* store, const ArchiveCounts& counts) const;
  ExitCode explain_in_context() const;
  ExitCode explain_in_archive() const;
  // Page `a` plays the representative. `counts`: of what was read to find both. `knows_sites`: the engine has
  // other pages as well.
  ExitCode explain(nd_engine* engine, uint64_t a, uint64_t b, const ArchiveCounts& counts,
                   bool knows_sites) const;

  std::string input_;
  std::string url_a_;
  std::string url_b_;
  std::string format_ = "text";  // "text", "json"
  std::vector<std::string> shown_;
  bool in_context_ = false;  // all of the archive is checked, as dedup does
  PageRules rules_;
  std::vector<std::string> library_options_;
};

}  // namespace ndc
