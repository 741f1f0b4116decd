// Which page of a group is kept when the others are left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ndc {

enum class KeepRule {
  kFirst,      // in the order of input
  kLongest,    // visible text
  kNewest,     // fetch time; one that is not known is older than all others
  kCanonical,  // named most often by the canonical links of its group, its own included; then shortest URL
};

// "first", "longest", "newest", "canonical"; anything else is kFirst.
KeepRule keep_rule_named(std::string_view word);

struct KeepCandidate {
  uint64_t group_id = 0;
  uint64_t text_width = 0;
  int64_t fetched_at_ms = 0;
  std::string url;
  std::string canonical;    // URL of the page's canonical link, resolved; empty: none
  bool has_content = true;  // false: a record that refers to another one, kept only where no member has any
};

// For each candidate, in the order of input, the index of the one that its group keeps. Among equals the
// first.
std::vector<size_t> choose_kept(const std::vector<KeepCandidate>& candidates, KeepRule rule);

// `reference`, as a link of the page at `url` has it, as a URL without a fragment. Empty if it is empty, or
// goes by "." or ".." segments, which no canonical link needs.
std::string resolve_link(std::string_view url, std::string_view reference);

}  // namespace ndc
