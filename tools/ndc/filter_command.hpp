// `ndc filter`: a copy of a WARC file without near-duplicates, in two passes, since a later page may be the
// better copy.
#pragma once

#include <ndcapi.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "archives/archive_item.hpp"
#include "archives/archive_page.hpp"
#include "archives/archive_reader.hpp"
#include "archives/keyed_hash.hpp"
#include "damage_messages.hpp"
#include "decisions.hpp"
#include "exit_code.hpp"
#include "filter_copy.hpp"
#include "handles.hpp"
#include "keep_rule.hpp"
#include "output_file.hpp"
#include "progress.hpp"

namespace ndc {

struct FilterSettings {
  std::vector<std::string> inputs;
  std::string output;                  // empty with `dry_run`: none
  std::string list;                    // of the pages that are left out; empty: beside the output
  std::string keep = "first";          // as keep_rule_named() takes it
  std::string caution = "normal";      // likewise
  std::vector<std::string> decisions;  // files
  bool dry_run = false;
  bool revisit = false;  // records in the place of pages
  bool leave_out_parts = false;
  PageRules rules;
  std::vector<std::string> library_options;
};

// One run of `ndc filter`: groups first, then the copy. What remains is decided again until a run over it
// would leave out next to nothing: with fewer copies, other texts are what a site repeats, and other pages
// stand for groups.
//
// Each capture is a page of its own: of a URL that comes twice with different texts, both may stay. Memory:
// the URL, the record's names and about 300 bytes per page, and the engine.
class FilterRun {
 public:
  // Everything must outlive the run.
  FilterRun(const FilterSettings& settings, const OptionsHandle& options, ArchiveReader& reader,
            Decisions& decisions);

  ExitCode run();

 private:
  struct Slot {
    ArchiveItem item;
    PayloadHash payload_hash{};
  };

  void read_pages(ArchiveReader& reader, const std::function<bool(Slot&)>& take);
  bool take(Slot& slot);
  bool add_page(Slot& slot);
  std::string own_url(const std::string& url, size_t number) const;
  size_t same_capture(const Slot& slot) const;
  bool find_groups();
  void decide();
  size_t decide_again();
  bool check_again(Slot& slot, size_t& next);
  size_t take_over(const KeepChoice& chosen, const std::vector<size_t>& staying);
  bool stays(size_t number) const { return choice_.kept.empty() || choice_.kept[number] == number; }
  bool open_outputs();
  bool copy_records();
  void write_list(const std::vector<size_t>& left_out);
  bool close_outputs();
  void print_summary() const;

  const FilterSettings& settings_;
  const OptionsHandle& options_;
  const OptionsHandle page_options_;  // for calls without the engine
  EngineHandle engine_;
  ArchiveReader& reader_;
  Decisions& decisions_;
  OutputFile output_;
  OutputFile list_;
  Progress progress_;
  ArchiveCounts counts_;
  DamageMessages damage_messages_;
  FilterPlan plan_;
  std::vector<KeepCandidate> candidates_;  // of each page of the plan
  std::vector<std::string> checked_urls_;  // as the engine has it; empty: as `same_as_`
  KeyedSet urls_of_engine_;                // all of them
  std::vector<size_t> same_as_;            // a page before it with the same payload; else itself
  KeyedMap<size_t> first_at_;              // page of a URL and a payload
  KeyedMap<size_t> first_with_;            // page of a payload
  KeepChoice choice_;                      // `counts` and `preferred`: of the last decision
  FilterCounts copied_;
  size_t left_out_ = 0;
  std::vector<std::vector<int64_t>> states_;  // of the inputs before they were read
  std::string failure_;
};

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
