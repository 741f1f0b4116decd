// `ndc extract`: what the library sees of a page, to find out why it is grouped as it is.
#pragma once

#include <ndcapi.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "archives/archive_page.hpp"
#include "exit_code.hpp"
#include "handles.hpp"

namespace ndc {

class ExtractCommand {
 public:
  CLI::App* attach(CLI::App& app);
  ExitCode run() const;

 private:
  ExitCode extract_from_store(nd_engine* store) const;
  ExitCode extract_from_archive() const;
  // The engine by which --show own tells what a page's site repeats. NULL: not asked for, or after a message,
  // which changes `failed`.
  EngineHandle open_sites(const OptionsHandle& options, ExitCode& failed) const;

  std::string input_;
  std::string url_;
  std::vector<std::string> shown_;
  std::string store_;            // whose knowledge of sites --show own uses
  std::string format_ = "text";  // "text", "jsonl"
  PageRules rules_;
  std::vector<std::string> library_options_;
};

}  // namespace ndc
