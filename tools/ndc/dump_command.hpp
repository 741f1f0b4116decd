#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "exit_code.hpp"
#include "store_access.hpp"

namespace ndc {

// `ndc dump`: the pages of a store, and its groups.
class DumpCommand {
 public:
  CLI::App* attach(CLI::App& app);
  ExitCode run() const;

 private:
  StoreSettings store_;
  std::string keep_;  // as keep_rule_named() takes it; empty: nobody asks
  bool groups_ = false;
};

}  // namespace ndc
