// `ndc options`: the values that --option takes, asked of the library, so that no list here can be out of
// date.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "exit_code.hpp"

namespace ndc {

class OptionsCommand {
 public:
  CLI::App* attach(CLI::App& app);
  ExitCode run() const;

 private:
  std::string format_ = "table";
  bool experimental_ = false;
};

}  // namespace ndc
