// Differences count as well as what is shared: docs/decision.md, "What differs".
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/verification.hpp"
#include "unit/engine/feature_sample.hpp"
#include "unit/engine/shared_text_rules.hpp"

namespace nd::engine {
namespace {

constexpr const char* kHere = "a.example";
constexpr const char* kElsewhere = "b.example";

Verification verify(const Features& representative, const Features& page, const Parameters& parameters = {},
                    const BoilerplateMarks& marks = {}) {
  Verifier verifier{17};
  return verifier.verify(representative, page, marks, parameters);
}

// `hunks` times `run` shared words; between them one word of the page's own, the same each time or another.
std::vector<uint32_t> template_of(uint32_t hunks, uint32_t run, uint32_t subject, bool repeats) {
  std::vector<uint32_t> out;
  for (uint32_t i = 0; i < hunks; ++i) {
    out = joined(std::move(out), words(i * run, run));
    out.push_back(subject + (repeats ? 0 : i));
  }
  return joined(std::move(out), words(hunks * run, run));
}

std::pair<Features, Features> pair_of(uint32_t shared, uint32_t own_a, uint32_t own_b,
                                      const char* site_b = kElsewhere) {
  return {one_block(joined(words(0, shared), words(10000, own_a)), kHere),
          one_block(joined(words(0, shared), words(20000, own_b)), site_b)};
}

TEST(DecisionRulesTest, AnExchangedSubjectIsAnotherDocument) {
  // Of 21 words 20 are the same, again and again, and one is the subject.
  const Features lamp = one_block(template_of(10, 20, 50000, true), kHere);
  const Features chair = one_block(template_of(10, 20, 60000, true), kElsewhere);
  const Verification siblings = verify(lamp, chair);
  EXPECT_GT(siblings.resemblance, 0.9);
  EXPECT_FALSE(siblings.similar);
  EXPECT_EQ(siblings.evidence.exchanged_words, 10U);
  EXPECT_EQ(siblings.threshold.option, "document_resemblance");
  EXPECT_GT(siblings.threshold.asked, siblings.threshold.found);
  EXPECT_FALSE(siblings.undecided);
  EXPECT_TRUE(verify(lamp, chair, shared_text_rules()).similar);
}

TEST(DecisionRulesTest, WordsChangedHereAndThereAreAnEdit) {
  const Features first = one_block(template_of(10, 20, 50000, false), kHere);
  const Features second = one_block(template_of(10, 20, 60000, false), kElsewhere);
  const Verification edited = verify(first, second);
  EXPECT_TRUE(edited.similar);
  EXPECT_EQ(edited.rule, Rule::kResemblance);
  EXPECT_EQ(edited.evidence.exchanged_words, 0U);
  EXPECT_EQ(edited.evidence.substitutions, 10U);
  EXPECT_EQ(edited.surcharge, 0);
}

// One word in two places among 330 that are matched: 6 exchanged words per thousand ask for .12 more.
TEST(DecisionRulesTest, EachExchangedWordRaisesWhatIsAsked) {
  const Features a = one_block(template_of(2, 110, 50000, true), kHere);
  const Features b = one_block(template_of(2, 110, 60000, true), kElsewhere);
  const Verification found = verify(a, b);
  EXPECT_TRUE(found.similar);
  EXPECT_EQ(found.evidence.words_per_thousand(), 6U);
  EXPECT_NEAR(found.surcharge, 0.12, 1e-12);
  Parameters parameters;
  parameters.decision.document_resemblance = 0.5;
  parameters.decision.exchanged_word_weight = 0.9;
  EXPECT_FALSE(verify(a, b, parameters).similar);
}

TEST(DecisionRulesTest, ResemblanceBothSidesOfTheThreshold) {
  const auto [a, b] = pair_of(90, 80, 80);
  const Verification at = verify(a, b);
  EXPECT_TRUE(at.similar);
  EXPECT_NEAR(at.resemblance, 0.36, 1e-9);
  EXPECT_EQ(at.threshold.option, "document_resemblance");
  EXPECT_EQ(at.threshold.asked, 0.36);
  const auto [c, d] = pair_of(90, 81, 81);
  const Verification below = verify(c, d);
  EXPECT_FALSE(below.similar);
  EXPECT_TRUE(below.by_sketch);
}

TEST(DecisionRulesTest, ContainmentBothSidesOfTheThreshold) {
  const auto [a, b] = pair_of(75, 200, 25);
  const Verification at = verify(a, b);
  EXPECT_TRUE(at.similar);
  EXPECT_EQ(at.rule, Rule::kContainment);
  EXPECT_EQ(at.threshold.option, "document_containment");
  const auto [c, d] = pair_of(74, 200, 26);
  EXPECT_FALSE(verify(c, d).similar);
}

Features without_markup(const Features& page) {
  FeatureHeader header = page.header();
  header.flags |= kFeaturePlainText;
  return Features::build(header, {page.blocks(), {}, {}, {}, {}, page.symbols(), {}, {}, page.site(), {}});
}

// In two texts without markup, nothing that they do not share can be boilerplate.
TEST(DecisionRulesTest, MoreIsAskedOfPlainTexts) {
  const auto [a, b] = pair_of(90, 80, 80);
  EXPECT_TRUE(verify(without_markup(a), b).similar) << "one of both has markup";
  const Verification plain = verify(without_markup(a), without_markup(b));
  EXPECT_FALSE(plain.similar);
  EXPECT_EQ(plain.threshold.option, "plain_text_resemblance");
  const auto [c, d] = pair_of(100, 50, 50);
  EXPECT_TRUE(verify(without_markup(c), without_markup(d)).similar);
  const auto [e, f] = pair_of(84, 200, 16);
  EXPECT_TRUE(verify(e, f).similar);
  EXPECT_FALSE(verify(without_markup(e), without_markup(f)).similar);
  // On a site that was just met a passage may replace a longer one.
  const auto text = [](uint32_t article, const char* site) {
    return without_markup(
        one_block(joined(joined(words(0, 200), words(article, 80)), words(300, 100)), site));
  };
  EXPECT_TRUE(verify(text(50000, kHere), text(60000, kHere)).similar);
}

// The sketch rejects by what the rules ask, and these ask less of plain texts than undecided_resemblance.
TEST(DecisionRulesTest, PlainTextsOfAYoungSiteAreComparedDownToTheirThreshold) {
  const auto [a, b] = pair_of(100, 40, 40, kHere);
  const Verification young = verify(without_markup(a), without_markup(b));
  EXPECT_FALSE(young.by_sketch);
  EXPECT_NEAR(young.resemblance, 100.0 / 180, 1e-9);
  EXPECT_TRUE(young.similar);
  EXPECT_EQ(young.threshold.option, "plain_text_resemblance");
}

// On a young site what two pages share may be its template: an edited copy joins, another article does not.
TEST(DecisionRulesTest, APassageInPlaceOfAnotherIsAnotherArticleOnAYoungSite) {
  const auto page = [](uint32_t article, uint32_t width, const char* site) {
    return one_block(joined(joined(words(0, 200), words(article, width)), words(300, 100)), site);
  };
  const Verification articles = verify(page(50000, 60, kHere), page(60000, 60, kHere));
  EXPECT_NEAR(articles.resemblance, 300.0 / 420, 1e-9);
  EXPECT_FALSE(articles.similar);
  EXPECT_TRUE(articles.undecided);
  EXPECT_EQ(articles.threshold.option, "same_site_resemblance");
  const Verification added = verify(page(50000, 0, kHere), page(60000, 60, kHere));
  EXPECT_TRUE(added.similar);
  EXPECT_EQ(added.rule, Rule::kSameSite);
  EXPECT_EQ(added.threshold.option, "young_resemblance");
  // Elsewhere it is resemblance alone.
  EXPECT_TRUE(verify(page(50000, 60, kHere), page(60000, 60, kElsewhere)).similar);
  // 81 words are 405 wide, and less than 12 % of a long page.
  const auto long_page = [](uint32_t article, uint32_t width) {
    return one_block(joined(joined(words(0, 400), words(article, width)), words(500, 400)), kHere);
  };
  EXPECT_TRUE(verify(long_page(50000, 80), long_page(60000, 80)).similar);
  EXPECT_FALSE(verify(long_page(50000, 81), long_page(60000, 81)).similar);
}

TEST(DecisionRulesTest, WhatWasExchangedCountsOnAYoungSiteToo) {
  const Features lamp = one_block(template_of(10, 20, 50000, true), kHere);
  const Features chair = one_block(template_of(10, 20, 60000, true), kHere);
  const Verification siblings = verify(lamp, chair);
  EXPECT_FALSE(siblings.similar);
  EXPECT_FALSE(siblings.undecided) << "siblings may teach the template to each other";
}

// TR2007012: r .28 or c .70 of the page, of all text, whatever its blocks weigh and its site.
TEST(DecisionRulesTest, TheReportsRuleAsksForNothingElse) {
  Parameters report;
  report.decision.decision = static_cast<uint32_t>(DecisionKind::kReport);
  const auto boilerplate = [](uint32_t shared, uint32_t own, uint32_t first) {
    FeatureSample sample;
    sample.blocks = {{words(0, shared), 0}, {words(first, own), 255}};
    sample.site = kHere;
    return sample.features();
  };
  const Verification at = verify(boilerplate(84, 108, 10000), boilerplate(84, 108, 20000), report);
  EXPECT_TRUE(at.similar);
  EXPECT_EQ(at.rule, Rule::kReport);
  EXPECT_EQ(at.threshold.option, "resemblance");
  EXPECT_FALSE(verify(boilerplate(84, 109, 10000), boilerplate(84, 109, 20000), report).similar);
  // A teaser is contained in its article, not the article in the teaser.
  const Features article = one_block(words(0, 300), kHere), teaser = one_block(words(0, 50), kElsewhere);
  const Verification contained = verify(article, teaser, report);
  EXPECT_TRUE(contained.similar);
  EXPECT_EQ(contained.threshold.option, "containment");
  EXPECT_FALSE(verify(teaser, article, report).similar);
}

// Of two groups the page joins the one with its subject, although it shares more text with the other.
TEST(DecisionRulesTest, MeritIsResemblanceLessTheEvidenceAgainst) {
  Verification edition, sibling;
  edition.resemblance = 0.8;
  sibling.resemblance = 0.9;
  sibling.surcharge = 0.2;
  EXPECT_GT(edition.merit(), sibling.merit());
}

TEST(DecisionRulesTest, WhoAsksWhyIsToldWhatIsShared) {
  const auto [a, b] = pair_of(100, 200, 200);
  EXPECT_TRUE(verify(a, b).by_sketch);
  Verifier verifier{17};
  verifier.set_page(b);
  const Verification fully = verifier.verify_fully(a, {}, {});
  EXPECT_FALSE(fully.similar);
  EXPECT_NEAR(fully.threshold.found, 0.2, 1e-9);
  EXPECT_TRUE(verifier.verify(a, {}, {}).by_sketch) << "only for who asks";
}

TEST(DecisionRulesTest, ARefusalNamesItsThreshold) {
  const auto [a, b] = pair_of(19, 1, 1);  // 95 wide, short
  EXPECT_EQ(verify(a, b).threshold.option, "short_same_site_resemblance");
  const auto [c, d] = pair_of(60, 60, 60);
  Verifier verifier{17};
  verifier.set_page(d);
  EXPECT_EQ(verifier.verify_fully(c, {}, {}).threshold.option, "document_resemblance");
  const auto [e, f] = pair_of(59, 30, 31, kHere);
  EXPECT_EQ(verify(e, f).threshold.option, "same_site_resemblance");
}

}  // namespace
}  // namespace nd::engine
