// Precision, recall and F1 against the plain count of all pairs.
#include "scores.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "labelled_pages.hpp"
#include "score_cells.hpp"

namespace nd::eval::test {
namespace {

double mean_of(double a, double b) {
  return a + b == 0 ? 0 : 2 * a * b / (a + b);
}

// All pairs one by one, by the definitions.
Score plain_score(const Collection& collection, const std::set<std::pair<size_t, size_t>>& said) {
  Score score;
  const auto pages = collection.pages();
  std::map<uint32_t, PairCounts> by_label;
  std::map<uint32_t, size_t> sizes;
  double precision = 0, recall = 0, scored = 0;
  for (size_t a = 0; a < pages.size(); ++a) {
    if (pages[a].label == kNoLabel) continue;
    ++sizes[pages[a].label];
    double together = 0, right = 0, are = 0;
    for (size_t b = 0; b < pages.size(); ++b) {
      if (pages[b].label == kNoLabel) continue;
      const bool is = pages[a].label == pages[b].label;
      const bool was_said = a == b || said.count({std::min(a, b), std::max(a, b)}) != 0;
      together += was_said;
      right += was_said && is;
      are += is;
      if (b <= a) continue;
      PairCounts& counts = pages[a].site == pages[b].site ? score.same_site : score.cross_site;
      counts.right += is && was_said;
      counts.wrong += !is && was_said;
      counts.missed += is && !was_said;
      by_label[pages[a].label].right += is && was_said;
      by_label[pages[a].label].missed += is && !was_said;
      by_label[pages[a].label].wrong += !is && was_said;
      by_label[pages[b].label].wrong += !is && was_said;
    }
    precision += right / together;
    recall += right / are;
    ++scored;
  }
  score.all = {score.same_site.right + score.cross_site.right, score.same_site.wrong + score.cross_site.wrong,
               score.same_site.missed + score.cross_site.missed};
  score.b_cubed_precision = precision / scored;
  score.b_cubed_recall = recall / scored;
  double sum = 0, groups = 0;
  for (const auto& [label, size] : sizes) {
    if (size < 2) continue;
    sum += by_label[label].f1();
    ++groups;
  }
  score.macro_f1 = groups == 0 ? 1 : sum / groups;
  return score;
}

void expect_same(const PairCounts& a, const PairCounts& b) {
  EXPECT_EQ(a.right, b.right);
  EXPECT_EQ(a.wrong, b.wrong);
  EXPECT_EQ(a.missed, b.missed);
}

void expect_same(const Score& a, const Score& b) {
  expect_same(a.all, b.all);
  expect_same(a.same_site, b.same_site);
  expect_same(a.cross_site, b.cross_site);
  EXPECT_NEAR(a.b_cubed_precision, b.b_cubed_precision, 1e-12);
  EXPECT_NEAR(a.b_cubed_recall, b.b_cubed_recall, 1e-12);
  EXPECT_NEAR(a.macro_f1, b.macro_f1, 1e-12);
}

TEST(Scores, CountPairsOfAHandMadeGrouping) {
  // Labels a a a b b c; groups {0 1} {2 3 4} {5}.
  const Collection collection = collection_of({{0, 0}, {0, 0}, {0, 1}, {1, 1}, {1, 2}, {2, 2}});
  const std::vector<uint64_t> groups{10, 10, 11, 11, 11, 12};
  const Score score = score_groups(collection, groups);
  expect_same(score.all, PairCounts{2, 2, 2});
  expect_same(score.same_site, PairCounts{1, 1, 0});
  EXPECT_DOUBLE_EQ(score.all.precision(), .5);
  EXPECT_DOUBLE_EQ(score.all.recall(), .5);
  EXPECT_DOUBLE_EQ(score.all.f1(), .5);
  // Label a: right 1, wrong 2, missed 2; b: right 1, wrong 2, missed 0; c has one page.
  EXPECT_DOUBLE_EQ(score.macro_f1, (mean_of(1. / 3, 1. / 3) + mean_of(1. / 3, 1)) / 2);
  // Of 0, 1: 2 of 2; of 2: 1 of 3; of 3, 4: 2 of 3; of 5: 1 of 1.
  EXPECT_DOUBLE_EQ(score.b_cubed_precision, (1 + 1 + 1. / 3 + 2. / 3 + 2. / 3 + 1) / 6);
}

TEST(Scores, PagesWithoutALabelAreInNone) {
  const Collection collection = collection_of({{0, 0}, {kNoLabel, 0}, {0, 0}});
  expect_same(score_groups(collection, std::vector<uint64_t>{1, 1, 2}).all, PairCounts{0, 0, 1});
  const std::vector<PagePair> pairs{{0, 1}, {1, 2}};
  expect_same(score_pairs(truths_of(collection), pairs).all, PairCounts{0, 0, 1});
}

TEST(Scores, CellsOfNoPairsAreEmpty) {
  // One site; nothing is said of two labels of a page each; one label of two pages.
  const Collection collection = collection_of({{0, 0}, {0, 0}, {1, 0}});
  std::vector<Cell> row;
  add_score_cells(score_groups(collection, std::vector<uint64_t>{1, 2, 3}), row);
  std::vector<Column> columns;
  add_score_columns(columns);
  ASSERT_EQ(row.size(), columns.size());
  const Cell none;
  const std::vector<Cell> expected{none, 0.0,  0.0, none,   0.0,    0.0, none,
                                   none, none, 1.0, 2. / 3, 4. / 5, 0.0};
  EXPECT_EQ(row, expected);
  row.clear();
  add_score_cells(score_groups(collection_of({{kNoLabel, 0}, {kNoLabel, 0}}), std::vector<uint64_t>{1, 1}),
                  row);
  EXPECT_EQ(row, std::vector<Cell>(columns.size()));
  row.clear();  // all wrong
  add_score_cells(score_groups(collection_of({{0, 0}, {1, 1}}), std::vector<uint64_t>{1, 1}), row);
  EXPECT_EQ(row,
            (std::vector<Cell>{0.0, none, 0.0, none, none, none, 0.0, none, 0.0, .5, 1.0, 2. / 3, none}));
}

TEST(Scores, SelectedPagesAreScoredAsIfAlone) {
  const Collection collection = collection_of({{0, 0}, {0, 1}, {1, 1}, {0, 2}});
  const std::vector<PageTruth> truths = truths_of(collection, std::vector<uint32_t>{0, 2, 3});
  expect_same(score_groups(truths, std::vector<uint64_t>{5, 5, 5}).all, PairCounts{1, 2, 0});
  expect_same(score_pairs(truths, std::vector<PagePair>{{0, 2}}).cross_site, PairCounts{1, 0, 0});
}

TEST(Scores, NothingToScoreIsPerfect) {
  const Collection none = collection_of({});
  const Score score = score_groups(none, {});
  EXPECT_EQ(score.all.f1(), 1);
  EXPECT_EQ(score.macro_f1, 1);
  EXPECT_EQ(score.b_cubed_f1(), 1);
}

TEST(Scores, AreThoseOfThePlainCount) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<LabelledPage> pages(1 + random() % 40);
    std::vector<uint64_t> groups;
    for (LabelledPage& page : pages) {
      page.label = random() % 8 == 0 ? kNoLabel : static_cast<uint32_t>(random() % 6);
      page.site = static_cast<uint32_t>(random() % 3);
      groups.push_back(random() % 7);
    }
    const Collection collection = collection_of(pages);
    if (collection.scored_count() == 0) continue;
    std::set<std::pair<size_t, size_t>> said, drawn;
    std::vector<PagePair> pairs;
    for (size_t a = 0; a < pages.size(); ++a) {
      for (size_t b = a + 1; b < pages.size(); ++b) {
        if (groups[a] == groups[b]) said.insert({a, b});
        if (random() % 4 != 0) continue;
        drawn.insert({a, b});
        const bool turned = random() % 2 == 0;
        pairs.push_back({static_cast<uint32_t>(turned ? b : a), static_cast<uint32_t>(turned ? a : b)});
      }
    }
    SCOPED_TRACE(round);
    expect_same(score_groups(collection, groups), plain_score(collection, said));
    expect_same(score_pairs(truths_of(collection), pairs), plain_score(collection, drawn));
  }
}

TEST(Scores, ConnectsPairsToGroups) {
  const std::vector<PagePair> pairs{{3, 1}, {4, 3}, {0, 5}};
  EXPECT_EQ(connected_groups(6, pairs), (std::vector<uint64_t>{0, 1, 2, 1, 1, 0}));
}

}  // namespace
}  // namespace nd::eval::test
