// Errors counted by kind against a loop over all pairs, and the list that is cut.
#include "detector_errors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "even_draw.hpp"

namespace nd::eval::test {
namespace {

std::vector<Page> pages_of(const std::vector<std::pair<uint32_t, std::string>>& labels_and_kinds) {
  std::vector<Page> pages;
  for (const auto& [label, kind] : labels_and_kinds) {
    Page page;
    page.label = label;
    page.kind = kind;
    pages.push_back(page);
  }
  return pages;
}

TEST(DetectorErrors, CountsByKind) {
  // The copy was missed, the teaser is with the source, the page without a label counts nowhere.
  const std::vector<Page> pages =
      pages_of({{0, "source"}, {0, "copy"}, {1, "teaser"}, {kNoLabel, "ambiguous"}});
  const std::vector<KindErrors> kinds = errors_by_kind(pages, std::vector<uint64_t>{1, 2, 1, 1});
  ASSERT_EQ(kinds.size(), 3U);
  EXPECT_EQ(kinds[0].kind, "copy");
  EXPECT_EQ(kinds[0].pages_with_wrong, 0U);
  EXPECT_EQ(kinds[0].pages_with_missed, 1U);
  EXPECT_EQ(kinds[1].kind, "source");
  EXPECT_EQ(kinds[1].wrong, 1U);
  EXPECT_EQ(kinds[1].missed, 1U);
  EXPECT_EQ(kinds[2].kind, "teaser");
  EXPECT_EQ(kinds[2].pages_with_wrong, 1U);
  EXPECT_EQ(kinds[2].pages_with_missed, 0U);
}

TEST(DetectorErrors, ListsNoMoreThanAsked) {
  const std::vector<Page> pages = pages_of({{0, ""}, {1, ""}, {2, ""}, {3, ""}});
  const std::vector<uint64_t> one_group(4, 9);
  EXPECT_EQ(error_pairs(pages, one_group, 6).wrong.size(), 6U);
  EXPECT_EQ(error_pairs(pages, one_group, 5).wrong.size(), 5U);
  EXPECT_TRUE(error_pairs(pages, one_group, 0).wrong.empty());
  EXPECT_TRUE(error_pairs({}, {}, 5).missed.empty());
}

TEST(DetectorErrors, AreThoseOfAllPairsOneByOne) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::pair<uint32_t, std::string>> made;
    std::vector<uint64_t> groups;
    for (int page = 0; page < 30; ++page) {
      const uint64_t label = draw_below(9, random);
      made.emplace_back(label == 8 ? kNoLabel : static_cast<uint32_t>(label), std::string(1, "ab"[page % 2]));
      groups.push_back(draw_below(7, random));
    }
    const std::vector<Page> pages = pages_of(made);
    std::vector<std::pair<uint32_t, uint32_t>> wrong, missed;
    for (uint32_t a = 0; a < pages.size(); ++a) {
      for (uint32_t b = a + 1; b < pages.size(); ++b) {
        if (pages[a].label == kNoLabel || pages[b].label == kNoLabel) continue;
        const bool same_label = pages[a].label == pages[b].label;
        if (!same_label && groups[a] == groups[b]) wrong.emplace_back(a, b);
        if (same_label && groups[a] != groups[b]) missed.emplace_back(a, b);
      }
    }
    const auto sorted = [](const std::vector<PagePair>& pairs) {
      std::vector<std::pair<uint32_t, uint32_t>> found;
      for (const PagePair& pair : pairs)
        found.emplace_back(pair.a, pair.b);
      std::ranges::sort(found);
      return found;
    };
    const ErrorPairs found = error_pairs(pages, groups, 1000);
    EXPECT_EQ(sorted(found.wrong), wrong);
    EXPECT_EQ(sorted(found.missed), missed);
    uint64_t of_pages = 0;
    for (const KindErrors& kind : errors_by_kind(pages, groups))
      of_pages += kind.wrong;
    EXPECT_EQ(of_pages, 2 * wrong.size());
  }
}

}  // namespace
}  // namespace nd::eval::test
