// Chooses page by page what may be left out, by comparing it with those that stay: near-duplicates of one
// page need not be of another.
#include "keep_rule.hpp"

#include <algorithm>
#include <new>
#include <numeric>
#include <span>

#include "row_writer.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

// So many pages of a group are looked at as pages to keep; the rest stays.
constexpr size_t kMostKept = 8;

enum class Relation : uint8_t { kCopy, kPart, kOther };

// A page that is not decided yet, and what it is to the first page kept of its group.
struct OpenPage {
  size_t index;
  Relation to_first;
};

nd_copy copy_of(const KeepCandidate& candidate) {
  nd_copy copy = ND_COPY_INIT;
  if (!candidate.has_content) copy.flags = ND_COPY_WITHOUT_CONTENT;
  copy.url = candidate.url.data();
  copy.url_size = candidate.url.size();
  copy.canonical_url = candidate.canonical.data();
  copy.canonical_url_size = candidate.canonical.size();
  copy.fetched_at_ms = candidate.fetched_at_ms;
  copy.text_width = candidate.text_width;
  return copy;
}

Relation relation_of(const nd_result& compared) {
  if (!is_duplicate(compared)) return Relation::kOther;
  // What is not known of a page may be what only it has.
  if (compared.verdict == ND_NEAR && (compared.flags & (ND_FLAG_TRUNCATED | ND_FLAG_LIMIT)) != 0)
    return Relation::kOther;
  return (compared.flags & (ND_FLAG_CONTAINS | ND_FLAG_CONTAINED)) != 0 ? Relation::kPart : Relation::kCopy;
}

bool may_be_left_out(Relation relation, const KeepRule& rule) {
  return relation == Relation::kCopy || (relation == Relation::kPart && rule.leaves_out_parts);
}

class GroupChoice {
 public:
  GroupChoice(nd_engine* engine, const std::vector<KeepCandidate>& candidates, const KeepRule& rule,
              KeepChoice& choice)
      : engine_(engine), candidates_(candidates), rule_(rule), choice_(choice) {}

  // `members`: indices of the candidates of one group, ascending.
  void choose(std::span<const size_t> members) {
    std::vector<OpenPage> open;
    for (const size_t member : members)
      open.push_back({member, Relation::kCopy});
    for (size_t kept_count = 0; !open.empty() && kept_count < kMostKept; ++kept_count)
      open = keep_one(std::move(open), kept_count == 0);
    for (const OpenPage& page : open)
      stay(page);
  }

 private:
  // Returns the pages that are no copies of the one that is kept.
  std::vector<OpenPage> keep_one(std::vector<OpenPage> open, bool is_first) {
    const OpenPage kept = open[preferred(open)];
    if (is_first) {
      choice_.preferred.push_back(kept.index);
    } else {
      stay(kept);
    }
    std::vector<OpenPage> rest;
    for (OpenPage& page : open) {
      if (page.index == kept.index) continue;
      if (candidates_[page.index].has_several_texts) {
        ++choice_.counts.others;
        continue;
      }
      const Relation relation = compare(candidates_[kept.index].page_id, candidates_[page.index].page_id);
      if (may_be_left_out(relation, rule_)) {
        choice_.kept[page.index] = kept.index;
        ++choice_.counts.left_out;
        continue;
      }
      if (is_first) page.to_first = relation;
      rest.push_back(page);
    }
    return rest;
  }

  size_t preferred(const std::vector<OpenPage>& open) const {
    std::vector<nd_copy> copies;
    copies.reserve(open.size());
    for (const OpenPage& page : open)
      copies.push_back(copy_of(candidates_[page.index]));
    size_t chosen = 0;
    // The only possible failure here is lack of memory.
    if (nd_choose_copy(copies.data(), copies.size(), rule_.prefers, &chosen) != ND_OK) throw std::bad_alloc();
    return chosen;
  }

  Relation compare(uint64_t kept, uint64_t page) const {
    if (kept == page && page != 0) return Relation::kCopy;
    nd_result compared = ND_RESULT_INIT;
    const nd_status status = nd_compare_pages(engine_, kept, page, &compared);
    return status == ND_OK ? relation_of(compared) : Relation::kOther;
  }

  void stay(const OpenPage& page) {
    ++(page.to_first == Relation::kPart ? choice_.counts.parts : choice_.counts.others);
  }

  nd_engine* engine_;
  const std::vector<KeepCandidate>& candidates_;
  const KeepRule& rule_;
  KeepChoice& choice_;
};

}  // namespace

void KeepCounts::add(const KeepCounts& more) {
  left_out += more.left_out;
  others += more.others;
  parts += more.parts;
}

KeepRule keep_rule_named(std::string_view word, bool leaves_out_parts) {
  const int32_t prefers = word == "longest"     ? ND_KEEP_LONGEST
                          : word == "newest"    ? ND_KEEP_NEWEST
                          : word == "canonical" ? ND_KEEP_CANONICAL
                                                : ND_KEEP_FIRST;
  return {prefers, leaves_out_parts};
}

KeepChoice choose_kept(nd_engine* engine, const std::vector<KeepCandidate>& candidates,
                       const KeepRule& rule) {
  std::vector<size_t> by_group(candidates.size());
  std::iota(by_group.begin(), by_group.end(), size_t{0});
  KeepChoice choice;
  choice.kept = by_group;
  std::stable_sort(by_group.begin(), by_group.end(),
                   [&](size_t x, size_t y) { return candidates[x].group_id < candidates[y].group_id; });
  GroupChoice groups(engine, candidates, rule, choice);
  for (size_t begin = 0, end = 0; begin < by_group.size(); begin = end) {
    const uint64_t group_id = candidates[by_group[begin]].group_id;
    ++end;
    while (group_id != 0 && end < by_group.size() && candidates[by_group[end]].group_id == group_id)
      ++end;
    groups.choose(std::span(by_group).subspan(begin, end - begin));
  }
  return choice;
}

bool may_be_left_out(const nd_result& compared, const KeepRule& rule) {
  return may_be_left_out(relation_of(compared), rule);
}

std::string also_kept_in_words(const KeepCounts& counts) {
  if (counts.also_kept() == 0) return {};
  std::string words = "; also kept: ";
  if (counts.others > 0) words += counted(counts.others, "other document");
  if (counts.parts > 0)
    words += (counts.others > 0 ? ", " : "") + with_separators(counts.parts) + " with much more or less text";
  return words;
}

}  // namespace ndc
