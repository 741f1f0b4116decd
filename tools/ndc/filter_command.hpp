// `ndc filter`: a copy of WARC files without near-duplicates.
#pragma once

#include <CLI/CLI.hpp>

#include "archives/archive_reader.hpp"
#include "exit_code.hpp"
#include "filter_choice.hpp"

namespace ndc {

class FilterCommand {
 public:
  CLI::App* attach(CLI::App& app);
  ExitCode run() const;

 private:
  bool has_fitting_output() const;
  bool has_fitting_files(const ArchiveReader& reader) const;

  FilterSettings settings_;
};

}  // namespace ndc
