// `ndc merge-stores`: one store of two, with a table of what became of the ids of the second.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "exit_code.hpp"

namespace ndc {

class MergeStoresCommand {
 public:
  CLI::App* attach(CLI::App& app);
  ExitCode run() const;

 private:
  bool has_fitting_map() const;

  std::string path_;
  std::string other_path_;
  std::string new_path_;
  std::string map_;  // file for the table; empty: none
  std::vector<std::string> library_options_;
};

}  // namespace ndc
