// Chooses page by page what may be left out, by comparing it with those that stay: near-duplicates of one
// page need not be of another.
#include "keep_rule.hpp"

#include <algorithm>
#include <map>
#include <new>
#include <numeric>
#include <span>
#include <utility>

#include "row_writer.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

// So many pages of a group are looked at as pages to keep; of the rest each text stays once.
constexpr size_t kMostKept = 8;

// Of careful copies: how wide the text must be, how probable it, and how much of the page's own text must be
// in the one that stays.
constexpr uint64_t kCarefulWidth = 2000;
constexpr double kCarefulProbability = 0.98;
constexpr double kCarefulCoverage = 0.98;

enum class Relation : uint8_t { kCopy, kUncertain, kPart, kOther, kJudged };

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

bool is_certain(const nd_result& compared, bool is_part, uint64_t text_width, Caution caution) {
  if (compared.verdict != ND_NEAR) return true;
  switch (caution) {
    case Caution::kNormal:
      // A part that is left out on request is another document.
      return is_part || (compared.flags & ND_FLAG_UNCERTAIN) == 0;
    case Caution::kCareful:
      return text_width >= kCarefulWidth && (compared.flags & ND_FLAG_SHORT) == 0 &&
             compared.probability >= kCarefulProbability && compared.page_coverage >= kCarefulCoverage;
    default:
      return false;
  }
}

Relation relation_of(const nd_result& compared, uint64_t text_width, const KeepRule& rule) {
  if (!is_duplicate(compared)) return Relation::kOther;
  // What is not known of a page may be what only it has.
  if (compared.verdict == ND_NEAR && (compared.flags & (ND_FLAG_TRUNCATED | ND_FLAG_LIMIT)) != 0)
    return Relation::kOther;
  const bool is_part = (compared.flags & (ND_FLAG_CONTAINS | ND_FLAG_CONTAINED)) != 0;
  if (is_part && !rule.leaves_out_parts) return Relation::kPart;
  return is_certain(compared, is_part, text_width, rule.caution) ? Relation::kCopy : Relation::kUncertain;
}

class GroupChoice {
 public:
  GroupChoice(nd_engine* engine, const std::vector<KeepCandidate>& candidates, const KeepRule& rule,
              KeepChoice& choice)
      : engine_(engine), candidates_(candidates), rule_(rule), choice_(choice) {}

  // `members`: indices of the candidates of one group, ascending.
  void choose(std::span<const size_t> members) {
    std::vector<OpenPage> open;
    for (const size_t member : members) {
      if (candidates_[member].judgement != Judgement::kLeaveOut) open.push_back({member, Relation::kCopy});
    }
    if (open.empty()) ++choice_.counts.lost_groups;
    const bool keeps_any = !open.empty();
    for (size_t kept_count = 0; !open.empty() && kept_count < kMostKept; ++kept_count)
      open = keep_one(std::move(open), kept_count == 0);
    keep_each_text(open);
    for (const size_t member : members) {
      if (candidates_[member].judgement == Judgement::kLeaveOut)
        leave_out(member, keeps_any ? choice_.preferred.back() : kNothingKept, {DropReason::Why::kJudged, 0});
    }
  }

 private:
  // Returns the pages that are no copies of the one that is kept.
  std::vector<OpenPage> keep_one(std::vector<OpenPage> open, bool is_first) {
    const OpenPage kept = preferred(open, is_first);
    if (is_first) {
      choice_.preferred.push_back(kept.index);
    } else {
      stay(kept);
    }
    std::vector<OpenPage> rest;
    for (OpenPage& page : open) {
      if (page.index == kept.index) continue;
      if (candidates_[page.index].has_several_texts || candidates_[page.index].is_referred_to) {
        ++choice_.counts.others;
        continue;
      }
      DropReason reason;
      const Relation relation = compare(candidates_[kept.index], candidates_[page.index], reason);
      if (relation == Relation::kCopy) {
        leave_out(page.index, kept.index, reason);
        continue;
      }
      if (is_first) page.to_first = relation;
      rest.push_back(page);
    }
    return rest;
  }

  // Of those that are compared with no more pages, each text stays once.
  void keep_each_text(const std::vector<OpenPage>& open) {
    std::map<std::pair<uint64_t, uint64_t>, size_t> first_with;
    for (const OpenPage& page : open) {
      const KeepCandidate& candidate = candidates_[page.index];
      nd_page_info info = ND_PAGE_INFO_INIT;
      const bool is_known = nd_get_page(engine_, candidate.page_id, &info, nullptr, nullptr) == ND_OK;
      const auto [first, is_new] = is_known
                                       ? first_with.try_emplace({info.text_hash, info.text_width}, page.index)
                                       : std::pair(first_with.end(), true);
      DropReason reason;
      const bool is_repeated = !is_new && !candidate.has_several_texts && !candidate.is_referred_to &&
                               compare(candidates_[first->second], candidate, reason) == Relation::kCopy &&
                               reason.why != DropReason::Why::kNear;
      if (is_repeated) {
        leave_out(page.index, first->second, reason);
      } else {
        stay(page);
      }
    }
  }

