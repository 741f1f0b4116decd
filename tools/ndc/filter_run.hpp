// One run of `ndc filter`: the choice, then the copy, in two passes, since a later page may be the better
// one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "archives/archive_reader.hpp"
#include "decisions.hpp"
#include "exit_code.hpp"
#include "filter_choice.hpp"
#include "filter_copy.hpp"
#include "handles.hpp"
#include "output_file.hpp"

namespace ndc {

// Where the list of what is left out goes; empty: nowhere.
std::string list_of(const FilterSettings& settings);

// The outputs get their names when both are whole.
class FilterRun {
 public:
  // Everything must outlive the run. `reader`: checked.
  FilterRun(const FilterSettings& settings, const OptionsHandle& options, ArchiveReader& reader,
            Decisions& decisions);

  ExitCode run();

 private:
  bool open_outputs();
  bool choose();
  bool copy_records();
  WarcFields about() const;
  void write_list(const std::vector<size_t>& left_out);
  bool close_outputs();
  void print_summary() const;
  void print_stats() const;

  const FilterSettings& settings_;
  ArchiveReader& reader_;
  Decisions& decisions_;
  FilterChoice choice_;
  OutputFile output_;
  OutputFile list_;
  FilterCounts copied_;
  size_t left_out_ = 0;
  std::vector<std::vector<int64_t>> states_;  // of the inputs before they were read
  std::string failure_;
};

}  // namespace ndc
