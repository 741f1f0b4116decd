// The probability that two pages are the same document: a logistic regression over what pair_evidence.hpp
// measures. Its coefficients were learned from judged pairs of pages by eval/train-decision
// (decision_model_table.cpp is made by it; docs/decision_model.md).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "decision/pair_evidence.hpp"

namespace nd::engine {

// How a measurement enters the sum.
enum class Shape : uint8_t {
  kPlain,  // as it is
  kLogit,  // a share v as ln((v + .03) / (1.03 − v)), which spreads what is near 0 and near 1
};

// One addend of the sum: a measurement, or its product with another.
struct DecisionTerm {
  Evidence evidence;
  Shape shape = Shape::kPlain;
  Evidence times = Evidence::kCount;  // kCount: nothing
  Shape times_shape = Shape::kPlain;
};

inline constexpr std::array kDecisionTerms = {
    DecisionTerm{Evidence::kOwnResemblance, Shape::kLogit},
    DecisionTerm{Evidence::kOwnContainment, Shape::kLogit},
    DecisionTerm{Evidence::kOwnBag, Shape::kLogit},
    DecisionTerm{Evidence::kNumbers},
    DecisionTerm{Evidence::kWords},
    DecisionTerm{Evidence::kLargerRest},
    // Records that one template makes are short, and their titles and headings are the template's.
    DecisionTerm{Evidence::kLength},
    DecisionTerm{Evidence::kLength, Shape::kPlain, Evidence::kTitle},
    DecisionTerm{Evidence::kLength, Shape::kPlain, Evidence::kHeadings},
    DecisionTerm{Evidence::kLength, Shape::kPlain, Evidence::kResemblance, Shape::kLogit},
    // An edition of a page keeps its name and most of its blocks.
    DecisionTerm{Evidence::kName, Shape::kPlain, Evidence::kKeptBlocks},
    DecisionTerm{Evidence::kPlainText},
    DecisionTerm{Evidence::kPlainText, Shape::kPlain, Evidence::kOwnResemblance, Shape::kLogit},
    DecisionTerm{Evidence::kPlainText, Shape::kPlain, Evidence::kNumbers},
    DecisionTerm{Evidence::kPlainText, Shape::kPlain, Evidence::kLargerRest},
    // Two pages of one host share a title more easily than two of different hosts.
    DecisionTerm{Evidence::kSameHost, Shape::kPlain, Evidence::kTitle},
};

struct DecisionModel {
  double constant;
  std::array<double, kDecisionTerms.size()> coefficients;  // of kDecisionTerms
};

extern const DecisionModel kDecisionModel;

// The values of kDecisionTerms.
std::array<double, kDecisionTerms.size()> decision_terms(const PairEvidence& evidence) noexcept;

// 0..1; the same bits on every machine.
double same_document_probability(const PairEvidence& evidence, const DecisionModel& model) noexcept;

}  // namespace nd::engine
