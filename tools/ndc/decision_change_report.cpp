#include "decision_change_report.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "output_text.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

// The pages that a group before and a group after share.
struct Overlap {
  size_t first_before = 0;
  size_t first_after = 0;
  size_t begin = 0;  // in the sorted pages of the change
  size_t count = 0;
};

// The first page of each page's group.
std::vector<size_t> first_pages(const std::vector<GroupPair>& pages, uint64_t GroupPair::*group) {
  std::unordered_map<uint64_t, size_t> firsts;
  std::vector<size_t> result(pages.size());
  for (size_t page = 0; page < pages.size(); ++page)
    result[page] = firsts.emplace(pages[page].*group, page).first->second;
  return result;
}

// Sets of pages that grow together; the smallest page of a set names it.
class JoinedPages {
 public:
  explicit JoinedPages(size_t count) : parents_(count) {
    for (size_t page = 0; page < count; ++page)
      parents_[page] = page;
  }

  size_t find(size_t page) {
    while (parents_[page] != page) {
      parents_[page] = parents_[parents_[page]];
      page = parents_[page];
    }
    return page;
  }

  void join(size_t page, size_t other) {
    const size_t a = find(page);
    const size_t b = find(other);
    parents_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<size_t> parents_;
};

std::vector<Overlap> overlaps_of(const std::vector<size_t>& sorted, const std::vector<PagePlace>& places) {
  std::vector<Overlap> overlaps;
  for (size_t i = 0; i < sorted.size(); ++i) {
    const PagePlace& place = places[sorted[i]];
    if (overlaps.empty() || overlaps.back().first_before != place.first_before ||
        overlaps.back().first_after != place.first_after) {
      overlaps.push_back({place.first_before, place.first_after, i, 0});
    }
    ++overlaps.back().count;
  }
  return overlaps;
}

void mark_moved(const GroupChange& change, std::vector<PagePlace>& places) {
  std::vector<size_t> sorted = change.pages;
  const auto key = [&](size_t page) {
    return std::tuple(places[page].first_before, places[page].first_after, page);
  };
  std::sort(sorted.begin(), sorted.end(), [&](size_t a, size_t b) { return key(a) < key(b); });
  std::vector<Overlap> overlaps = overlaps_of(sorted, places);
  std::sort(overlaps.begin(), overlaps.end(), [&](const Overlap& a, const Overlap& b) {
    return a.count != b.count ? a.count > b.count : sorted[a.begin] < sorted[b.begin];
  });
  // By the page that names the group: whether another group continues it, or it continues another one.
  std::unordered_map<size_t, bool> taken_before;
  std::unordered_map<size_t, bool> taken_after;
  for (const Overlap& overlap : overlaps) {
    bool& before = taken_before[overlap.first_before];
    bool& after = taken_after[overlap.first_after];
    if (!before && !after) {
      before = after = true;
      continue;
    }
    for (size_t i = 0; i < overlap.count; ++i)
      places[sorted[overlap.begin + i]].moved = true;
  }
}

std::string_view kind_word(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::kSplit:
      return "split";
    case ChangeKind::kMerged:
      return "merged";
    case ChangeKind::kRearranged:
      return "rearranged";
  }
  return "unknown";
}

bool left_out_before(const PartitionChange& change, size_t page) {
  return change.places[page].first_before != page;
}

bool left_out_after(const PartitionChange& change, size_t page) {
  return change.places[page].first_after != page;
}

void append_comparison(const EnginePage& page, std::string& line) {
  line += '\t';
  append_tsv_text(page.representative ? std::string_view(*page.representative) : "-", line);
  line.append("\t").append(page.representative ? fixed(page.resemblance, kScoreDigits) : "-");
  line.append("\t").append(page.representative ? fixed(page.containment, kScoreDigits) : "-");
}

std::string comparison_text(std::string_view when, const EnginePage& page) {
  if (!page.representative) return std::string(when) + " like no other page";
  return std::string(when) + " like " + printable(*page.representative) + ", resemblance " +
         fixed(page.resemblance, kScoreDigits) + ", containment " + fixed(page.containment, kScoreDigits);
}

std::string heading(const GroupChange& change) {
  return std::string(kind_word(change.kind)) + ": " + counted(change.pages.size(), "page") + ", " +
         counted(change.groups_before, "group") + " before, " + std::to_string(change.groups_after) +
         " after";
}

}  // namespace

