#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "exit_code.hpp"
#include "store_access.hpp"

namespace ndc {

// `ndc verify`: reads every byte of a store and names the faults; with --repair saves what can be read.
class VerifyCommand {
 public:
  CLI::App* attach(CLI::App& app);
  ExitCode run() const;

 private:
  ExitCode repair() const;

  std::string path_;
  std::string new_path_;
};

}  // namespace ndc
