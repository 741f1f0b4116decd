// The columns by which a report filters and sorts groups: one per property, in parts of kGroupsInPart groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report_folder.hpp"

namespace ndc {

inline constexpr size_t kGroupsInPart = size_t{1} << 16;

// Bits of ReportGroup.flags behind those of ND_FLAG_*, which are those of any member.
enum ReportGroupFlags : uint16_t {
  kGroupDisputed = 1 << 9,    // a member would not join the representative now
  kGroupTombstone = 1 << 10,  // its representative is no page any more
  kGroupSeveralHosts = 1 << 11,
  kGroupExact = 1 << 12,  // all texts are equal
  kGroupHasTexts = 1 << 13,
};

inline constexpr uint16_t kNoScore = 65535;

// A group with pages on several hosts can be found by any of them, not just by that of the kept page.
inline constexpr size_t kOtherHosts = 4096;
inline constexpr uint16_t kAnyHost = 65535;

struct ReportGroup {
  uint32_t first_page = 0;  // its pages follow each other
  uint32_t pages = 0;
  uint32_t host = 0;                // of the page that is kept
  float bytes_saved = 0;            // below 0: no size is known
  uint16_t resemblance = kNoScore;  // least of a member with the representative, in 1/10000
  uint16_t margin = kNoScore;       // least between what was asked and what was found
  uint16_t flags = 0;
  uint16_t rules = 0;        // bit N: a member by rule N of the report
  uint16_t month = 0;        // of the newest member: months since 1970-01, and 1; 0: not known
  uint16_t other_hosts = 0;  // how many it has beside `host`; kAnyHost: too many to tell
};

// One thread at a time.
class ReportColumns {
 public:
  // `hosts`: of its pages, in any order, as often as they come.
  void add(ReportGroup group, std::vector<uint32_t> hosts);
  uint64_t size() const { return groups_.size(); }
  uint64_t parts() const { return (groups_.size() + kGroupsInPart - 1) / kGroupsInPart; }
  // False: the folder's error() says why.
  bool write(ReportFolder& folder) const;

 private:
  std::vector<ReportGroup> groups_;
  std::vector<uint32_t> other_hosts_;  // of all groups, one after the other
};

}  // namespace ndc
