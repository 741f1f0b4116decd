// The results of the filters, counted by hand and against brute force.
#include "mwo_passes.hpp"

#include <gtest/gtest.h>

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
  const MwoPass pass = run_pass(pages_, 500, mwo::Filter::kSafe);
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

TEST_F(MwoPassTest, PublishedFilterByHand) {
  const MwoPass pass = run_pass(pages_, 500, mwo::Filter::kPaper);
  EXPECT_EQ(pass.after_prefix, 1U + 2);
  // 1 + min(4 - 3, 4 - 1) = 2 < .5 / 1.5 * 8: neither A and B nor C and B can be duplicates, it says.
  EXPECT_EQ(pass.after_position, 1U);
  EXPECT_EQ(pass.after_overlap, 1U);  // A and B are lost
  expect_counts(pass.pairs, 1, 0, 3);
  expect_counts(pass.groups, 1, 0, 3);
}

TEST_F(MwoPassTest, PagesWithoutLabelAreSearchedAndNotScored) {
  pages_[1].label = kNoLabel;
  const MwoPass pass = run_pass(pages_, 500, mwo::Filter::kSafe);
  EXPECT_EQ(pass.after_overlap, 2U);
  expect_counts(pass.pairs, 1, 0, 1);
  expect_counts(pass.groups, 1, 0, 1);
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
  for (const uint32_t threshold : {200U, 500U, 900U}) {
    const MwoPass safe = run_pass(pages, threshold, mwo::Filter::kSafe);
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
    const MwoPass paper = run_pass(pages, threshold, mwo::Filter::kPaper);
    EXPECT_LE(paper.after_overlap, matches);
    const MwoPass again = run_pass(pages, threshold, mwo::Filter::kSafe);
    EXPECT_EQ(again.postings, safe.postings);
    EXPECT_EQ(again.groups.right, safe.groups.right);
  }
}

}  // namespace
}  // namespace nd::eval
