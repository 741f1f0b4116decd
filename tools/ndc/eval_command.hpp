#pragma once

#include <CLI/CLI.hpp>

#include "exit_code.hpp"

namespace ndc {

// `ndc eval`: the program ndc-eval in the folder of this one takes over, with all that follows on the command
// line. It measures the inside of the library, which a command upon the C interface cannot.
class EvalCommand {
 public:
  CLI::App* attach(CLI::App& app);
  // Returns only if the program could not be started.
  ExitCode run() const;

 private:
  const CLI::App* command_ = nullptr;
};

}  // namespace ndc
