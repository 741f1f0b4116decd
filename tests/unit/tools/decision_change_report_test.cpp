#include "decision_change_report.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "output_capture.hpp"

namespace ndc::test {
namespace {

// Pages http://0/, http://1/, ...; each was like the first before, and is like no other after.
class NumberedPages final : public ComparedPages {
 public:
  explicit NumberedPages(size_t count) {
    for (size_t page = 0; page < count; ++page)
      urls_.push_back("http://" + std::to_string(page) + "/\t");
  }
  const std::string& url(size_t page) const override { return urls_[page]; }
  ComparedPage page(size_t page) const override {
    ComparedPage known{url(page), {}, {}};
    if (page > 0) known.before = {url(0), 0.75, 0.875};
    return known;
  }

 private:
  std::vector<std::string> urls_;
};

const PartitionChange kSplit = compare_partitions({{1, 1}, {1, 1}, {1, 3}, {4, 4}});

TEST(DecisionChangeReport, ARowForEachPageThatChanges) {
  const std::string text =
      output_of([](OutputFile& output) { write_change_rows(kSplit, NumberedPages(4), output); });
  EXPECT_EQ(
      text.substr(text.find('\n') + 1),
      "split\thttp://2/%09\thttp://0/%09\thttp://2/%09\tyes\tno\thttp://0/%09\t0.7500\t0.8750\t-\t-\t-\n");
  EXPECT_EQ(text[0], '#');
}

TEST(DecisionChangeReport, ForReadingAllPagesOfAChange) {
  const std::string text =
      output_of([](OutputFile& output) { write_change_text(kSplit, NumberedPages(4), output); });
  EXPECT_EQ(text,
            "split: 3 pages, 1 group before, 2 after\n"
            "  http://0/\\x09\n"
            "      http://1/\\x09\n"
            "  http://2/\\x09\n"
            "        before like http://0/\\x09, resemblance 0.7500, containment 0.8750\n"
            "        after like no other page\n\n");
}

TEST(DecisionChangeReport, Totals) {
  EXPECT_EQ(change_summary(kSplit, "classic", "document"),
            (std::vector<std::string>{"4 pages: 2 groups with decision=classic, 3 with decision=document",
                                      "1 change: 1 split, 0 merged, 0 rearranged; 1 page in another group",
                                      "1 page would no longer be left out, 0 newly would"}));
}

// "aab" and "abb": a letter a page names its group.
std::vector<GroupPair> pages_of(const std::string& before, const std::string& after) {
  std::vector<GroupPair> pages;
  for (size_t page = 0; page < before.size(); ++page)
    pages.push_back({static_cast<uint64_t>(before[page]), static_cast<uint64_t>(after[page])});
  return pages;
}

// 'm' for a page that has moved, '.' for any other.
std::string moved_in(const PartitionChange& change) {
  std::string text;
  for (const PagePlace& place : change.places)
    text += place.moved ? 'm' : '.';
  return text;
}

PartitionChange compare(const std::string& before, const std::string& after) {
  return compare_partitions(pages_of(before, after));
}

size_t first_of(const std::vector<GroupPair>& pages, size_t page, uint64_t GroupPair::*group) {
  size_t first = 0;
  while (pages[first].*group != pages[page].*group)
    ++first;
  return first;
}

// All pages that can be reached from one by groups before and after.
std::set<size_t> reachable(const std::vector<GroupPair>& pages, size_t start) {
  std::set<size_t> reached = {start};
  for (bool grows = true; grows;) {
    grows = false;
    for (size_t page = 0; page < pages.size(); ++page) {
      for (const size_t known : std::set<size_t>(reached)) {
        if (pages[page].before == pages[known].before || pages[page].after == pages[known].after)
          grows |= reached.insert(page).second;
      }
    }
  }
  return reached;
}

// Takes the best pair of groups that are both free, until there is none.
std::string plainly_moved(const std::vector<GroupPair>& pages) {
  std::set<uint64_t> taken_before;
  std::set<uint64_t> taken_after;
  std::string text(pages.size(), 'm');
  for (;;) {
    std::map<std::pair<uint64_t, uint64_t>, std::vector<size_t>> overlaps;
    for (size_t page = 0; page < pages.size(); ++page) {
      if (taken_before.contains(pages[page].before) || taken_after.contains(pages[page].after)) continue;
      overlaps[{pages[page].before, pages[page].after}].push_back(page);
    }
    const std::vector<size_t>* best = nullptr;
    for (const auto& [groups, shared] : overlaps) {
      if (best == nullptr || shared.size() > best->size() ||
          (shared.size() == best->size() && shared.front() < best->front())) {
        best = &shared;
      }
    }
    if (best == nullptr) return text;
    taken_before.insert(pages[best->front()].before);
    taken_after.insert(pages[best->front()].after);
    for (const size_t page : *best)
      text[page] = '.';
  }
}

TEST(PartitionChange, NamesOfGroupsDoNotMatter) {
  const PartitionChange change = compare("abacb", "xyxzy");
  EXPECT_TRUE(change.changes.empty());
  EXPECT_EQ(change.groups_before, 3u);
  EXPECT_EQ(change.groups_after, 3u);
  EXPECT_EQ(moved_in(change), ".....");
  EXPECT_EQ(change.places[4].first_before, 1u);
  EXPECT_TRUE(compare("", "").changes.empty());
}

TEST(PartitionChange, ASplit) {
  const PartitionChange change = compare("aaab", "xyyz");
  ASSERT_EQ(change.changes.size(), 1u);
  EXPECT_EQ(change.changes[0].kind, ChangeKind::kSplit);
  EXPECT_EQ(change.changes[0].pages, (std::vector<size_t>{0, 1, 2}));
  EXPECT_EQ(change.changes[0].groups_after, 2u);
  // Most of the group are where pages 1 and 2 are: it is the first page that has left.
  EXPECT_EQ(moved_in(change), "m...");
  EXPECT_EQ(moved_in(compare("aa", "xy")), ".m");
}

TEST(PartitionChange, AMerge) {
  const PartitionChange change = compare("abcb", "xxyx");
  ASSERT_EQ(change.changes.size(), 1u);
  EXPECT_EQ(change.changes[0].kind, ChangeKind::kMerged);
  EXPECT_EQ(moved_in(change), "m...");
  EXPECT_EQ(change.places[1].first_after, 0u);
}

TEST(PartitionChange, PagesThatChangePlaces) {
  const PartitionChange change = compare("aaabbbc", "xxyyyyz");
  ASSERT_EQ(change.changes.size(), 1u);
  EXPECT_EQ(change.changes[0].kind, ChangeKind::kRearranged);
  EXPECT_EQ(change.changes[0].groups_before, 2u);
  EXPECT_EQ(change.changes[0].groups_after, 2u);
  EXPECT_EQ(moved_in(change), "..m....");
}

TEST(PartitionChange, AgreesWithThePlainWay) {
  std::mt19937 random(5);
  for (int round = 0; round < 2000; ++round) {
    const size_t count = random() % 13;
    const uint64_t names = 1 + random() % 8;
    std::vector<GroupPair> pages(count);
    for (GroupPair& page : pages) {
      page.before = random() % names;
      // Most stay where they are.
      page.after = random() % 3 != 0 ? page.before : random() % names;
    }
    const PartitionChange change = compare_partitions(pages);
    ASSERT_EQ(moved_in(change), plainly_moved(pages));
    std::set<std::set<size_t>> expected;
    std::set<std::set<size_t>> found;
    for (size_t page = 0; page < count; ++page) {
      ASSERT_EQ(change.places[page].first_before, first_of(pages, page, &GroupPair::before));
      ASSERT_EQ(change.places[page].first_after, first_of(pages, page, &GroupPair::after));
      const std::set<size_t> together = reachable(pages, page);
      std::set<uint64_t> before;
      std::set<uint64_t> after;
      for (const size_t each : together) {
        before.insert(pages[each].before);
        after.insert(pages[each].after);
      }
      if (before.size() > 1 || after.size() > 1) expected.insert(together);
    }
    for (const GroupChange& each : change.changes) {
      found.insert(std::set<size_t>(each.pages.begin(), each.pages.end()));
      EXPECT_EQ(each.kind == ChangeKind::kSplit, each.groups_before == 1);
      EXPECT_EQ(each.kind == ChangeKind::kMerged, each.groups_after == 1);
    }
    ASSERT_EQ(found, expected);
    ASSERT_EQ(found.size(), change.changes.size());
  }
}

TEST(PartitionChange, BackwardsTheSamePagesHaveMoved) {
  std::mt19937 random(6);
  for (int round = 0; round < 500; ++round) {
    std::vector<GroupPair> pages(1 + random() % 20);
    std::vector<GroupPair> backwards;
    for (GroupPair& page : pages) {
      page = {random() % 6, random() % 6};
      backwards.push_back({page.after, page.before});
    }
    const PartitionChange change = compare_partitions(pages);
    const PartitionChange back = compare_partitions(backwards);
    ASSERT_EQ(moved_in(change), moved_in(back));
    ASSERT_EQ(change.groups_before, back.groups_after);
  }
}

}  // namespace
}  // namespace ndc::test
