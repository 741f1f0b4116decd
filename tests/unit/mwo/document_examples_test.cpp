// What MWO works out by hand, where no test of the parts has it; docs/sources.md lists all.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "mwo/mwo_index.hpp"
#include "unit/mwo/share_sample.hpp"

namespace nd::mwo {
namespace {

using sample::shares;
using sample::Terms;

using Ranked = std::vector<std::pair<uint64_t, uint32_t>>;

// Section 3, tables 2 and 3: the records have terms and no numbers; these weights divide without a remainder.
const Terms kR1 = shares({{2, 1}, {1, 1}, {3, 2}});
const Terms kR2 = shares({{4, 1}, {1, 2}, {3, 1}});
const Terms kR3 = shares({{2, 1}, {4, 1}, {1, 1}, {3, 5}});
const Terms kUnlike = shares({{7, 1}, {8, 1}});

Ranked near_duplicates_of_r1(uint32_t t, Filter filter) {
  MwoParameters parameters;
  parameters.threshold = t;
  parameters.filter = filter;
  MwoIndex index(1, parameters);
  index.insert(1, kR1);
  index.insert(2, kR2);
  index.insert(3, kR3);
  index.insert(4, kUnlike);
  index.start_epoch();
  MwoScratch scratch;
  Ranked ranked;
  for (const MwoMatch& match : index.find(kR1, scratch).matches)
    ranked.emplace_back(match.id, match.overlap);
  return ranked;
}

// Section 3.1, all phases: r1 against a repository of the three and one that shares nothing. MWO(r1, r2) =
// 1/2, MWO(r1, r3) = 3/4, "ranked on the basis of MWO".
TEST(DocumentExamplesTest, TheRecordsThroughAllPhases) {
  const Ranked all = {{1, kShareUnit}, {3, kShareUnit / 4 * 3}, {2, kShareUnit / 2}};
  const Ranked two(all.begin(), all.begin() + 2);
  const Ranked self(all.begin(), all.begin() + 1);
  for (const Filter filter : {Filter::kSafe, Filter::kPaper}) {
    EXPECT_EQ(near_duplicates_of_r1(500, filter), all);
    EXPECT_EQ(near_duplicates_of_r1(501, filter), two);
    // "t = 0 returns the full record set which shares at least a single word, t = 1 only exactly similar
    // records."
    EXPECT_EQ(near_duplicates_of_r1(0, filter), all);
    EXPECT_EQ(near_duplicates_of_r1(1000, filter), self);
  }
  EXPECT_EQ(near_duplicates_of_r1(750, Filter::kSafe), two);
  EXPECT_EQ(near_duplicates_of_r1(751, Filter::kSafe), self);
}

// Formulas (1) to (3) on the same records, in their canonical order x2 x4 x1 x3. At t = .5 all prefixes hold
// three terms; r1 and r2 meet first in x1, second in both: 1 + min(1, 1) = 2 = .5/1.5 * 6. At t = .75 they
// hold 3 - 2 + 1 = 2 and 4 - 3 + 1 = 2; r1 and r3 meet in x2, first in both: 1 + min(2, 3) = 3 = .75/1.75
// * 7.
TEST(DocumentExamplesTest, TheFiltersOnTheRecords) {
  EXPECT_EQ(prefix_by_count(3, 500), 3U);
  EXPECT_EQ(prefix_by_count(4, 500), 3U);
  EXPECT_TRUE(places_fit(3, 2, 3, 2, 500));
  EXPECT_FALSE(places_fit(3, 2, 3, 2, 501));
  EXPECT_EQ(prefix_by_count(3, 750), 2U);
  EXPECT_EQ(prefix_by_count(4, 750), 2U);
  EXPECT_TRUE(places_fit(3, 1, 4, 1, 750));
  EXPECT_FALSE(places_fit(3, 1, 4, 1, 751));
  EXPECT_EQ(near_duplicates_of_r1(750, Filter::kPaper).size(), 2U);
}

// Section 3.1.2: what the dynamic threshold leaves is normalised to 1 again. 1 of 20 is light; 9, 6 and 4 of
// 19 remain.
TEST(DocumentExamplesTest, WhatTheThresholdLeavesIsTheWhole) {
  Vector<WeighedTerm> weighed = {{1, 9000}, {2, 6000}, {3, 4000}, {4, 1000}};
  Terms terms;
  const DroppedTerms dropped = make_shares(weighed, {100, 4096}, terms);
  EXPECT_EQ(dropped.light, 1U);
  ASSERT_EQ(terms.size(), 3U);
  uint64_t sum = 0;
  const double expected[] = {9.0 / 19, 6.0 / 19, 4.0 / 19};
  for (size_t i = 0; i < terms.size(); ++i) {
    EXPECT_NEAR(terms[i].share / double{kShareUnit}, expected[i], 1e-8);
    sum += terms[i].share;
  }
  EXPECT_EQ(sum, kShareUnit);
}

}  // namespace
}  // namespace nd::mwo