  // The rule chooses among the pages of a list, if some are open. Later those come first that stay anyway;
  // the first page is nothing that a judgement about another one has to change.
  OpenPage preferred(const std::vector<OpenPage>& open, bool is_first) const {
    const auto rank = [&](const OpenPage& page) {
      const KeepCandidate& candidate = candidates_[page.index];
      return candidate.judgement != Judgement::kKeep ? 0
             : candidate.is_listed                   ? 3
             : is_first                              ? 0
             : candidate.is_judged_capture           ? 2
                                                     : 1;
    };
    int best = 0;
    for (const OpenPage& page : open)
      best = std::max(best, rank(page));
    std::vector<OpenPage> ranked;
    std::vector<nd_copy> copies;
    for (const OpenPage& page : open) {
      if (rank(page) < best) continue;
      ranked.push_back(page);
      copies.push_back(copy_of(candidates_[page.index]));
    }
    size_t chosen = 0;
    // The only possible failure here is lack of memory.
    if (nd_choose_copy(copies.data(), copies.size(), rule_.prefers, &chosen) != ND_OK) throw std::bad_alloc();
    return ranked[chosen];
  }

  Relation compare(const KeepCandidate& kept, const KeepCandidate& page, DropReason& reason) const {
    if (page.judgement == Judgement::kKeep) {
      const bool is_repeated = !page.is_judged_capture && page.url == kept.url &&
                               compare_texts(kept, page, reason) == Relation::kCopy;
      return is_repeated && reason.why != DropReason::Why::kNear ? Relation::kCopy : Relation::kJudged;
    }
    if (kept.document != 0 && page.document != 0) {
      reason = {DropReason::Why::kJudged, 0};
      return kept.document == page.document ? Relation::kCopy : Relation::kJudged;
    }
    return compare_texts(kept, page, reason);
  }

  Relation compare_texts(const KeepCandidate& kept, const KeepCandidate& page, DropReason& reason) const {
    if (kept.page_id == page.page_id && page.page_id != 0) return Relation::kCopy;
    nd_result compared = ND_RESULT_INIT;
    if (nd_compare_pages(engine_, kept.page_id, page.page_id, &compared) != ND_OK) return Relation::kOther;
    reason = {compared.verdict == ND_NEAR ? DropReason::Why::kNear : DropReason::Why::kEqualText,
              compared.probability};
    return relation_of(compared, page.text_width, rule_);
  }

  void leave_out(size_t page, size_t kept, const DropReason& reason) {
    choice_.kept[page] = kept;
    choice_.reasons[page] = reason;
    ++choice_.counts.left_out;
  }

  void stay(const OpenPage& page) {
    KeepCounts& counts = choice_.counts;
    ++(page.to_first == Relation::kPart        ? counts.parts
       : page.to_first == Relation::kUncertain ? counts.uncertain
       : page.to_first == Relation::kJudged    ? counts.judged
                                               : counts.others);
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
  uncertain += more.uncertain;
  judged += more.judged;
  lost_groups += more.lost_groups;
}

KeepRule keep_rule_named(std::string_view word, bool leaves_out_parts, std::string_view caution) {
  const int32_t prefers = word == "longest"     ? ND_KEEP_LONGEST
                          : word == "newest"    ? ND_KEEP_NEWEST
                          : word == "canonical" ? ND_KEEP_CANONICAL
                                                : ND_KEEP_FIRST;
  return {prefers, leaves_out_parts,
          caution == "equal"     ? Caution::kEqual
          : caution == "careful" ? Caution::kCareful
                                 : Caution::kNormal};
}

KeepChoice choose_kept(nd_engine* engine, const std::vector<KeepCandidate>& candidates,
                       const KeepRule& rule) {
  std::vector<size_t> by_group(candidates.size());
  std::iota(by_group.begin(), by_group.end(), size_t{0});
  KeepChoice choice;
  choice.kept = by_group;
  choice.reasons.resize(candidates.size());
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

bool may_be_left_out(const nd_result& compared, uint64_t text_width, const KeepRule& rule) {
  return relation_of(compared, text_width, rule) == Relation::kCopy;
}

std::string also_kept_in_words(const KeepCounts& counts) {
  std::string words;
  const auto add = [&](uint64_t count, const std::string& text) {
    if (count > 0) words += (words.empty() ? "; also kept: " : ", ") + text;
  };
  add(counts.others, counted(counts.others, "other document"));
  add(counts.parts, with_separators(counts.parts) + " with much more or less text");
  add(counts.uncertain, with_separators(counts.uncertain) + " too uncertain");
  add(counts.judged, with_separators(counts.judged) + " by judgement");
  if (counts.lost_groups > 0) words += "; no page is left of " + counted(counts.lost_groups, "group");
  return words;
}

}  // namespace ndc
