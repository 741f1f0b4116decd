// Chooses the page of a group that is kept when the others are left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/memory.hpp"

namespace nd::engine {

enum class KeepRule : int32_t {  // the values of ND_KEEP_...
  kFirst = 1,
  kLongest = 2,  // visible text
  kNewest = 3,   // fetch time; an unknown one counts as older than all others
  kCanonical =
      4,  // named most often by the canonical links of the group, including its own; then the shortest URL
};

// A page of a group, as the rules look at it.
struct Copy {
  std::string_view url;
  std::string_view canonical_url;  // resolved; empty: none
  int64_t fetched_at_ms = 0;       // 0: not known
  uint64_t text_width = 0;
  bool has_content = true;  // false: it refers to another page, and is kept only if no copy has content
};

// The index of the copy that is kept; among equals the first. `copies` has at least one. Cost: O(copies).
size_t choose_copy(std::span<const Copy> copies, KeepRule rule);

// `reference`, a link of the page at `url`, as an absolute URL without a fragment. Empty if `reference` is
// empty or has "." or ".." segments, which no canonical link needs.
String resolve_link(std::string_view url, std::string_view reference);

}  // namespace nd::engine
