#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "dedup_command.hpp"
#include "exit_code.hpp"
#include "handles.hpp"

namespace ndc {

class ArchiveReader;
class OutputFile;

// `ndc migrate`: a new store from the archives of an old one, and a map from the old ids to the new ones.
class MigrateCommand {
 public:
  CLI::App* attach(CLI::App& app);
  ExitCode run() const;

 private:
  bool has_fitting_places() const;
  EngineHandle open_old() const;
  EngineHandle open_new(const OptionsHandle& options) const;
  ExitCode fill(const DedupSettings& filling, const OptionsHandle& options, nd_engine* engine,
                ArchiveReader& reader) const;
  bool open_outputs(OutputFile& map, OutputFile& missing) const;
  bool write_map(nd_engine* old_engine, nd_engine* new_engine, OutputFile& map, OutputFile& missing) const;
  DedupSettings filling() const;

  std::string old_store_;
  std::string new_store_;
  std::vector<std::string> inputs_;
  std::string map_ = "-";
  std::string missing_;  // file; empty: not wanted
  size_t threads_ = 1;
  PageRules rules_;
  std::vector<std::string> library_options_;
};

}  // namespace ndc
