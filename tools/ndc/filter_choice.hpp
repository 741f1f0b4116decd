// Which captures of the inputs of `ndc filter` stay: they are read once, grouped by an engine, and decided
// again until that would change next to nothing.
#pragma once

#include <ndcapi.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "archives/archive_item.hpp"
#include "archives/archive_page.hpp"
#include "archives/archive_reader.hpp"
#include "archives/keyed_hash.hpp"
#include "damage_messages.hpp"
#include "decisions.hpp"
#include "exit_code.hpp"
#include "filter_plan.hpp"
#include "handles.hpp"
#include "keep_rule.hpp"
#include "learned_pages.hpp"

namespace ndc {

struct FilterSettings {
  std::vector<std::string> inputs;
  std::string output;                  // empty with `dry_run`: none
  std::string list;                    // of the pages that are left out; empty: beside the output
  std::string store;                   // whose groups hold; empty: none
  std::string keep = "first";          // as keep_rule_named() takes it
  std::string caution = "normal";      // likewise
  std::vector<std::string> decisions;  // files
  size_t threads = 1;
  bool dry_run = false;
  bool revisit = false;  // records in the place of pages
  bool leave_out_parts = false;
  bool stats = false;
  bool quiet = false;
  PageRules rules;
  std::vector<std::string> library_options;

  KeepRule keep_rule() const { return keep_rule_named(keep, leave_out_parts, caution); }
};

inline constexpr const char* kHasChanged = "has changed while it was read";

// With fewer copies other texts are what a site repeats, and other pages stand for groups; so what remains is
// decided again until a run over it would leave out next to nothing.
//
// Each capture is a page of its own: of a URL that comes twice with different texts, both may stay. Memory:
// the URL, the record's names and about 300 bytes per page, and the engine. One thread at a time.
class FilterChoice {
 public:
  // Everything must outlive it.
  FilterChoice(const FilterSettings& settings, const OptionsHandle& options, Decisions& decisions);

  // The engine, or the store. Not kDone: after a message.
  ExitCode open();
  // Groups the pages of the reader, which has been checked. False: failure() says why.
  bool read(ArchiveReader& reader);
  // Then chooses those that stay, which plan() has. False: failure() says why.
  bool decide();

  FilterPlan& plan() { return plan_; }
  const std::vector<KeepCandidate>& candidates() const { return candidates_; }  // the pages of the plan
  const KeepChoice& choice() const { return choice_; }  // `counts` and `preferred`: of the last decision
  const ArchiveCounts& counts() const { return counts_; }
  // Pages that stay because what they were left out for does not, and that no further round has decided.
  size_t undecided() const { return undecided_; }
  const nd_stats& stats() const { return stats_; }  // of the engine that had all pages
  // How many pages stay against a judgement, for the sake of revisits that were judged to stay.
  size_t overruled() const { return overruled_; }
  const std::string& failure() const { return failure_; }

 private:
  struct Slot {
    ArchiveItem item;
    size_t number = kNothingKept;  // of a page
    PayloadHash payload_hash{};
    size_t same = 0;      // as in `same_as_`
    std::string url;      // as the engine is to have it; empty: it is not asked
    Buffer features;      // of a page that has a URL
    std::string failure;  // the library's, not about this page
  };

  void read_pages(ArchiveReader& reader);
  void prepare(Slot& slot);
  void read_page(Slot& slot);
  bool take(Slot& slot);
  bool add_page(Slot& slot);
  bool check_pages(std::string_view stage);
  std::string own_url(const std::string& url, size_t number) const;
  size_t same_capture(const Slot& slot) const;
  bool find_groups();
  bool obey(std::vector<KeepCandidate>& candidates, const std::vector<size_t>& numbers);
  size_t decide_again(size_t round);
  size_t take_over(const KeepChoice& chosen, const std::vector<size_t>& staying);
  size_t pass_on();
  void let_revisits_follow();
  void refer_to_contents();
  bool stays(size_t number) const { return choice_.kept.empty() || choice_.kept[number] == number; }

  const FilterSettings& settings_;
  const OptionsHandle& options_;
  const OptionsHandle page_options_;  // for calls without the engine
  Decisions& decisions_;
  EngineHandle engine_;
  ArchiveCounts counts_;
  FilterPlan plan_;
  std::vector<KeepCandidate> candidates_;  // of each page of the plan
  LearnedPages records_;
  std::vector<size_t> record_of_;          // number in `records_`; kNothingKept: as `same_as_`, or refused
  std::vector<std::string> checked_urls_;  // of the records, as the engine has them
  std::vector<size_t> same_as_;            // a page with the same payload that stands for it; else itself
  std::vector<size_t> content_of_;         // of a revisit the page that it refers to; else kNothingKept
  KeyedSet urls_of_engine_;                // all of them
  KeyedMap<size_t> first_at_;              // page of a URL and a payload
  KeyedMap<size_t> first_with_;            // page of a payload
  KeepChoice choice_;
  size_t overruled_ = 0;
  size_t undecided_ = 0;
  nd_stats stats_ = ND_STATS_INIT;
  std::string failure_;
};

}  // namespace ndc
