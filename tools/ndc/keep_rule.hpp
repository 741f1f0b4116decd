// Which page of a group is kept when the others are left out: what nd_choose_copy says, for many groups at
// once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ndc {

// ND_KEEP_... of "first", "longest", "newest", "canonical"; of anything else that of "first".
int32_t keep_rule_named(std::string_view word);

struct KeepCandidate {
  uint64_t group_id = 0;
  uint64_t text_width = 0;
  int64_t fetched_at_ms = 0;
  std::string url;
  std::string canonical;    // URL of the page's canonical link, resolved; empty: none
  bool has_content = true;  // false: a record that refers to another one, kept only where no member has any
};

// For each candidate, in the order of input, the index of the one that its group keeps. Among equals the
// first. Throws std::bad_alloc.
std::vector<size_t> choose_kept(const std::vector<KeepCandidate>& candidates, int32_t rule);

}  // namespace ndc
