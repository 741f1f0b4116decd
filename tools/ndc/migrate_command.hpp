#pragma once

#include <ndcapi.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "dedup_command.hpp"
#include "exit_code.hpp"
#include "handles.hpp"
#include "output_file.hpp"

namespace ndc {

// From the ids of an old store to those of a new one.
struct MigrationCounts {
  uint64_t carried = 0;  // URLs that both stores have
  uint64_t missing = 0;  // pages of the old store that the new one lacks
  uint64_t added = 0;    // pages of the new store that the old one lacks
};

// A header line that begins with '#', then a row a page: those of the old store by their groups, then those
// that only the new one has. "-" stands for an id that there is not. `missing`: takes a URL a line of the old
// pages that the new store lacks; NULL: not wanted. `failed`: the store that could not be read.
nd_status write_migration_map(nd_engine* old_engine, nd_engine* new_engine, OutputFile& map,
                              OutputFile* missing, MigrationCounts& counts, nd_engine*& failed);

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
