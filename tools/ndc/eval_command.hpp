#pragma once

#include <CLI/CLI.hpp>

#include "exit_code.hpp"

namespace ndc {

// `ndc eval`: runs the program ndc-eval in the same folder, with all further arguments. It measures the
// inside of the library, which a command built on the C interface cannot.
class EvalCommand {
 public:
  CLI::App* attach(CLI::App& app);
  // Returns only if the program could not be started.
  ExitCode run() const;

 private:
  const CLI::App* command_ = nullptr;
};

}  // namespace ndc
