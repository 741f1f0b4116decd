#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "exit_code.hpp"
#include "store_access.hpp"

namespace ndc {

// `ndc verify`: reads every byte of a store and names the faults.
class VerifyCommand {
 public:
  CLI::App* attach(CLI::App& app);
  ExitCode run() const;

 private:
  std::string path_;
};

}  // namespace ndc
