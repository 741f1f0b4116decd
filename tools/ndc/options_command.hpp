#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "exit_code.hpp"

namespace ndc {

// `ndc options`: lists the values that --option takes.
class OptionsCommand {
 public:
  CLI::App* attach(CLI::App& app);
  ExitCode run() const;

 private:
  std::string format_ = "table";
  bool experimental_ = false;
};

}  // namespace ndc
