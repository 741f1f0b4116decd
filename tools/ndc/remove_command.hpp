#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "exit_code.hpp"
#include "store_access.hpp"

namespace ndc {

// `ndc remove`: forgets pages of a store.
class RemoveCommand {
 public:
  CLI::App* attach(CLI::App& app);
  ExitCode run() const;

 private:
  bool is_complete() const;

  StoreSettings store_;
  std::string url_;
  std::string prefix_;
  std::string site_;
  std::string before_;
  bool purge_ = false;
};

}  // namespace ndc
