// The overview of a report: counts in all, and by host, month and rule.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "archives/keyed_hash.hpp"
#include "report_folder.hpp"

namespace ndc {

// The counts of some pages.
struct ReportTally {
  uint64_t pages = 0;
  uint64_t duplicates = 0;   // that are not kept
  uint64_t sized = 0;        // pages whose size is known
  uint64_t bytes = 0;        // of these
  uint64_t bytes_saved = 0;  // of these, without those that are kept
};

// The host of a URL in lower case; "" if it has none.
std::string host_of_url(std::string_view url);

// Months since 1970-01, and 1; 0: no time, or one before.
uint16_t month_of(int64_t time_ms);

// One thread at a time.
class ReportTallies {
 public:
  // A page of any group, single pages too. `bytes`: nullptr if not known.
  uint32_t add_page(std::string_view url, int64_t time_ms, const uint64_t* bytes, bool kept);
  void add_group(uint64_t pages) { ++(pages > 1 ? groups_ : singles_); }
  // The number of a rule's name; of more than 15 the rest is one.
  uint32_t rule(const std::string& name);
  void count_rule(uint32_t rule) { ++rule_pages_[rule]; }

  const ReportTally& all() const { return all_; }
  uint64_t groups() const { return groups_; }    // of two pages or more
  uint64_t singles() const { return singles_; }  // pages without a duplicate
  // JSON.
  std::string months() const;
  std::string rules() const;
  bool write_hosts(ReportFolder& folder) const;

 private:
  ReportTally all_;
  uint64_t groups_ = 0;
  uint64_t singles_ = 0;
  KeyedMap<uint32_t> host_numbers_;
  std::vector<std::string> host_names_;
  std::vector<ReportTally> hosts_;
  std::map<uint16_t, ReportTally> months_;
  std::vector<std::string> rule_names_;
  std::vector<uint64_t> rule_pages_;
};

}  // namespace ndc
