// One run of `ndc dedup`: archives in, rows out, in the order of input.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "archive_item.hpp"
#include "archive_reader.hpp"
#include "dedup_command.hpp"
#include "exit_code.hpp"
#include "fingerprint_order.hpp"
#include "handles.hpp"
#include "output_file.hpp"
#include "progress.hpp"
#include "row_writer.hpp"

namespace ndc {

class DedupRun {
 public:
  // Everything must outlive the run.
  DedupRun(const DedupSettings& settings, const OptionsHandle& options, ArchiveReader& reader,
           OutputFile& output, RowWriter& writer);

  ExitCode run();

 private:
  // What one page needs on its way through the pipeline.
  struct Slot {
    ArchiveItem item;
    Row row;
    Buffer features;
    std::string failure;  // the library's, not about this page: ends the run
  };

  void work(Slot& slot);
  void check_page(Slot& slot);
  void compute_features(Slot& slot);
  void note_failure(nd_status status, Slot& slot);
  bool consume(Slot& slot);
  void write_row(const Row& row);
  void partition();
  uint64_t group_count() const;
  void print_summary() const;
  void print_stats() const;

  const DedupSettings& settings_;
  const OptionsHandle& options_;
  ArchiveReader& reader_;
  OutputFile& output_;
  RowWriter& writer_;
  Progress progress_;
  EngineHandle engine_;          // with the order of input
  FingerprintOrder collection_;  // with the order of fingerprints
  const bool batch_;
  ArchiveCounts counts_;
  uint64_t duplicates_ = 0;
  uint64_t founders_ = 0;
  std::string failure_;
};

}  // namespace ndc