PartitionChange compare_partitions(const std::vector<GroupPair>& pages) {
  const std::vector<size_t> before = first_pages(pages, &GroupPair::before);
  const std::vector<size_t> after = first_pages(pages, &GroupPair::after);
  PartitionChange result;
  result.places.resize(pages.size());
  JoinedPages joined(pages.size());
  for (size_t page = 0; page < pages.size(); ++page) {
    result.places[page] = {before[page], after[page], false};
    joined.join(page, before[page]);
    joined.join(page, after[page]);
  }
  std::vector<GroupChange> sets(pages.size());
  for (size_t page = 0; page < pages.size(); ++page) {
    GroupChange& set = sets[joined.find(page)];
    set.pages.push_back(page);
    if (before[page] == page) ++set.groups_before;
    if (after[page] == page) ++set.groups_after;
  }
  for (GroupChange& set : sets) {
    result.groups_before += set.groups_before;
    result.groups_after += set.groups_after;
    if (set.groups_before <= 1 && set.groups_after <= 1) continue;
    set.kind = set.groups_before == 1  ? ChangeKind::kSplit
               : set.groups_after == 1 ? ChangeKind::kMerged
                                       : ChangeKind::kRearranged;
    mark_moved(set, result.places);
    result.changes.push_back(std::move(set));
  }
  return result;
}

void write_change_rows(const PartitionChange& change, const ComparedPages& pages, OutputFile& output) {
  output.write_line(
      "#change\turl\tgroup_before\tgroup_after\tleft_out_before\tleft_out_after\trepresentative_before\t"
      "resemblance_before\tcontainment_before\trepresentative_after\tresemblance_after\tcontainment_after");
  std::string line;
  for (const GroupChange& each : change.changes) {
    for (size_t i = 0; i < each.pages.size() && output.ok(); ++i) {
      const size_t index = each.pages[i];
      const PagePlace& place = change.places[index];
      const bool before = left_out_before(change, index);
      const bool after = left_out_after(change, index);
      if (!place.moved && before == after) continue;
      const ComparedPage page = pages.page(index);
      line = kind_word(each.kind);
      for (const std::string& url : {page.url, pages.url(place.first_before), pages.url(place.first_after)}) {
        line += '\t';
        append_tsv_text(url, line);
      }
      line.append(before ? "\tyes" : "\tno").append(after ? "\tyes" : "\tno");
      append_comparison(page.before, line);
      append_comparison(page.after, line);
      output.write_line(line);
    }
  }
}

void write_change_text(const PartitionChange& change, const ComparedPages& pages, OutputFile& output) {
  for (const GroupChange& each : change.changes) {
    output.write_line(heading(each));
    // The pages of a group after follow each other.
    std::vector<size_t> ordered = each.pages;
    std::stable_sort(ordered.begin(), ordered.end(), [&](size_t a, size_t b) {
      return change.places[a].first_after < change.places[b].first_after;
    });
    for (size_t i = 0; i < ordered.size() && output.ok(); ++i) {
      const size_t index = ordered[i];
      const PagePlace& place = change.places[index];
      const bool is_first = place.first_after == index;
      output.write_line((is_first ? "  " : "      ") + printable(pages.url(index)));
      if (!place.moved && left_out_before(change, index) == left_out_after(change, index)) continue;
      const ComparedPage page = pages.page(index);
      output.write_line("        " + comparison_text("before", page.before));
      output.write_line("        " + comparison_text("after", page.after));
    }
    output.write_line("");
  }
}

std::vector<std::string> change_summary(const PartitionChange& change, const std::string& from,
                                        const std::string& to) {
  size_t kinds[3] = {};
  for (const GroupChange& each : change.changes)
    ++kinds[static_cast<size_t>(each.kind)];
  size_t moved = 0;
  size_t no_longer = 0;
  size_t newly = 0;
  for (size_t page = 0; page < change.places.size(); ++page) {
    if (change.places[page].moved) ++moved;
    const bool before = left_out_before(change, page);
    const bool after = left_out_after(change, page);
    if (before && !after) ++no_longer;
    if (!before && after) ++newly;
  }
  return {counted(change.places.size(), "page") + ": " + counted(change.groups_before, "group") +
              " with decision=" + from + ", " + with_separators(change.groups_after) + " with decision=" + to,
          counted(change.changes.size(), "change") + ": " + with_separators(kinds[0]) + " split, " +
              with_separators(kinds[1]) + " merged, " + with_separators(kinds[2]) + " rearranged; " +
              counted(moved, "page") + " in another group",
          counted(no_longer, "page") + " would no longer be left out, " + with_separators(newly) +
              " newly would"};
}

}  // namespace ndc
