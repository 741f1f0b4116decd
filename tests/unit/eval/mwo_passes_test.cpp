// The results of the filters, counted by hand and against brute force.
#include "mwo_passes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "mwo/share_vector.hpp"
#include "unit/mwo/share_sample.hpp"

namespace nd::eval {
namespace {

// Terms of equal weight. Before the first epoch their order is that of the numbers.
MwoPage page(uint32_t label, uint32_t site, const std::vector<uint64_t>& terms) {
  mwo::sample::Weights weights;
  for (const uint64_t term : terms)
    weights[term] = 1000;
  return {label, site, mwo::sample::shares(weights)};
}

void expect_counts(const PairCounts& counts, uint64_t right, uint64_t wrong, uint64_t missed) {
  EXPECT_EQ(counts.right, right);
  EXPECT_EQ(counts.wrong, wrong);
  EXPECT_EQ(counts.missed, missed);
}

// All four terms of a page weigh a quarter, so all prefixes at .5 are the first three terms, by either
// filter. A and B overlap by .5, A and C by .75, B and C by .25.
class MwoPassTest : public testing::Test {
 protected:
  std::vector<MwoPage> pages_{
      page(0, 0, {1, 2, 3, 4}),  // A
      page(1, 0, {3, 4, 5, 6}),  // B meets A at 3, the third of A and the first of B
      page(0, 1, {1, 2, 3, 9}),  // C meets A at 1, 2, 3 and B at 3
      page(1, 1, {7, 8}),        // D
      page(1, 1, {}),            // without terms: no search, no match, but in the score
  };
};

TEST_F(MwoPassTest, SafeFilterByHand) {
  const MwoPass pass = run_safe_pass(pages_, 500);
  EXPECT_EQ(pass.searches, 4U);
  EXPECT_EQ(pass.terms, 14U);
  EXPECT_EQ(pass.pages, 0U + 1 + 2 + 3);
  EXPECT_EQ(pass.after_prefix, 1U + 2);
  // B and C share .25 up to 3, and may share the .25 that stands behind it in C.
  EXPECT_EQ(pass.after_position, 3U);
  EXPECT_EQ(pass.after_overlap, 2U);
  EXPECT_EQ(pass.postings, 1U + 4);  // of 3; of 1, 2, and twice of 3
  expect_counts(pass.pairs, 1, 1, 3 - 0U);
  // C joins A and B by its best match, A.
  expect_counts(pass.groups, 1, 2, 3);
  // A-C is right, B-C wrong; B-D and B and the empty page are missed.
  expect_counts(pass.cross_site_groups, 1, 1, 2);
  EXPECT_GT(pass.index_bytes, 0U);
}

// Of five pages term 3 is in three, 1, 2 and 4 in two, the others in one: A is 1 2 4 3, B 5 6 4 3, C 9 1 2 3.
TEST_F(MwoPassTest, PublishedFilterByHand) {
  const MwoPass pass = run_published_pass(pages_, 500, mwo::Order::kFrequency);
  // B and C have no term of both prefixes.
  EXPECT_EQ(pass.after_prefix, 1U + 1);
  // A and B meet at 4: 1 + min(4 - 3, 4 - 3) = 2 < .5 / 1.5 * 8. A and C meet at 1: 1 + min(4 - 1, 4 - 2)
  // = 3.
  EXPECT_EQ(pass.after_position, 1U);
  EXPECT_EQ(pass.after_overlap, 1U);  // A and B are lost
  expect_counts(pass.pairs, 1, 0, 3);
  expect_counts(pass.groups, 1, 0, 3);
}

// 1 2 3 4 and 3 4 5 6 overlap by .5, and pass at 3 or 4 if that stands first or second in both. Two pages
// with a little of 1, 2, 5 and 6 make these more frequent than 3 and 4, but not heavier.
TEST(MwoPassOrderTest, TheOrderDecidesWhatThePublishedFilterLoses) {
  std::vector<MwoPage> pages = {page(0, 0, {1, 2, 3, 4}), page(0, 0, {3, 4, 5, 6})};
  for (const uint64_t heavy : {50U, 51U})
    pages.push_back({1, 0, mwo::sample::shares({{1, 1}, {2, 1}, {5, 1}, {6, 1}, {heavy, 100'000}})});
  EXPECT_EQ(run_safe_pass(pages, 500).after_overlap, 1U);
  EXPECT_EQ(run_published_pass(pages, 500, mwo::Order::kFrequency).after_overlap, 1U);
  EXPECT_EQ(run_published_pass(pages, 500, mwo::Order::kWeight).after_overlap, 0U);
}

TEST_F(MwoPassTest, PagesWithoutLabelAreSearchedAndNotScored) {
  pages_[1].label = kNoLabel;
  const MwoPass pass = run_safe_pass(pages_, 500);
  EXPECT_EQ(pass.after_overlap, 2U);
  expect_counts(pass.pairs, 1, 0, 1);
  expect_counts(pass.groups, 1, 0, 1);
}

// The pairs that pass MWO, algorithm 3.1.3, and reach the threshold, with nothing but maps.
uint64_t published_matches(const std::vector<MwoPage>& pages, uint32_t t, mwo::Order order) {
  std::map<uint64_t, uint64_t> ranks;
  for (const MwoPage& page : pages)
    for (const mwo::Term& term : page.terms)
      ranks[term.hash] += order == mwo::Order::kWeight ? term.share : 1;
  std::vector<std::map<uint64_t, uint64_t>> places(pages.size());  // by page: of the terms of its prefix
  for (size_t i = 0; i < pages.size(); ++i) {
    std::vector<std::pair<uint64_t, uint64_t>> sorted;
    for (const mwo::Term& term : pages[i].terms)
      sorted.emplace_back(ranks[term.hash], term.hash);
    std::sort(sorted.begin(), sorted.end());
    const size_t prefix = std::min(sorted.size(), sorted.size() - uint64_t{t} * sorted.size() / 1000 + 1);
    for (size_t place = 1; place <= prefix; ++place)
      places[i][sorted[place - 1].second] = place;
  }
  uint64_t matches = 0;
  for (size_t i = 0; i < pages.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      const uint64_t a = pages[i].terms.size(), b = pages[k].terms.size();
      const bool passes = std::any_of(places[i].begin(), places[i].end(), [&](const auto& term) {
        const auto other = places[k].find(term.first);
        return other != places[k].end() &&
               (1 + std::min(a - term.second, b - other->second)) * (1000 + uint64_t{t}) >= t * (a + b);
      });
      matches +=
          passes && mwo::minimum_weight_overlap(pages[i].terms, pages[k].terms) >= mwo::least_overlap(t);
    }
  }
  return matches;
}

TEST(MwoPassRandomTest, MatchesAreThoseOfBruteForceOverEpochs) {
  mwo::sample::Random random(5);
  std::vector<mwo::sample::Weights> weights;
  std::vector<MwoPage> pages;
  for (uint32_t i = 0; i < 600; ++i) {
    weights.push_back(i % 3 == 0 || i < 3 ? random.page(400, 60)
                                          : random.changed(weights[random.below(i)], 400));
    pages.push_back({static_cast<uint32_t>(random.below(40)), i % 7, mwo::sample::shares(weights.back())});
  }
  uint64_t lost = 0;
  for (const uint32_t threshold : {200U, 500U, 900U}) {
    const MwoPass safe = run_safe_pass(pages, threshold);
    uint64_t matches = 0;
    uint64_t right = 0;
    for (size_t i = 0; i < pages.size(); ++i) {
      for (size_t k = 0; k < i; ++k) {
        if (mwo::minimum_weight_overlap(pages[i].terms, pages[k].terms) < mwo::least_overlap(threshold))
          continue;
        ++matches;
        right += pages[i].label == pages[k].label;
      }
    }
    ASSERT_GT(right, 0U);
    EXPECT_EQ(safe.after_overlap, matches) << threshold;
    EXPECT_EQ(safe.pairs.right, right);
    EXPECT_EQ(safe.pairs.wrong, matches - right);
    EXPECT_GE(safe.after_position, safe.after_overlap);
    EXPECT_GE(safe.after_prefix, safe.after_position);
    for (const mwo::Order order : {mwo::Order::kFrequency, mwo::Order::kWeight}) {
      const uint64_t found = run_published_pass(pages, threshold, order).after_overlap;
      EXPECT_EQ(found, published_matches(pages, threshold, order));
      lost += matches - found;
    }
    const MwoPass again = run_safe_pass(pages, threshold);
    EXPECT_EQ(again.postings, safe.postings);
    EXPECT_EQ(again.groups.right, safe.groups.right);
  }
  EXPECT_GT(lost, 0U);
}

}  // namespace
}  // namespace nd::eval
