// The bounds of docs/mwo.md on its own examples.
#include "mwo/overlap_filters.hpp"

#include <gtest/gtest.h>

#include "unit/mwo/share_sample.hpp"

namespace nd::mwo {
namespace {

using sample::shares;

Vector<uint64_t> hashes(const TermOrder& order, ShareVector terms) {
  Vector<PlacedTerm> placed;
  order.arrange(terms, placed);
  Vector<uint64_t> made;
  for (const PlacedTerm& term : placed)
    made.push_back(term.hash);
  return made;
}

// MWO, section 3: r1 = {x2, x1, x3}, r2 = {x4, x1, x3}, r3 = {x2, x4, x1, x3}, as the document writes them.
TEST(TermOrderTest, TheCanonicalRecordsOfTheDocument) {
  constexpr uint64_t x1 = 30, x2 = 10, x3 = 40, x4 = 20;  // equal frequencies go by hash
  const Vector<Term> r1 = shares({{x1, 1}, {x2, 1}, {x3, 1}});
  const Vector<Term> r2 = shares({{x1, 1}, {x3, 1}, {x4, 1}});
  const Vector<Term> r3 = shares({{x1, 1}, {x2, 1}, {x3, 1}, {x4, 1}});
  TermOrder order(1);
  for (const auto* record : {&r1, &r2, &r3})
    order.count(*record);
  EXPECT_EQ(hashes(order, r1), (Vector<uint64_t>{x2, x1, x3}));
  EXPECT_EQ(hashes(order, r2), (Vector<uint64_t>{x4, x1, x3}));
  EXPECT_EQ(hashes(order, r3), (Vector<uint64_t>{x2, x4, x1, x3}));
}

TEST(TermOrderTest, RareTermsComeFirstAndUnknownOnesBeforeAll) {
  TermOrder order(7);
  order.count(shares({{1, 1}, {2, 1}}));
  order.count(shares({{1, 1}, {3, 1}}));
  EXPECT_EQ(hashes(order, shares({{1, 1}, {2, 1}, {3, 1}, {9, 1}})), (Vector<uint64_t>{9, 2, 3, 1}));
  EXPECT_EQ(order.term_count(), 3U);
}

// "Instead of simply considering the document frequency, we may use the feature weights": term 1 is in both
// documents with .1 and .1, term 2 in one with .9.
TEST(TermOrderTest, LightTermsComeFirstByWeight) {
  TermOrder order(7, Order::kWeight);
  order.count(shares({{1, 1}, {2, 9}}));
  order.count(shares({{1, 1}, {3, 9}}));
  EXPECT_EQ(hashes(order, shares({{1, 1}, {2, 1}, {9, 1}})), (Vector<uint64_t>{9, 1, 2}));
}

TEST(OverlapFiltersTest, PrefixLengthsOfTheDocument) {
  EXPECT_EQ(prefix_by_count(10, 500), 6U);  // 10 - 5 + 1
  EXPECT_EQ(prefix_by_count(10, 800), 3U);  // 10 - 8 + 1
  EXPECT_EQ(prefix_by_count(3, 500), 3U);   // 3 - 1 + 1
  EXPECT_EQ(prefix_by_count(10, 1000), 1U);
  EXPECT_EQ(prefix_by_count(10, 0), 10U);  // 11, of 10
  EXPECT_EQ(prefix_by_count(1, 900), 1U);
  EXPECT_EQ(prefix_by_count(0, 500), 0U);
}

TEST(OverlapFiltersTest, PlacesOfTheDocument) {
  // |r| = |ri| = 10, t = .8: O = .8 / 1.8 * 20 = 8.9. At places 1 and 2 there are 1 + 8 = 9, at 2 and 3 8.
  EXPECT_TRUE(places_fit(10, 1, 10, 2, 800));
  EXPECT_FALSE(places_fit(10, 2, 10, 3, 800));
  EXPECT_TRUE(places_fit(5, 1, 5, 1, 1000));
  EXPECT_FALSE(places_fit(5, 1, 6, 1, 1000));
  // O = .5 / 1.5 * 9 = 3 is reached exactly.
  EXPECT_TRUE(places_fit(5, 3, 4, 2, 500));
  EXPECT_FALSE(places_fit(5, 4, 4, 2, 500));
}

TEST(OverlapFiltersTest, BehindThePrefixByMassIsLessThanTheThreshold) {
  const auto placed = [](std::initializer_list<uint32_t> parts) {
    Vector<PlacedTerm> terms;
    for (const uint32_t part : parts)
      terms.push_back({terms.size(), 0, part});
    return terms;
  };
  const Vector<PlacedTerm> terms = placed({4, 3, 2, 1});
  EXPECT_EQ(prefix_by_mass(terms, 1), 4U);
  EXPECT_EQ(prefix_by_mass(terms, 2), 3U);
  EXPECT_EQ(prefix_by_mass(terms, 3), 3U);  // 2 + 1 would reach it
  EXPECT_EQ(prefix_by_mass(terms, 4), 2U);
  EXPECT_EQ(prefix_by_mass(terms, 7), 1U);
  EXPECT_EQ(prefix_by_mass(terms, 10), 1U);
  EXPECT_EQ(prefix_by_mass(terms, 11), 0U);
  EXPECT_EQ(prefix_by_mass({}, 1), 0U);
}

TEST(OverlapFiltersTest, APrefixLeavesLessThanTheThreshold) {
  EXPECT_EQ(prefix_rest(1000), 900U);
  EXPECT_EQ(prefix_rest(1), 1U);
  EXPECT_EQ(prefix_rest(kShareUnit), 966367641U);
  for (uint32_t least = 1; least < 100; ++least)
    EXPECT_LE(prefix_rest(least), least);
}

// The claim on which the safe filter is based, term by term.
TEST(OverlapFiltersTest, PagesThatOverlapMeetInTheirPrefixes) {
  sample::Random random(5);
  TermOrder order(5);
  std::vector<sample::Weights> pages;
  for (int i = 0; i < 150; ++i) {
    pages.push_back(random.next(pages, 300, 60));
    if (i % 2 == 0) order.count(shares(pages.back()));
  }
  int reached = 0;
  int missed_by_count = 0;
  for (const uint32_t t : {100U, 500U, 800U, 1000U}) {
    const uint32_t least = least_overlap(t);
    for (size_t a = 0; a < pages.size(); ++a) {
      for (size_t b = 0; b < a; ++b) {
        if (minimum_weight_overlap(shares(pages[a]), shares(pages[b])) < least) continue;
        ++reached;
        Vector<PlacedTerm> r, ri;
        order.arrange(shares(pages[a]), r);
        order.arrange(shares(pages[b]), ri);
        const auto meet = [&](size_t r_length, size_t ri_length) {
          for (size_t p = 0; p < r_length; ++p) {
            for (size_t q = 0; q < ri_length; ++q) {
              if (r[p].hash == ri[q].hash) return true;
            }
          }
          return false;
        };
        ASSERT_TRUE(meet(prefix_by_mass(r, least), prefix_by_mass(ri, least))) << t << ' ' << a << ' ' << b;
        missed_by_count += !meet(prefix_by_count(r.size(), t), prefix_by_count(ri.size(), t));
      }
    }
  }
  EXPECT_GT(reached, 100);
  EXPECT_GT(missed_by_count, 0);
}

}  // namespace
}  // namespace nd::mwo
