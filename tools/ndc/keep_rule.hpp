// Which pages stay when the copies of others are left out: the one place that says so for `ndc dedup`,
// `ndc filter` and `ndc report`.
#pragma once

#include <ndcapi.h>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ndc {

struct KeepRule {
  int32_t prefers = ND_KEEP_FIRST;  // ND_KEEP_...
  bool leaves_out_parts = false;    // also pages that contain the kept one and much more, or lie in it so
};

// `word`: "first", "longest", "newest", "canonical"; anything else means "first".
KeepRule keep_rule_named(std::string_view word, bool leaves_out_parts);

struct KeepCandidate {
  uint64_t group_id = 0;  // 0: none that is known; the page stays
  uint64_t page_id = 0;   // of the engine; several candidates may be captures of one page
  uint64_t text_width = 0;
  int64_t fetched_at_ms = 0;
  std::string url;
  std::string canonical;    // URL of the page's canonical link, resolved; empty: none
  bool has_content = true;  // false: a record that refers to another one, kept only where no member has any
  // Captures with different texts, of which the engine knows the last: the page stays.
  bool has_several_texts = false;
};

struct KeepCounts {
  uint64_t left_out = 0;
  // Pages that stay although their group keeps another one.
  // The engine does not call the two the same document, or knows one only in part, or the page has several
  // texts:
  uint64_t others = 0;
  uint64_t parts = 0;  // one of the two contains the other and much more

  uint64_t also_kept() const { return others + parts; }
  void add(const KeepCounts& more);
};

struct KeepChoice {
  // For each candidate, in the order of input, the index of the one that stays in its place; its own if it
  // stays itself.
  std::vector<size_t> kept;
  std::vector<size_t> preferred;  // of each group the page that the rule names
  KeepCounts counts;
};

// Each group keeps the page that nd_choose_copy names. A page is left out only if nd_compare_pages finds it
// to be a copy of that one; among the other pages of the group the same choice is made again. Whatever cannot
// be compared stays. Cost: a comparison for each page that is not kept, and at most 8. Throws std::bad_alloc.
KeepChoice choose_kept(nd_engine* engine, const std::vector<KeepCandidate>& candidates, const KeepRule& rule);

// Whether a page may be left out that was compared with the page kept.
bool may_be_left_out(const nd_result& compared, const KeepRule& rule);

// "; also kept: 2 other documents, 1 with much more or less text"; empty if nothing else is kept.
std::string also_kept_in_words(const KeepCounts& counts);

}  // namespace ndc
