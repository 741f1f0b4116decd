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

// How sure one must be of a copy before it is left out.
enum class Caution : uint8_t {
  kNormal,   // as the engine decides, and with little text it is very probable
  kCareful,  // it is very probable, the text is not little, and the page that stays has nearly all of it
  kEqual,    // all text is equal
};

struct KeepRule {
  int32_t prefers = ND_KEEP_FIRST;  // ND_KEEP_...
  bool leaves_out_parts = false;    // also pages that contain the kept one and much more, or lie in it so
  Caution caution = Caution::kNormal;
};

// `word`: "first", "longest", "newest", "canonical"; anything else means "first". `caution`: "equal",
// "careful"; anything else means normal.
KeepRule keep_rule_named(std::string_view word, bool leaves_out_parts, std::string_view caution);

// What a person has said of a page.
enum class Judgement : uint8_t { kNone, kKeep, kLeaveOut };

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
  bool is_referred_to = false;  // by a record that has no content itself: the page stays
  Judgement judgement = Judgement::kNone;
  // Of kKeep: this capture was judged, not only its URL or another capture of it, of which one is enough
  // where several have the same text.
  bool is_judged_capture = false;
  bool is_listed = false;  // of kKeep, by a list that says which page of each group stays
  // Pages of one number are the same document by judgement, and those of two are not; 0: nothing was said.
  uint64_t document = 0;
};

struct KeepCounts {
  uint64_t left_out = 0;
  // Pages that stay although their group keeps another one.
  // The engine does not call the two the same document, or knows one only in part, or the page has several
  // texts, or another record refers to it:
  uint64_t others = 0;
  uint64_t parts = 0;        // one of the two contains the other and much more
  uint64_t uncertain = 0;    // copies, but not by the caution that was asked for
  uint64_t judged = 0;       // somebody has said that they stay
  uint64_t lost_groups = 0;  // of which no page stays, since all were judged so

  uint64_t also_kept() const { return others + parts + uncertain + judged; }
  void add(const KeepCounts& more);
};

// In the place of a page that no other one stays for.
inline constexpr size_t kNothingKept = static_cast<size_t>(-1);

// Why a page is left out.
struct DropReason {
  enum class Why : uint8_t { kSameContent, kEqualText, kNear, kJudged };
  Why why = Why::kSameContent;
  double probability = 1;  // that it is the same document as the page that stays; of kJudged nothing
};

struct KeepChoice {
  // For each candidate, in the order of input, the index of the one that stays in its place; its own if it
  // stays itself; kNothingKept where a judgement leaves out all pages of a group.
  std::vector<size_t> kept;
  std::vector<DropReason> reasons;  // of each candidate that is left out
  std::vector<size_t> preferred;    // of each group the page that the rule names
  KeepCounts counts;
};

// Each group keeps the page that nd_choose_copy names. A page is left out only if nd_compare_pages finds it
// to be a copy of that one; among the other pages of the group the same choice is made again. Whatever cannot
// be compared stays, and judgements come before all that. Cost: a comparison for each page that is not kept,
// and at most 9. Throws std::bad_alloc.
KeepChoice choose_kept(nd_engine* engine, const std::vector<KeepCandidate>& candidates, const KeepRule& rule);

// Whether a page with so much text may be left out that was compared with the page kept.
bool may_be_left_out(const nd_result& compared, uint64_t text_width, const KeepRule& rule);

// "; also kept: 2 other documents, 1 with much more or less text"; empty if nothing else is kept or lost.
std::string also_kept_in_words(const KeepCounts& counts);

}  // namespace ndc
