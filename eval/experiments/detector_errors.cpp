// Counts missed and wrong pairs by the kinds of their pages and lists the first of them for reading.
#include "detector_errors.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "options/parameters.hpp"
#include "page_comparison.hpp"

namespace nd::eval {
namespace {

constexpr size_t kListed = 200;  // of each table of error pairs

// The scored pages, as they lie in groups and labels: how many, and which.
class Cells {
 public:
  Cells(std::span<const Page> pages, std::span<const uint64_t> groups) : pages_(pages), groups_(groups) {
    for (uint32_t i = 0; i < pages.size(); ++i) {
      if (pages[i].label == kNoLabel) continue;
      by_group_[groups[i]][pages[i].label].push_back(i);
      by_label_[pages[i].label][groups[i]].push_back(i);
      ++group_sizes_[groups[i]];
      ++label_sizes_[pages[i].label];
    }
  }

  // Pages that the group has with another label, and that the label has in another group.
  uint64_t wrong(uint32_t page) const { return group_sizes_.at(groups_[page]) - together(page); }
  uint64_t missed(uint32_t page) const { return label_sizes_.at(pages_[page].label) - together(page); }

  // The later pages with which this one is a wrong pair, or a missed one, appended as far as there is room.
  void list_wrong(uint32_t page, size_t limit, std::vector<PagePair>& out) const {
    list(page, by_group_.at(groups_[page]), pages_[page].label, limit, out);
  }
  void list_missed(uint32_t page, size_t limit, std::vector<PagePair>& out) const {
    list(page, by_label_.at(pages_[page].label), groups_[page], limit, out);
  }

 private:
  template <typename Key>
  using Parts = std::map<Key, std::vector<uint32_t>>;

  uint64_t together(uint32_t page) const { return by_label_.at(pages_[page].label).at(groups_[page]).size(); }

  template <typename Key>
  static void list(uint32_t page, const Parts<Key>& parts, Key own, size_t limit,
                   std::vector<PagePair>& out) {
    for (const auto& [key, members] : parts) {
      if (key == own) continue;
      for (auto later = std::ranges::upper_bound(members, page); later != members.end(); ++later) {
        if (out.size() == limit) return;
        out.push_back({page, *later});
      }
    }
  }

  std::span<const Page> pages_;
  std::span<const uint64_t> groups_;
  std::unordered_map<uint64_t, Parts<uint32_t>> by_group_;
  std::unordered_map<uint32_t, Parts<uint64_t>> by_label_;
  std::unordered_map<uint64_t, uint64_t> group_sizes_;
  std::unordered_map<uint32_t, uint64_t> label_sizes_;
};

}  // namespace

std::vector<KindErrors> errors_by_kind(std::span<const Page> pages, std::span<const uint64_t> groups) {
  const Cells cells(pages, groups);
  std::map<std::string, KindErrors> kinds;
  for (uint32_t i = 0; i < pages.size(); ++i) {
    if (pages[i].label == kNoLabel) continue;
    KindErrors& kind = kinds[pages[i].kind];
    const uint64_t wrong = cells.wrong(i);
    const uint64_t missed = cells.missed(i);
    ++kind.pages;
    kind.pages_with_wrong += wrong != 0 ? 1 : 0;
    kind.pages_with_missed += missed != 0 ? 1 : 0;
    kind.wrong += wrong;
    kind.missed += missed;
  }
  std::vector<KindErrors> found;
  for (auto& [name, kind] : kinds) {
    kind.kind = name;
    found.push_back(std::move(kind));
  }
  return found;
}

ErrorPairs error_pairs(std::span<const Page> pages, std::span<const uint64_t> groups, size_t limit) {
  const Cells cells(pages, groups);
  ErrorPairs found;
  for (uint32_t i = 0; i < pages.size(); ++i) {
    if (pages[i].label == kNoLabel) continue;
    cells.list_wrong(i, limit, found.wrong);
    cells.list_missed(i, limit, found.missed);
  }
  return found;
}

Table empty_errors() {
  return {"detector_errors",
          "What each detector has wrong, by the kind of the pages",
          {{"detector", "", "option detector"},
           {"decide", "", "option decide"},
           {"kind", "", "of the labels; empty where they tell none"},
           {"pages", "pages", "of the kind that are scored"},
           {"pages_with_wrong", "pages", "that are in a group with a page of another label"},
           {"pages_with_missed", "pages", "that are not with all pages of their label"},
           {"wrong", "pairs", "of a page of the kind and one of another label in its group"},
           {"missed", "pairs", "of a page of the kind and one of its label in another group"}}};
}

void DetectorErrors::add(std::string_view detector, std::string_view decide, std::span<const Page> pages,
                         std::span<const uint64_t> groups) {
  for (const KindErrors& kind : errors_by_kind(pages, groups))
    table_.add_row({std::string(detector), std::string(decide), kind.kind, kind.pages, kind.pages_with_wrong,
                    kind.pages_with_missed, kind.wrong, kind.missed});
}

Result<Table> default_errors(Collection& collection, std::span<const uint64_t> groups) {
  const std::span<const Page> pages = collection.pages();
  const PairCounts counts = score_groups(collection, groups).all;
  const ErrorPairs pairs = error_pairs(pages, groups, kListed);
  Table table("default_errors",
              "The wrong and the missed pairs of the default engine: " + std::to_string(pairs.wrong.size()) +
                  " of " + std::to_string(counts.wrong) + " and " + std::to_string(pairs.missed.size()) +
                  " of " + std::to_string(counts.missed),
              {{"error", "", "wrong: in one group, labelled apart; missed: the other way round"},
               {"url_a", "", "of the earlier page"},
               {"url_b", "", "of the later page"},
               {"kind_a", "", "of the label"},
               {"kind_b", "", "of the label"},
               {"same_site", "", "yes or no"},
               {"verdict", "", "of the two pages compared by themselves: exact, near or different"},
               {"resemblance", "1", "by LCS, of the text that the LCS compared"},
               {"containment", "1", "the same"}});
  if (pairs.wrong.empty() && pairs.missed.empty()) return table;
  const Result<const std::vector<engine::Features>*> features = collection.features(detectors::Method::kLcs);
  if (!features) return features.failure();
  PageComparison comparison;
  const auto add = [&](const char* error, const PagePair& pair) {
    const Page& a = pages[pair.a];
    const Page& b = pages[pair.b];
    const engine::Verification found = comparison.compare((**features)[pair.a], (**features)[pair.b]);
    table.add_row({std::string(error), a.url, b.url, a.kind, b.kind,
                   std::string(a.site == b.site ? "yes" : "no"), std::string(verdict(found)),
                   found.resemblance, found.containment});
  };
  for (const PagePair& pair : pairs.wrong)
    add("wrong", pair);
  for (const PagePair& pair : pairs.missed)
    add("missed", pair);
  return table;
}

}  // namespace nd::eval
