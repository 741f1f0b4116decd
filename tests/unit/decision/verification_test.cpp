// The comparison of a pair: when texts are equal, what ratios mean, and when a hopeless pair ends early.
#include "decision/verification.hpp"

#include <gtest/gtest.h>

#include "decision/answer.hpp"
#include "unit/decision/report_parameters.hpp"
#include "unit/page/feature_sample.hpp"

namespace nd::engine {
namespace {

constexpr const char* kHere = "a.example";
constexpr const char* kElsewhere = "b.example";

Verification verify(const Features& representative, const Features& page, const Parameters& parameters = {},
                    const PairCounts& counts = {}) {
  Verifier verifier{17};
  return verifier.verify(representative, page, counts, parameters);
}

// `shared` words in common, then `own` words of each page's own.
std::pair<Features, Features> pair_of(uint32_t shared, uint32_t own_a, uint32_t own_b) {
  return {one_block(joined(words(0, shared), words(10000, own_a)), kHere),
          one_block(joined(words(0, shared), words(20000, own_b)), kElsewhere)};
}

Features with_flags(const Features& page, uint32_t flags) {
  FeatureHeader header = page.header();
  header.flags |= flags;
  return Features::build(
      header,
      {page.blocks(), page.keys(), page.spots(), {}, {}, page.symbols(), {}, page.url(), page.site(), {}});
}

TEST(VerificationTest, EqualTextIsExactFromTheLeastWidthOn) {
  const Verification exact = verify(one_block(words(0, 8), kHere), one_block(words(0, 8), kHere));
  EXPECT_TRUE(exact.similar);
  EXPECT_EQ(exact.rule, Rule::kExact);
  EXPECT_EQ(exact.resemblance, 1);
  EXPECT_EQ(exact.containment, 1);
  EXPECT_EQ(exact.page_coverage, 1);
  EXPECT_EQ(exact.matched_coverage, 1);
  EXPECT_EQ(exact.probability, 1);
  EXPECT_EQ(exact.matched_width, 40);
  const Features narrow = one_block(words(0, 7), kHere);
  EXPECT_NE(verify(narrow, narrow).rule, Rule::kExact) << "35 wide";
  const Features text = with_flags(narrow, kFeaturePlainText);
  EXPECT_EQ(verify(text, text).rule, Rule::kExact) << "no script fills a text";
}

TEST(VerificationTest, ExactNeedsEqualSymbolsNotEqualDigestsOnly) {
  const Features a = one_block(words(0, 20), kHere);
  const std::vector<Symbol> others(20, make_symbol(12345U << 8, kWordWidth));
  const Features forged =
      Features::build(a.header(), {a.blocks(), {}, {}, {}, {}, others, {}, {}, kElsewhere, {}});
  ASSERT_EQ(forged.digest(), a.digest());
  EXPECT_FALSE(verify(a, forged).similar);
}

TEST(VerificationTest, ExactNeedsEqualTitlesIfTheyCount) {
  FeatureSample sample;
  sample.blocks = {{words(0, 100)}};
  sample.title = {1, 2, 3};
  const Features a = sample.features();
  sample.title = {1, 2, 4};
  const Features b = sample.features();
  const Verification near = verify(a, b);
  EXPECT_EQ(near.rule, Rule::kProbability);
  EXPECT_LT(near.probability, 1);
  EXPECT_EQ(near.resemblance, 1);
  EXPECT_EQ(verify(a, b, report_parameters()).rule, verify(a, a, report_parameters()).rule) << "titles aside";
}

TEST(VerificationTest, EmptyPagesAreNoDuplicates) {
  const Features empty = one_block({}, kHere);
  for (const Parameters& parameters : {Parameters{}, report_parameters()}) {
    EXPECT_FALSE(verify(empty, one_block({}, kElsewhere), parameters).similar);
    EXPECT_FALSE(verify(empty, one_block(words(0, 100), kElsewhere), parameters).similar);
    EXPECT_FALSE(verify(one_block(words(0, 100), kElsewhere), empty, parameters).similar);
  }
}

TEST(VerificationTest, RatiosAreThoseOfTheirSides) {
  const auto [a, b] = pair_of(60, 40, 90);
  for (const Parameters& parameters : {Parameters{}, report_parameters()}) {
    const Verification out = verify(a, b, parameters);
    EXPECT_NEAR(out.resemblance, 60.0 / 190, 1e-9);
    EXPECT_NEAR(out.matched_coverage, 0.6, 1e-9);
    EXPECT_NEAR(out.page_coverage, 0.4, 1e-9);
    EXPECT_NEAR(out.containment, 0.6, 1e-9);
    EXPECT_NEAR(out.matched_width, 300, 1e-9);
  }
}

TEST(VerificationTest, HopelessPairsEndWithTheSketchUnlessOneAsksWhy) {
  const auto [a, b] = pair_of(40, 400, 400);
  for (const Parameters& parameters : {Parameters{}, report_parameters()}) {
    Verifier verifier{17};
    verifier.set_page(b);
    EXPECT_TRUE(verifier.verify(a, {}, parameters).by_sketch);
    const Verification fully = verifier.verify_fully(a, {}, parameters);
    EXPECT_FALSE(fully.by_sketch);
    EXPECT_FALSE(fully.similar);
    EXPECT_NEAR(fully.resemblance, 40.0 / 840, 1e-9);
    EXPECT_TRUE(verifier.verify(a, {}, parameters).by_sketch) << "only for who asks";
  }
}

TEST(VerificationTest, TheWorkLimitIsTold) {
  Parameters parameters;
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
  for (int round = 0; round < 100; ++round) {
    std::vector<uint32_t> counts_a, counts_b;
    const auto random_page = [&](const char* site, std::vector<uint32_t>& counts) {
      FeatureSample sample;
      for (uint64_t block = random() % 4; block > 0; --block) {
        sample.blocks.push_back(
            {words(static_cast<uint32_t>(random() % 50), static_cast<uint32_t>(random() % 80)),
             static_cast<uint8_t>(random()), static_cast<uint8_t>(random() % 8 == 0)});
        counts.push_back(static_cast<uint32_t>(random() % 10));
      }
      sample.site = site;
      return sample.features();
    };
    const Features a = random_page(kHere, counts_a);
    const Features b = random_page(random() % 2 ? kHere : kElsewhere, counts_b);
    const PairCounts counts{{9, counts_a, {}}, {9, counts_b, {}}};
    const Parameters parameters = random() % 2 ? Parameters{} : report_parameters();
    const Verification again = reused.verify(a, b, counts, parameters);
    const Verification fresh = verify(a, b, parameters, counts);
    EXPECT_EQ(again.similar, fresh.similar);
    EXPECT_EQ(again.rule, fresh.rule);
    EXPECT_EQ(again.probability, fresh.probability);
    EXPECT_EQ(again.resemblance, fresh.resemblance);
    EXPECT_EQ(again.containment, fresh.containment);
    for (double ratio : {fresh.resemblance, fresh.containment, fresh.page_coverage, fresh.matched_coverage,
                         fresh.probability}) {
      EXPECT_GE(ratio, 0);
      EXPECT_LE(ratio, 1);
    }
  }
}

TEST(VerificationTest, TwoTruncatedPagesAreNoEvidence) {
  const Features page = one_block(words(0, 100), kHere), copy = one_block(words(0, 100), kElsewhere);
  const auto cut = [](const Features& whole) { return with_flags(whole, kFeatureTruncated); };
  for (const Parameters& parameters : {Parameters{}, report_parameters()}) {
    const Verification equal = verify(cut(page), copy, parameters);
    EXPECT_TRUE(equal.similar);
    EXPECT_NE(equal.rule, Rule::kExact) << "as far as one of them is known";
    EXPECT_NEAR(equal.resemblance, 1, 1e-9);
    const Verification beginnings = verify(cut(page), cut(copy), parameters);
    EXPECT_FALSE(beginnings.similar);
    EXPECT_EQ(beginnings.rule, Rule::kNone);
    EXPECT_EQ(beginnings.probability, 0);
    EXPECT_NEAR(beginnings.resemblance, 1, 1e-9) << "reported, and nothing concluded";
    EXPECT_EQ(beginnings.refusal, Refusal::kTruncated);
    EXPECT_EQ(beginnings.threshold.option, "") << "none decided";
    // The reported differences are those of this pair, not of an earlier one.
    Verifier verifier{17};
    verifier.verify(one_block(words(0, 5000), kHere), one_block(words(0, 4999), kElsewhere), {}, parameters);
    verifier.verify(cut(page), cut(copy), {}, parameters);
    ASSERT_EQ(verifier.matches().size(), 1U);
    EXPECT_EQ(verifier.matches()[0].count, 100U);
  }
}

// A text that a limit has cut is long; its beginning says much, but not all.
TEST(VerificationTest, TextThatALimitHasCutIsNeverExact) {
  const Features whole = one_block(words(0, 100), kHere);
  const Features limited = with_flags(whole, kFeatureLimited);
  EXPECT_EQ(verify(limited, whole).rule, Rule::kProbability);
  EXPECT_EQ(verify(limited, limited).rule, Rule::kProbability);
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

TEST(UncertainFlagTest, LittleTextNeedsAHighProbability) {
  const Features narrow = one_block(words(0, 100), kHere), wide = one_block(words(0, 2000), kHere);
  ASSERT_LT(narrow.header().width, 2000U);
  ASSERT_GE(wide.header().width, 2000U);
  Verification verification;
  verification.similar = true;
  verification.rule = Rule::kProbability;
  verification.page_coverage = verification.matched_coverage = 1;
  const auto is_uncertain = [&](const Features& page, double probability) {
    verification.probability = probability;
    return (answer_of_pair(verification, page, {}).flags & kUncertain) != 0;
  };
  EXPECT_TRUE(is_uncertain(narrow, 0.99));
  EXPECT_FALSE(is_uncertain(narrow, 0.995));
  EXPECT_FALSE(is_uncertain(wide, 0.9));
  EXPECT_FALSE(is_uncertain(narrow, 0)) << "decision=report computes none";
  verification.page_coverage = 0.5;
  EXPECT_FALSE(is_uncertain(narrow, 0.99)) << "a part, which says more";
  verification.similar = false;
  EXPECT_FALSE(is_uncertain(narrow, 0.4)) << "no copy";
}

TEST(RuleNameTest, EveryRuleHasOne) {
  EXPECT_EQ(rule_name(Rule::kNone), "none");
  EXPECT_EQ(rule_name(Rule::kExact), "exact");
  EXPECT_EQ(rule_name(Rule::kProbability), "probability");
  EXPECT_EQ(rule_name(Rule::kReport), "report");
  EXPECT_EQ(rule_name(Rule::kMethod), "method");
}

}  // namespace
}  // namespace nd::engine
