// The commands on a store: what it holds, what happened to it, and what an operator does to it.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
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

// `ndc dump`: the pages of a store, and its groups.
class DumpCommand {
 public:
  CLI::App* attach(CLI::App& app);
  ExitCode run() const;

 private:
  StoreSettings store_;
  std::string keep_;  // as keep_rule_named() takes it; empty: not asked for
  bool leave_out_parts_ = false;
  std::string caution_ = "normal";  // likewise
  bool groups_ = false;
};

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

// `ndc compact`: gives back the space of what was removed or changed.
class CompactCommand {
 public:
  CLI::App* attach(CLI::App& app);
  ExitCode run() const;

 private:
  StoreSettings store_;
};

// `ndc verify`: reads every byte of a store and names the faults; with --repair saves what can be read.
class VerifyCommand {
 public:
  CLI::App* attach(CLI::App& app);
  ExitCode run() const;

 private:
  ExitCode repair() const;

  std::string path_;
  std::string new_path_;
};

}  // namespace ndc
