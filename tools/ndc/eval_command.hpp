// `ndc eval` starts the program ndc-eval, because experiments measure the inside of the library, which the C
// interface hides.
#pragma once

#include <CLI/CLI.hpp>

#include "exit_code.hpp"

namespace ndc {

class EvalCommand {
 public:
  CLI::App* attach(CLI::App& app);
  // Returns only if the program could not be started.
  ExitCode run() const;

 private:
  const CLI::App* command_ = nullptr;
};

}  // namespace ndc
