// `ndc pairs`: all pairs of an archive that reach a threshold, by the complete join of a method.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "archives/archive_item.hpp"
#include "archives/archive_page.hpp"
#include "archives/archive_reader.hpp"
#include "damage_messages.hpp"
#include "exit_code.hpp"
#include "handles.hpp"
#include "output_file.hpp"
#include "progress.hpp"
#include "spool_files.hpp"

namespace ndc {

struct PairsSettings {
  std::vector<std::string> inputs;
  std::string output = "-";
  std::string format = "tsv";  // "tsv", "jsonl"
  std::string detector = "lcs";
  std::optional<double> threshold;
  std::optional<double> containment;  // with lcs: pairs too that reach it
  uint32_t bits = 0;                  // the threshold of simhash: equal bits; 0: not given
  uint32_t entries = 0;               // the threshold of moz-vector: equal entries; 0: not given
  std::string clusters;               // "", "connected", "representative"
  size_t threads = 1;
  uint64_t memory_mb = 1024;  // of the pages that are joined with all later ones at once
  bool stats = false;
  PageRules rules;
  std::vector<std::string> library_options;
};

// The clusters of a join, each named by the number of its first page. Pages are numbered as they are added.
class Clusters {
 public:
  explicit Clusters(std::string_view kind)
      : used_(!kind.empty()), by_representative_(kind == "representative") {}

  bool is_used() const noexcept { return used_; }
  void add_page();
  // All pairs of the earlier page with pages before it come first.
  void add_pair(uint32_t earlier, uint32_t later);
  uint32_t first_of(uint32_t page);

 private:
  bool used_;
  bool by_representative_;
  std::vector<uint32_t> firsts_;  // by page: an earlier page of its cluster; its own number: it is the first
};

// One run of `ndc pairs`: archives in, pairs out.
//
// Pages are read into a block until it holds as much as --memory allows; the others wait in a spool. A block
// is joined with itself and then with every later page, and is replaced by the next one. So each pair is
// found once, in the block of its earlier page.
class PairsRun {
 public:
  // Thresholds in thousandths. Everything must outlive the run.
  PairsRun(const PairsSettings& settings, const OptionsHandle& options, uint32_t threshold,
           std::optional<uint32_t> containment, ArchiveReader& reader, OutputFile& output);

  ExitCode run();

 private:
  // What one page needs on its way through a pipeline.
  struct Slot {
    ArchiveItem item;     // while reading
    uint64_t number = 0;  // of a page of the block; of the spool: of all pages
    std::string url;      // of a page of the spool, and its features
    std::string features;
    Buffer result;        // features while reading, then matches
    std::string failure;  // the library's, not about this page: ends the run
  };
  struct Steps;  // of one of the pipelines, upon a slot

  void run_pipeline(const Steps& steps);
  void read_pages();
  void compute_features(Slot& slot) const;
  void take_page(const Slot& slot);
  // Adds to the block. False: failure_ says why.
  bool add(std::string_view url, std::string_view features);
  bool begin_block();
  bool fill_block_from_spool();
  void join_block();
  void join_with_itself();
  void join_with_spool();
  // Where clusters are asked for.
  void remember(const std::string& url);
  void write_clusters();
  bool is_listed(const nd_join_match& match) const noexcept;
  // `number`: of the page, of all.
  void write_rows(std::string_view url, uint64_t number, const Slot& slot);
  void show_progress();
  void print_summary() const;
  void print_stats() const;

  const PairsSettings& settings_;
  const OptionsHandle page_options_, join_options_;
  const uint32_t threshold_;
  const std::optional<uint32_t> containment_;
  const bool by_lcs_;
  ArchiveReader& reader_;
  OutputFile& output_;
  Clusters clusters_;
  std::vector<std::string> all_urls_;  // by number, where clusters are asked for
  uint64_t block_begin_ = 0;           // the number of the block's first page
  const bool visible_;
  Progress reading_;

  JoinHandle join_;                // of the block
  std::vector<std::string> urls_;  // of its pages
  uint64_t url_bytes_ = 0;
  bool block_is_full_ = false;
  uint64_t block_bytes_ = 0;
  FeatureSpool spool_;
  FeatureSpool::Place behind_block_;

  StatusLine joining_;
  uint64_t searches_ = 0;  // of the present block, that are done
  uint64_t blocks_ = 0;
  uint64_t greatest_block_bytes_ = 0;
  uint64_t pairs_ = 0;
  ArchiveCounts counts_;
  DamageMessages damage_messages_;
  std::string line_;
  std::string failure_;
};

class PairsCommand {
 public:
  CLI::App* attach(CLI::App& app);
  ExitCode run() const;

 private:
  PairsSettings settings_;
};

}  // namespace ndc
