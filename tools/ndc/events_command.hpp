#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "exit_code.hpp"
#include "store_access.hpp"

namespace ndc {

// `ndc events`: what happened to the pages and groups of a store.
class EventsCommand {
 public:
  CLI::App* attach(CLI::App& app);
  ExitCode run() const;

 private:
  StoreSettings store_;
  uint64_t after_ = 0;
  bool follow_ = false;
};

}  // namespace ndc
