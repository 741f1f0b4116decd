#include "engine/verification.hpp"

#include <gtest/gtest.h>

#include "engine/engine.hpp"
#include "unit/engine/feature_sample.hpp"
#include "unit/engine/shared_text_rules.hpp"

namespace nd::engine {
namespace {

constexpr const char* kHere = "a.example";
constexpr const char* kElsewhere = "b.example";

Verification verify(const Features& representative, const Features& page,
                    const Parameters& parameters = shared_text_rules(), const BoilerplateMarks& marks = {}) {
  Verifier verifier{17};
  return verifier.verify(representative, page, marks, parameters);
}

// `shared` words in common, then `own` words of each page's own.
std::pair<Features, Features> pair_of(uint32_t shared, uint32_t own_a, uint32_t own_b,
                                      const char* site_b = kElsewhere) {
  return {one_block(joined(words(0, shared), words(10000, own_a)), kHere),
          one_block(joined(words(0, shared), words(20000, own_b)), site_b)};
}

TEST(VerificationTest, EqualTextIsExactFromTheLeastWidthOn) {
  const Verification exact = verify(one_block(words(0, 8), kHere), one_block(words(0, 8), kHere));
  EXPECT_TRUE(exact.similar);
  EXPECT_EQ(exact.rule, Rule::kExact);
  EXPECT_EQ(exact.resemblance, 1);
  EXPECT_EQ(exact.containment, 1);
  EXPECT_EQ(exact.page_coverage, 1);
  EXPECT_EQ(exact.matched_coverage, 1);
  EXPECT_EQ(exact.matched_width, 40);
  // 35 wide: equal, but too short for anything.
  EXPECT_FALSE(verify(one_block(words(0, 7), kHere), one_block(words(0, 7), kHere)).similar);
}

TEST(VerificationTest, ExactNeedsEqualSymbolsNotEqualDigestsOnly) {
  FeatureSample sample;
  sample.blocks = {{words(0, 20)}};
  sample.site = kHere;
  const Features a = sample.features();
  FeatureHeader header = a.header();
  const std::vector<Symbol> others(20, make_symbol(12345U << 8, kWordWidth));
  const Features forged =
      Features::build(header, {a.blocks(), {}, {}, {}, {}, others, {}, {}, kElsewhere, {}});
  ASSERT_EQ(forged.digest(), a.digest());
  EXPECT_NE(verify(a, forged).rule, Rule::kExact);
  EXPECT_FALSE(verify(a, forged).similar);
}

// J = s / (s + own_a + own_b) in words.
TEST(VerificationTest, ResemblanceBothSidesOfTheThreshold) {
  const auto [a, b] = pair_of(84, 108, 108);  // .28
  const Verification at = verify(a, b);
  EXPECT_TRUE(at.similar);
  EXPECT_EQ(at.rule, Rule::kResemblance);
  EXPECT_NEAR(at.resemblance, 0.28, 1e-9);
  EXPECT_NEAR(at.page_coverage, 84.0 / 192, 1e-9);
  EXPECT_NEAR(at.matched_coverage, 84.0 / 192, 1e-9);
  EXPECT_NEAR(at.matched_width, 420, 1e-9);
  const auto [c, d] = pair_of(84, 109, 109);
  const Verification below = verify(c, d);
  EXPECT_FALSE(below.similar);
  EXPECT_EQ(below.rule, Rule::kNone);
}

TEST(VerificationTest, ResemblanceNeedsWidthInCommon) {
  Parameters parameters = shared_text_rules();
  parameters.decision.resemblance_width = 201;
  const auto [a, b] = pair_of(40, 20, 20);
  EXPECT_TRUE(verify(a, b).similar);
  EXPECT_FALSE(verify(a, b, parameters).similar);
  parameters.decision.resemblance_width = 200;
  EXPECT_TRUE(verify(a, b, parameters).similar);
}

TEST(VerificationTest, LittleInCommonMustBeHalfOfBoth) {
  const auto [a, b] = pair_of(59, 30, 29);  // 295 wide, .5
  EXPECT_TRUE(verify(a, b).similar);
  const auto [c, d] = pair_of(59, 30, 30);
  EXPECT_FALSE(verify(c, d).similar);
  const auto [e, f] = pair_of(60, 60, 60);  // 300 wide: the ordinary threshold
  EXPECT_TRUE(verify(e, f).similar);
  // A teaser that is completely contained in its article.
  EXPECT_FALSE(verify(one_block(words(0, 150), kHere), one_block(words(0, 50), kElsewhere)).similar);
}

// The page of 100 words has 70 in common with the representative: containment .7, resemblance below .9.
TEST(VerificationTest, ContainmentAndItsFloors) {
  Parameters parameters = shared_text_rules();
  parameters.decision.resemblance = 0.9;
  const auto [a, b] = pair_of(70, 200, 30);
  const Verification contained = verify(a, b, parameters);
  EXPECT_TRUE(contained.similar);
  EXPECT_EQ(contained.rule, Rule::kContainment);
  EXPECT_NEAR(contained.containment, 0.7, 1e-9);
  EXPECT_NEAR(contained.page_coverage, 0.7, 1e-9);
  const auto [c, d] = pair_of(69, 200, 31);
  EXPECT_FALSE(verify(c, d, parameters).similar);
  // The smaller must be a fifth of the larger: 100 of 500 is, 100 of 501 is not.
  const auto [e, f] = pair_of(70, 430, 30);
  EXPECT_TRUE(verify(e, f, parameters).similar);
  const auto [g, h] = pair_of(70, 431, 30);
  EXPECT_FALSE(verify(g, h, parameters).similar);
  // And 400 wide: 80 words are, 79 are not.
  const auto [i, k] = pair_of(80, 100, 0);
  EXPECT_TRUE(verify(i, k, parameters).similar);
  const auto [l, m] = pair_of(79, 100, 0);
  EXPECT_FALSE(verify(l, m, parameters).similar);
}

TEST(VerificationTest, PagesOfOneSiteNeedMore) {
  const auto [a, b] = pair_of(90, 5, 5, kHere);
  const Verification near = verify(a, b);
  EXPECT_TRUE(near.similar);
  EXPECT_EQ(near.rule, Rule::kSameSite);
  const auto [c, d] = pair_of(89, 5, 6, kHere);
  EXPECT_FALSE(verify(c, d).similar);
  const auto [e, f] = pair_of(89, 5, 6);
  EXPECT_TRUE(verify(e, f).similar);
  // No site is not one site.
  EXPECT_TRUE(verify(one_block(joined(words(0, 60), words(100, 20)), ""),
                     one_block(joined(words(0, 60), words(200, 20)), ""))
                  .similar);
}

TEST(VerificationTest, WhatAYoungSiteKeepsApartMayBeCopies) {
  const auto [a, b] = pair_of(60, 20, 20, kHere);  // .6
  const Verification apart = verify(a, b);
  EXPECT_FALSE(apart.similar);
  EXPECT_TRUE(apart.undecided);
  EXPECT_NEAR(apart.resemblance, 0.6, 1e-9);
  const auto [c, d] = pair_of(60, 20, 21, kHere);
  EXPECT_FALSE(verify(c, d).undecided);
  const auto [e, f] = pair_of(90, 5, 5, kHere);
  EXPECT_FALSE(verify(e, f).undecided) << "joined";
  const auto [g, h] = pair_of(60, 20, 20);
  EXPECT_FALSE(verify(g, h).undecided) << "two sites";
  // Short pages alike.
  EXPECT_TRUE(verify(one_block(words(0, 20), kHere), one_block(joined(words(0, 20), words(500, 1)), kHere))
                  .undecided);
}

TEST(VerificationTest, OnAKnownSiteTheOrdinaryRulesHold) {
  const auto [a, b] = pair_of(60, 20, 20, kHere);
  EXPECT_FALSE(verify(a, b).similar);
  BoilerplateMarks marks;
  marks.known_site = true;
  const Verification known = verify(a, b, shared_text_rules(), marks);
  EXPECT_TRUE(known.similar);
  EXPECT_EQ(known.rule, Rule::kResemblance);
}

TEST(VerificationTest, BoilerplateCountsNothing) {
  FeatureSample a;
  a.blocks = {{words(0, 60)}, {words(1000, 60)}};
  a.site = kHere;
  FeatureSample b = a;
  b.blocks[1].words = words(2000, 60);
  b.site = kElsewhere;
  EXPECT_TRUE(verify(a.features(), b.features()).similar);
  const std::vector<uint8_t> boilerplate = {1, 0};
  BoilerplateMarks marks;
  marks.representative = boilerplate;
  marks.page = boilerplate;
  const Verification without = verify(a.features(), b.features(), shared_text_rules(), marks);
  EXPECT_FALSE(without.similar);
  EXPECT_NEAR(without.resemblance, 0, 1e-9);
}

TEST(VerificationTest, ShortPagesOfTwoSites) {
  const auto [a, b] = pair_of(27, 0, 0);  // 135 wide, and equal
  EXPECT_EQ(verify(a, b).rule, Rule::kExact);
  // 19 of 20 words: resemblance .95.
  const Features base = one_block(words(0, 19), kHere);
  const Verification near = verify(base, one_block(joined(words(0, 19), words(500, 1)), kElsewhere));
  EXPECT_TRUE(near.similar);
  EXPECT_EQ(near.rule, Rule::kShort);
  EXPECT_NEAR(near.resemblance, 19.0 / 20, 1e-9);
  EXPECT_FALSE(verify(base, one_block(joined(words(0, 19), words(500, 2)), kElsewhere)).similar);
  // A page without main content whose tables have much in common need not be nearly equal.
  FeatureSample table;
  table.blocks = {{joined(words(0, 65), words(1000, 18)), 10}};
  table.site = kHere;
  FeatureSample other;
  other.blocks = {{joined(words(0, 65), words(2000, 17)), 10}};
  other.site = kElsewhere;
  EXPECT_EQ(verify(table.features(), other.features()).rule, Rule::kShort);  // 65 / 100
  other.blocks[0].words = joined(words(0, 65), words(2000, 18));
  EXPECT_FALSE(verify(table.features(), other.features()).similar);
}

TEST(VerificationTest, ShortPagesOfOneSite) {
  const Features base = one_block(words(0, 20), kHere);
  const Features near = one_block(joined(words(0, 20), words(500, 1)), kHere);
  // While its boilerplate is not known, all they share may be it.
  EXPECT_FALSE(verify(base, near).similar);
  BoilerplateMarks marks;
  marks.known_site = true;
  EXPECT_EQ(verify(base, near, shared_text_rules(), marks).rule, Rule::kShort);
  // Exchanged is less than added.
  EXPECT_FALSE(verify(base, one_block(joined(words(0, 19), words(500, 1)), kHere), shared_text_rules(), marks)
                   .similar);
  const Features extended = one_block(joined(words(0, 20), words(500, 2)), kHere);
  EXPECT_EQ(verify(base, extended, shared_text_rules(), marks).rule, Rule::kShort);
  EXPECT_EQ(verify(extended, base, shared_text_rules(), marks).rule, Rule::kShort);
  EXPECT_FALSE(verify(base, extended).similar) << "its boilerplate is not known";
  EXPECT_FALSE(
      verify(base, one_block(joined(words(0, 20), words(500, 11)), kHere), shared_text_rules(), marks)
          .similar);
  Parameters as_before = shared_text_rules();
  as_before.decision.short_edition_containment = 1;
  EXPECT_FALSE(verify(base, extended, as_before, marks).similar);
}

// Blocks: the site's boilerplate, words that many of its pages have, words of the page's own.
TEST(VerificationTest, TinyPagesMustBeTheSameInAllThatIsNotEverywhere) {
  const auto page = [](uint32_t boilerplate, std::vector<uint32_t> common, std::vector<uint32_t> own,
                       const char* site) {
    FeatureSample sample;
    // One word of the boilerplate is the site's own.
    sample.blocks = {{joined(words(boilerplate, 1), words(boilerplate < 6000 ? 6000 : 7000, 40)), 0},
                     {std::move(common), 0},
                     {std::move(own), 0}};
    sample.site = site;
    return sample.features();
  };
  const std::vector<uint8_t> marked = {kEverywhere, kBoilerplate, kOwnText};
  BoilerplateMarks marks;
  marks.representative = marks.page = marked;
  const Features base = page(5000, words(0, 12), {}, kHere);
  // One word of the boilerplate is another one: two releases of a manual.
  const Features same = page(5001, words(0, 12), {}, kElsewhere);
  const Verification tiny = verify(base, same, shared_text_rules(), marks);
  EXPECT_TRUE(tiny.similar);
  EXPECT_EQ(tiny.rule, Rule::kTiny);
  EXPECT_NEAR(tiny.matched_width, 60, 1e-9);
  EXPECT_NEAR(tiny.resemblance, 1, 1e-9);
  // Another word, or a few of the page's own, and it is another page.
  EXPECT_FALSE(verify(base, page(5001, joined(words(0, 11), words(700, 1)), {}, kElsewhere),
                      shared_text_rules(), marks)
                   .similar);
  EXPECT_FALSE(
      verify(base, page(5001, words(0, 12), words(900, 4), kElsewhere), shared_text_rules(), marks).similar);
  // Other boilerplate: what is common to many pages of one site says nothing of another.
  EXPECT_FALSE(verify(base, page(8000, words(0, 12), {}, kElsewhere), shared_text_rules(), marks).similar);
  // On one site only once its boilerplate is known.
  const Features sibling = page(5000, words(0, 12), words(900, 1), kHere);
  EXPECT_FALSE(verify(base, sibling, shared_text_rules(), marks).similar);
  marks.known_site = true;
  EXPECT_FALSE(
      verify(base, page(5000, words(0, 12), words(900, 2), kHere), shared_text_rules(), marks).similar);
  // A long list that many pages have is no tiny page's own text: a word of difference is enough, whatever r
  // says.
  const Features list = page(5000, words(0, 400), words(900, 4), kHere);
  EXPECT_FALSE(
      verify(list, page(5000, words(0, 400), words(800, 4), kHere), shared_text_rules(), marks).similar);
}

TEST(VerificationTest, BoilerplateOfOneSideIsTheOthersToo) {
  FeatureSample a;
  a.blocks = {{words(0, 100)}, {words(1000, 100)}};
  a.site = kHere;
  FeatureSample b = a;
  b.site = kElsewhere;
  b.blocks[0].words = joined(words(0, 100), words(3000, 1));
  const std::vector<uint8_t> boilerplate = {kOwnText, kBoilerplate};
  BoilerplateMarks marks;
  marks.representative = boilerplate;
  const Verification out = verify(a.features(), b.features(), shared_text_rules(), marks);
  EXPECT_NEAR(out.resemblance, 100.0 / 101, 1e-9);
  EXPECT_NEAR(out.matched_width, 500, 1e-9);
}

TEST(VerificationTest, ShortPagesCountAllTheirTextWhateverItWeighs) {
  const Features a = one_block(joined(words(0, 57), words(100, 3)), kHere, 10);
  const Features b = one_block(joined(words(0, 57), words(200, 3)), kElsewhere, 0);
  const Verification near = verify(a, b);
  EXPECT_EQ(near.rule, Rule::kShort);
  EXPECT_NEAR(near.resemblance, 57.0 / 63, 1e-9);
}

TEST(VerificationTest, WithinASiteTextCountsByWeight) {
  FeatureSample a;
  a.blocks = {{words(0, 100), 0}, {words(1000, 40)}};
  a.site = kHere;
  FeatureSample b = a;
  b.blocks[1].words = words(2000, 40);
  EXPECT_NEAR(verify(a.features(), b.features()).resemblance, 0, 1e-9);
  // Another site has the boilerplate's text: it counts in full.
  b.site = kElsewhere;
  EXPECT_NEAR(verify(a.features(), b.features()).resemblance, 100.0 / 180, 1e-9);
}

TEST(VerificationTest, WhatIsAllBoilerplateResemblesNothing) {
  FeatureSample a;
  a.blocks = {{words(0, 60), 255, 1}};
  a.site = kHere;
  FeatureSample b;
  b.blocks = {{joined(words(0, 60), words(100, 1)), 255}};
  b.site = kElsewhere;
  for (const auto& [x, y] : {std::pair{a, b}, std::pair{b, a}}) {
    const Verification out = verify(x.features(), y.features());
    EXPECT_FALSE(out.similar);
    EXPECT_EQ(out.resemblance, 0);
    EXPECT_EQ(out.page_coverage, 0);
    EXPECT_EQ(out.matched_coverage, 0);
  }
}

TEST(VerificationTest, EmptyPagesAreNoDuplicates) {
  const Features empty = one_block({}, kHere);
  EXPECT_FALSE(verify(empty, one_block({}, kElsewhere)).similar);
  EXPECT_FALSE(verify(empty, one_block(words(0, 100), kElsewhere)).similar);
  EXPECT_FALSE(verify(one_block(words(0, 100), kElsewhere), empty).similar);
}

TEST(VerificationTest, RatiosAreThoseOfTheirSides) {
  const auto [a, b] = pair_of(60, 40, 90);
  const Verification out = verify(a, b);
  EXPECT_NEAR(out.resemblance, 60.0 / 190, 1e-9);
  EXPECT_NEAR(out.matched_coverage, 0.6, 1e-9);
  EXPECT_NEAR(out.page_coverage, 0.4, 1e-9);
  EXPECT_NEAR(out.containment, 0.6, 1e-9);
}

TEST(VerificationTest, HopelessPairsEndWithTheSketch) {
  const Verification out = verify(one_block(words(0, 200), kHere), one_block(words(5000, 200), kElsewhere));
  EXPECT_TRUE(out.by_sketch);
  EXPECT_FALSE(out.similar);
}

TEST(VerificationTest, TheWorkLimitIsTold) {
  Parameters parameters = shared_text_rules();
  parameters.comparison.work_limit = 1000;
  std::vector<uint32_t> a, b;
  std::mt19937_64 random(5);
  for (int i = 0; i < 4000; ++i) {
    a.push_back(static_cast<uint32_t>(random() % 5));
    b.push_back(static_cast<uint32_t>(random() % 5));
  }
  EXPECT_TRUE(verify(one_block(a, kHere), one_block(b, kElsewhere), parameters).limited);
  EXPECT_FALSE(verify(one_block(a, kHere), one_block(b, kElsewhere)).limited);
}

TEST(VerificationTest, AVerifierKeepsNothingOfEarlierPairs) {
  Verifier reused{18};
  std::mt19937_64 random(6);
  for (int round = 0; round < 50; ++round) {
    const auto random_page = [&](const char* site) {
      FeatureSample sample;
      for (uint64_t block = random() % 4; block > 0; --block)
        sample.blocks.push_back(
            {words(static_cast<uint32_t>(random() % 50), static_cast<uint32_t>(random() % 80)),
             static_cast<uint8_t>(random()), static_cast<uint8_t>(random() % 8 == 0)});
      sample.site = site;
      return sample.features();
    };
    const Features a = random_page(kHere);
    const Features b = random_page(random() % 2 ? kHere : kElsewhere);
    const Verification again = reused.verify(a, b, {}, shared_text_rules());
    const Verification fresh = verify(a, b);
    EXPECT_EQ(again.similar, fresh.similar);
    EXPECT_EQ(again.rule, fresh.rule);
    EXPECT_EQ(again.resemblance, fresh.resemblance);
    EXPECT_EQ(again.containment, fresh.containment);
    for (double ratio : {fresh.resemblance, fresh.containment, fresh.page_coverage, fresh.matched_coverage}) {
      EXPECT_GE(ratio, 0);
      EXPECT_LE(ratio, 1);
    }
  }
}

// They may share no more than their beginning.
TEST(VerificationTest, TruncatedPagesMustBeNearlyEqual) {
  const auto cut = [](const Features& page) {
    FeatureHeader header = page.header();
    header.flags |= kFeatureTruncated;
    return Features::build(
        header,
        {page.blocks(), page.keys(), page.spots(), {}, {}, page.symbols(), {}, page.url(), page.site(), {}});
  };
  const auto [a, b] = pair_of(100, 0, 100);  // all of a is the beginning of b
  EXPECT_TRUE(verify(a, b).similar);
  EXPECT_FALSE(verify(cut(a), b).similar);
  EXPECT_FALSE(verify(a, cut(b)).similar);
  const auto [c, d] = pair_of(100, 0, 11);  // .901
  EXPECT_EQ(verify(cut(c), d).rule, Rule::kResemblance);
  // Equal as far as one of them is known: not exact. Two beginnings are not evidence at all.
  const Features copy = one_block(words(0, 100), kElsewhere);
  const Verification equal = verify(cut(a), copy);
  EXPECT_TRUE(equal.similar);
  EXPECT_EQ(equal.rule, Rule::kResemblance);
  EXPECT_NEAR(equal.resemblance, 1, 1e-9);
  EXPECT_FALSE(verify(cut(a), cut(copy)).similar);
  EXPECT_NEAR(verify(cut(a), cut(copy)).resemblance, 1, 1e-9) << "reported, and nothing concluded";
  EXPECT_EQ(verify(cut(a), cut(copy)).refusal, Refusal::kTruncated);
  EXPECT_EQ(verify(cut(a), cut(copy)).threshold.option, "") << "none decided";
  EXPECT_FALSE(verify(cut(a), cut(copy)).undecided);
  EXPECT_TRUE(verify(cut(a), cut(a)).undecided) << "on one site they may be copies";
  // The reported differences are those of this pair, not of an earlier one.
  Verifier verifier{17};
  verifier.verify(one_block(words(0, 5000), kHere), one_block(words(0, 4999), kElsewhere), {},
                  shared_text_rules());
  verifier.verify(cut(a), cut(copy), {}, shared_text_rules());
  ASSERT_EQ(verifier.matches().size(), 1U);
  EXPECT_EQ(verifier.matches()[0].count, 100U);
  // Short ones alike.
  FeatureSample table;
  table.blocks = {{joined(words(0, 65), words(1000, 18)), 10}};
  table.site = kHere;
  FeatureSample other;
  other.blocks = {{joined(words(0, 65), words(2000, 17)), 10}};
  other.site = kElsewhere;
  EXPECT_TRUE(verify(table.features(), other.features()).similar);
  other.site = kHere;
  EXPECT_EQ(verify(table.features(), other.features()).refusal, Refusal::kShortYoungSite);
  other.site = kElsewhere;
  EXPECT_FALSE(verify(cut(table.features()), other.features()).similar);
}

// A text that a limit has cut is long; its beginning says much, but not all.
TEST(VerificationTest, TextThatALimitHasCutIsNeverExact) {
  FeatureHeader header = one_block(words(0, 100), kHere).header();
  header.flags |= kFeatureLimited;
  const Features here = one_block(words(0, 100), kHere);
  const Features limited = Features::build(
      header, {here.blocks(), here.keys(), here.spots(), {}, {}, here.symbols(), {}, {}, kElsewhere, {}});
  EXPECT_EQ(verify(limited, here).rule, Rule::kResemblance);
  EXPECT_EQ(verify(limited, limited).rule, Rule::kSameSite);
}

TEST(ContainmentFlagsTest, TellWhichSideHoldsMore) {
  const DecisionParameters decision;
  Verification verification;
  const auto flags = [&](double page, double matched) {
    verification.page_coverage = page;
    verification.matched_coverage = matched;
    return containment_flags(verification, decision);
  };
  EXPECT_EQ(flags(1, 1), 0U);
  EXPECT_EQ(flags(0.5, 0.5), 0U);
  EXPECT_EQ(flags(0.79, 0.8), uint32_t{kContains});
  EXPECT_EQ(flags(0.8, 0.79), uint32_t{kContained});
  EXPECT_EQ(flags(0.8, 0.8), 0U);
}

TEST(RuleNameTest, EveryRuleHasOne) {
  EXPECT_EQ(rule_name(Rule::kNone), "none");
  EXPECT_EQ(rule_name(Rule::kExact), "exact");
  EXPECT_EQ(rule_name(Rule::kResemblance), "resemblance");
  EXPECT_EQ(rule_name(Rule::kContainment), "containment");
  EXPECT_EQ(rule_name(Rule::kSameSite), "same site");
  EXPECT_EQ(rule_name(Rule::kShort), "short");
  EXPECT_EQ(rule_name(Rule::kTiny), "tiny");
}

}  // namespace
}  // namespace nd::engine
