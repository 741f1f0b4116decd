#include "decision_change_report.hpp"

#include <algorithm>
#include <string_view>

#include "terminal_text.hpp"
#include "tsv_text.hpp"

namespace ndc {
namespace {

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
