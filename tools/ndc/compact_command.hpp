#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "exit_code.hpp"
#include "store_access.hpp"

namespace ndc {

// `ndc compact`: gives back the space of what was removed or changed.
class CompactCommand {
 public:
  CLI::App* attach(CLI::App& app);
  ExitCode run() const;

 private:
  StoreSettings store_;
};

}  // namespace ndc
