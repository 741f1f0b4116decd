// The regression against the plain formula, and that more in common never makes a pair less likely.
#include "decision/decision_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace nd::engine {
namespace {

using Model = DecisionModel;

PairEvidence random_evidence(std::mt19937_64& random) {
  std::uniform_real_distribution<double> share(0, 1);
  PairEvidence out;
  for (double& value : out.values)
    value = share(random);
  out[Evidence::kNumbers] *= 30;
  out[Evidence::kWords] *= 30;
  out[Evidence::kLargerRest] *= 12;
  for (const Evidence yes_or_no : {Evidence::kPlainText, Evidence::kSameHost})
    out[yes_or_no] = std::round(out[yes_or_no]);
  return out;
}

double plainly_shaped(double value, Shape shape) {
  if (shape == Shape::kPlain) return value;
  const double share = std::min(1.0, std::max(0.0, value));
  return std::log((share + 0.03) / (1.03 - share));
}

double plain_probability(const PairEvidence& evidence, const Model& model) {
  double sum = model.constant;
  for (size_t i = 0; i < kDecisionTerms.size(); ++i) {
    const DecisionTerm& term = kDecisionTerms[i];
    double value = plainly_shaped(evidence[term.evidence], term.shape);
    if (term.times != Evidence::kCount) value *= plainly_shaped(evidence[term.times], term.times_shape);
    sum += model.coefficients[i] * value;
  }
  return 1 / (1 + std::exp(-sum));
}

// The model of one addend.
Model model_of(size_t term, double coefficient) {
  Model model{};
  model.coefficients[term] = coefficient;
  return model;
}

TEST(DecisionModel, UsesEachMeasurement) {
  EXPECT_EQ(kEvidenceNames.size(), kEvidenceCount);
  EXPECT_EQ(kDecisionModel.coefficients.size(), kDecisionTerms.size());
  for (size_t i = 0; i < kEvidenceCount; ++i) {
    const auto uses = [&](const DecisionTerm& term) {
      return term.evidence == static_cast<Evidence>(i) || term.times == static_cast<Evidence>(i);
    };
    EXPECT_TRUE(std::ranges::any_of(kDecisionTerms, uses)) << kEvidenceNames[i];
    EXPECT_FALSE(kEvidenceNames[i].empty());
  }
  for (const double coefficient : kDecisionModel.coefficients)
    EXPECT_TRUE(std::isfinite(coefficient) && coefficient != 0);
}

TEST(DecisionModel, TermsAreTheMeasurementsAndTheirProducts) {
  PairEvidence evidence;
  evidence[Evidence::kResemblance] = 1;
  evidence[Evidence::kOwnResemblance] = 0.5;
  evidence[Evidence::kOwnContainment] = 0;
  evidence[Evidence::kTitle] = 0.25;
  evidence[Evidence::kLength] = 0.5;
  evidence[Evidence::kNumbers] = 7;
  evidence[Evidence::kPlainText] = 1;
  const auto terms = decision_terms(evidence);
  EXPECT_NEAR(terms[0], 0, 1e-12) << "half is in the middle";
  EXPECT_NEAR(terms[1], -std::log(1.03 / 0.03), 1e-9);
  EXPECT_EQ(terms[3], 7);
  EXPECT_EQ(terms[6], 0.5);
  EXPECT_EQ(terms[7], 0.125) << "length and title";
  EXPECT_NEAR(terms[9], std::log(1.03 / 0.03) / 2, 1e-9) << "length and resemblance";
  EXPECT_EQ(terms[13], 7) << "of a plain text";
  evidence[Evidence::kPlainText] = 0;
  EXPECT_EQ(decision_terms(evidence)[13], 0);
}

TEST(DecisionModel, EqualsThePlainFormula) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> any(0, 0.5);
  for (int round = 0; round < 2000; ++round) {
    const PairEvidence evidence = random_evidence(random);
    ASSERT_NEAR(same_document_probability(evidence, kDecisionModel),
                plain_probability(evidence, kDecisionModel), 1e-9);
    Model model{any(random), {}};
    for (double& coefficient : model.coefficients)
      coefficient = any(random) / 4;
    ASSERT_NEAR(same_document_probability(evidence, model), plain_probability(evidence, model), 1e-9);
  }
}

TEST(DecisionModel, NothingKnownIsTheConstant) {
  EXPECT_EQ(same_document_probability({}, Model{}), 0.5);
  for (size_t term = 3; term < kDecisionTerms.size(); ++term)
    EXPECT_EQ(same_document_probability({}, model_of(term, 5)), 0.5) << term;
  Model model{};
  model.constant = std::log(3.0);
  EXPECT_NEAR(same_document_probability({}, model), 0.75, 1e-9);
}

TEST(DecisionModel, AProbabilityIsFrom0To1) {
  std::mt19937_64 random(2);
  for (const double extreme : {-1e9, -1.0, 0.0, 1.0, 1e9, std::numeric_limits<double>::max() / 1e3}) {
    for (size_t term = 0; term < kDecisionTerms.size(); ++term) {
      for (int round = 0; round < 10; ++round) {
        PairEvidence evidence = random_evidence(random);
        evidence[kDecisionTerms[term].evidence] = extreme;
        for (const Model& model : {kDecisionModel, model_of(term, 100), model_of(term, -100)}) {
          const double p = same_document_probability(evidence, model);
          ASSERT_GE(p, 0);
          ASSERT_LE(p, 1);
        }
      }
    }
  }
  Model model{};
  model.constant = 1e6;
  EXPECT_GT(same_document_probability({}, model), 1 - 1e-12);
  model.constant = -1e6;
  EXPECT_LT(same_document_probability({}, model), 1e-12);
  EXPECT_GT(same_document_probability({}, model), 0);
}

// The learned model, as far as its terms agree on a direction.
TEST(DecisionModel, MoreInCommonIsLikelierTheSameDocument) {
  std::mt19937_64 random(3);
  const auto falls_or_rises = [&](Evidence which, double most, double direction) {
    for (int round = 0; round < 200; ++round) {
      PairEvidence evidence = random_evidence(random);
      double before = -2;
      for (int step = 0; step <= 50; ++step) {
        evidence[which] = most * step / 50;
        const double p = direction * same_document_probability(evidence, kDecisionModel);
        ASSERT_GE(p, before) << kEvidenceNames[static_cast<size_t>(which)];
        before = p;
      }
    }
  };
  falls_or_rises(Evidence::kOwnResemblance, 1, 1);
  falls_or_rises(Evidence::kOwnContainment, 1, 1);
  falls_or_rises(Evidence::kOwnBag, 1, 1);
  falls_or_rises(Evidence::kHeadings, 1, 1);
  falls_or_rises(Evidence::kName, 1, 1);
  falls_or_rises(Evidence::kNumbers, 30, -1);
  falls_or_rises(Evidence::kWords, 30, -1);
  falls_or_rises(Evidence::kLargerRest, 12, -1);
  falls_or_rises(Evidence::kKeptBlocks, 1, 1);
}

}  // namespace
}  // namespace nd::engine
