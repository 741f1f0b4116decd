// When two texts are one document: docs/decision.md.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "decision/verification.hpp"
#include "unit/decision/report_parameters.hpp"
#include "unit/page/feature_sample.hpp"

namespace nd::engine {
namespace {

constexpr const char* kHere = "a.example";
constexpr const char* kElsewhere = "b.example";

Verification decided(const Features& representative, const Features& page, const Parameters& parameters = {},
                     const PairCounts& counts = {}) {
  Verifier verifier{17};
  return verifier.verify(representative, page, counts, parameters);
}

FeatureSample page_with(std::vector<BlockSample> blocks, const std::string& site,
                        std::vector<uint32_t> title = {}) {
  FeatureSample sample;
  sample.blocks = std::move(blocks);
  sample.site = site;
  sample.url = "https://" + site + "/";
  sample.title = std::move(title);
  return sample;
}

// An article of 300 words in five paragraphs, of which the third may be another.
std::vector<BlockSample> article_with(uint32_t first, uint32_t third) {
  std::vector<BlockSample> blocks;
  for (uint32_t i = 0; i < 5; ++i)
    blocks.push_back({words(i == 2 ? third : first + i * 60, 60)});
  return blocks;
}

TEST(DecisionRulesTest, AnEditedCopyIsTheSameDocument) {
  const Features original = page_with(article_with(0, 120), kHere, {1, 2, 3}).features();
  const Features edited = page_with(article_with(0, 9000), kElsewhere, {1, 2, 3}).features();
  const Verification found = decided(original, edited);
  EXPECT_TRUE(found.similar);
  EXPECT_EQ(found.rule, Rule::kProbability);
  EXPECT_EQ(found.threshold.option, "same_document");
  EXPECT_EQ(found.threshold.asked, 0.5);
  EXPECT_EQ(found.threshold.found, found.probability);
  EXPECT_EQ(found.merit(), found.probability);
  EXPECT_NEAR(found.resemblance, 240.0 / 360, 1e-9);
}

TEST(DecisionRulesTest, AnotherArticleIsAnotherDocument) {
  const Features article = page_with(article_with(0, 120), kHere, {1, 2, 3}).features();
  std::vector<BlockSample> other = article_with(5000, 5120);
  other[2] = {words(120, 60)};
  const Verification found = decided(article, page_with(other, kElsewhere, {4, 5, 6}).features());
  EXPECT_FALSE(found.similar);
  EXPECT_EQ(found.rule, Rule::kNone);
  EXPECT_LT(found.probability, 0.5);
}

// The same two pages, once nothing is known and once what they share is on each page of the site.
TEST(DecisionRulesTest, WhatIsOnAllPagesOfTheSiteIsNoEvidence) {
  const auto page = [](uint32_t own) {
    return page_with({{words(0, 240)}, {words(own, 20)}}, kHere, {1, 2, 3}).features();
  };
  const Features a = page(5000), b = page(6000);
  EXPECT_TRUE(decided(a, b).similar);
  const std::vector<uint32_t> blocks = {20, 0}, title = {20, 20, 20};
  const SiteCounts known{20, blocks, title};
  const Verification found = decided(a, b, {}, {known, known});
  EXPECT_FALSE(found.similar);
  EXPECT_LT(found.resemblance, 0.2);
}

// As a list has whose entries were sorted anew.
TEST(DecisionRulesTest, LessThanAFifthInOrderIsNoEvidence) {
  std::vector<uint32_t> there = words(0, 100), turned = there;
  std::ranges::reverse(turned);
  Parameters parameters;
  parameters.decision.same_document = 0;
  parameters.comparison.rounds = 1;
  const auto text = [](std::vector<uint32_t> rest, uint32_t common) {
    return one_block(joined(words(500, common), rest));
  };
  Verifier verifier{17};
  const auto fully = [&](uint32_t common) {
    const Features page = text(turned, common);
    verifier.set_page(page);
    return verifier.verify_fully(text(there, common), {}, parameters);
  };
  const Verification little = fully(20);
  EXPECT_FALSE(little.similar);
  EXPECT_LE(little.probability, 0.01);
  EXPECT_TRUE(fully(26).similar);
}

TEST(DecisionRulesTest, TheProbabilityIsHeldAgainstTheThreshold) {
  const Features a = page_with(article_with(0, 120), kHere, {1, 2, 3}).features();
  const Features b = page_with(article_with(0, 9000), kElsewhere, {1, 2, 3}).features();
  Parameters parameters;
  const double probability = decided(a, b).probability;
  parameters.decision.same_document = probability;
  EXPECT_TRUE(decided(a, b, parameters).similar);
  parameters.decision.same_document = std::nextafter(probability, 1);
  const Verification refused = decided(a, b, parameters);
  EXPECT_FALSE(refused.similar);
  EXPECT_EQ(refused.threshold.found, probability);
}

// TR2007012: r .28 or c .70 of the page, of all text, whatever its blocks weigh and its site.
TEST(DecisionRulesTest, TheReportsRuleAsksForNothingElse) {
  const auto boilerplate = [](uint32_t shared, uint32_t own, uint32_t first) {
    return page_with({{words(0, shared), 0}, {words(first, own), 255}}, kHere).features();
  };
  const Verification at =
      decided(boilerplate(84, 108, 10000), boilerplate(84, 108, 20000), report_parameters());
  EXPECT_TRUE(at.similar);
  EXPECT_EQ(at.rule, Rule::kReport);
  EXPECT_EQ(at.threshold.option, "resemblance");
  EXPECT_EQ(at.merit(), at.resemblance);
  EXPECT_FALSE(
      decided(boilerplate(84, 109, 10000), boilerplate(84, 109, 20000), report_parameters()).similar);
  // A teaser is contained in its article, not the article in the teaser.
  const Features article = one_block(words(0, 300), kHere), teaser = one_block(words(0, 50), kElsewhere);
  const Verification contained = decided(article, teaser, report_parameters());
  EXPECT_TRUE(contained.similar);
  EXPECT_EQ(contained.threshold.option, "containment");
  EXPECT_FALSE(decided(teaser, article, report_parameters()).similar);
}

// Of words that all differ the longest common subsequence is what both texts begin with.
TEST(DecisionRulesTest, TheReportsRuleEqualsItsDefinition) {
  std::mt19937 random(4);
  const auto up_to = [&](uint32_t most) { return static_cast<uint32_t>(random() % (most + 1)); };
  for (int round = 0; round < 500; ++round) {
    const uint32_t shared = 30 + up_to(300), own_a = up_to(400), own_b = 1 + up_to(400);
    Parameters parameters = report_parameters();
    parameters.decision.resemblance = up_to(100) / 100.0;
    parameters.decision.containment = up_to(100) / 100.0;
    const Verification found =
        decided(one_block(joined(words(0, shared), words(10000, own_a)), kHere),
                one_block(joined(words(0, shared), words(20000, own_b)), kElsewhere), parameters);
    const double resemblance = double{1} * shared / (shared + own_a + own_b);
    const double containment = double{1} * shared / (shared + own_b);
    ASSERT_EQ(found.similar, resemblance >= parameters.decision.resemblance ||
                                 containment >= parameters.decision.containment)
        << resemblance << " " << containment;
    ASSERT_EQ(found.rule, found.similar ? Rule::kReport : Rule::kNone);
    if (found.by_sketch) continue;
    ASSERT_NEAR(found.resemblance, resemblance, 1e-9);
    ASSERT_NEAR(found.page_coverage, containment, 1e-9);
    ASSERT_EQ(found.probability, 0);
  }
}

}  // namespace
}  // namespace nd::engine
