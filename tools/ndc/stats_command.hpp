#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "exit_code.hpp"
#include "store_access.hpp"

namespace ndc {

// `ndc stats`: what a store holds.
class StatsCommand {
 public:
  CLI::App* attach(CLI::App& app);
  ExitCode run() const;

 private:
  StoreSettings store_;
  std::string format_ = "table";  // "table", "json", "prometheus"
};

}  // namespace ndc
