// One run of `ndc dedup`: archives in, rows out, in the order of input.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "archives/archive_item.hpp"
#include "archives/archive_reader.hpp"
#include "damage_messages.hpp"
#include "dedup_command.hpp"
#include "dedup_outputs.hpp"
#include "exit_code.hpp"
#include "fingerprint_order.hpp"
#include "handles.hpp"
#include "learned_pages.hpp"
#include "progress.hpp"
#include "resumable_run.hpp"
#include "row_writer.hpp"

namespace ndc {

class DedupRun {
 public:
  // `engine`: NULL with the order of fingerprints. `resumable`: NULL for a run that cannot be continued;
  // after its find_start(). Everything must outlive the run.
  DedupRun(const DedupSettings& settings, const OptionsHandle& options, nd_engine* engine,
           ArchiveReader& reader, DedupOutputs& outputs, ResumableRun* resumable);

  ExitCode run();

 private:
  // What one page needs on its way through the pipeline.
  struct Slot {
    uint64_t number = 0;  // in the order of reading
    ArchiveItem item;
    Row row;
    RecordOrigin origin;    // where metadata is written
    std::string canonical;  // with --keep canonical
    Buffer features;
    std::string failure;  // the library's, not about this page: ends the run
  };

  bool start();
  void run_pipeline();
  bool produce(Slot& slot);
  void work(Slot& slot);
  void check_page(Slot& slot);
  void compute_features(Slot& slot);
  bool consume(Slot& slot);
  bool learn(Slot& slot);
  void check_learned();
  bool choose_kept();
  bool write_learned();
  void fail_with(nd_status status);
  bool flush_output();
  RunTotals totals() const;
  void write_row(const Row& row, const RecordOrigin& origin);
  void partition();
  uint64_t group_count() const;
  void print_summary() const;
  void print_stats() const;

  const DedupSettings& settings_;
  const OptionsHandle& options_;
  const OptionsHandle page_options_;  // those of them with which a page is read without the engine
  ArchiveReader& reader_;
  DedupOutputs& outputs_;
  nd_engine* engine_;
  ResumableRun* resumable_;
  const uint64_t start_bytes_;  // of the inputs, that an earlier run has read
  Progress progress_;
  FingerprintOrder collection_;        // with the order of fingerprints
  std::vector<RecordOrigin> origins_;  // and of its pages, where metadata is written
  const bool batch_;
  LearnedPages learned_;      // of a run that learns
  bool sync_output_ = false;  // whenever the store does
  uint64_t next_number_ = 0;
  uint64_t start_page_bytes_ = 0;
  ArchiveCounts counts_;
  DamageMessages damage_messages_;
  uint64_t duplicates_ = 0;
  std::string failure_;
};

}  // namespace ndc
