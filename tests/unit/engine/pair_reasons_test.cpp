// The sentences of nd_explain, of comparisons whose numbers are given.
#include "engine/pair_reasons.hpp"

#include <gtest/gtest.h>

#include <string>

namespace nd::engine {
namespace {

Verification found(bool similar, double in_a, double in_b) {
  Verification verification;
  verification.similar = similar;
  verification.rule = similar ? Rule::kProbability : Rule::kNone;
  verification.matched_coverage = in_a;
  verification.page_coverage = in_b;
  return verification;
}

std::string said(const Verification& verification, bool by_lcs = true, bool has_boilerplate = false) {
  std::string text;
  for (const PairReason& reason : reasons_of({verification, by_lcs, has_boilerplate}))
    text.append(reason.sentence()).append("|");
  return text;
}

TEST(PairReasons, SayWhatIsSharedAndWhatFollows) {
  Verification verification = found(true, 0.5, 0.998);
  verification.threshold = {"same_document", 0.5, 0.93};
  EXPECT_EQ(said(verification, true, true),
            "50 % of A's own text is in B too, and 99 % of B's own text is in A.|"
            "What their sites repeat on many pages hardly counts.|"
            "A says nearly all that B says, and more.|"
            "That makes it 93 % probable that they are the same document; from 50 % on they count as one.|");
  verification = found(false, 1, 0.2);
  verification.threshold = {"same_document", 0.5, 0.004};
  EXPECT_EQ(
      said(verification),
      "100 % of A's own text is in B too, and 20 % of B's own text is in A.|"
      "B says nearly all that A says, and more.|"
      "That makes it only 1 % probable that they are the same document; from 50 % on they would count as "
      "one.|");
  EXPECT_EQ(said(found(true, 0.98, 0.99)),
            "98 % of A's own text is in B too, and 99 % of B's own text is in A.|"
            "Hardly anything is in one of them alone.|");
}

TEST(PairReasons, SayWhyNoThresholdDecided) {
  Verification verification;
  verification.rule = Rule::kExact;
  EXPECT_EQ(said(verification), "A and B have the same text, word for word.|");
  verification = found(false, 0, 0.001);
  verification.refusal = Refusal::kLittleMatched;
  verification.limited = true;
  EXPECT_EQ(said(verification),
            "0 % of A's own text is in B too, and 1 % of B's own text is in A.|"
            "Each says something that the other does not.|"
            "That is too little to be the same document.|"
            "The comparison was ended early, since it took too much work.|");
  verification = found(false, 0.5, 0.5);
  verification.refusal = Refusal::kTruncated;
  EXPECT_EQ(said(verification),
            "Both pages were cut before they came, so that nothing can be said of the rest.|");
}

TEST(PairReasons, OfADetectorThatDecidesAloneSayItsThreshold) {
  Verification verification = found(true, 0, 0);
  verification.threshold = {"detector_threshold", 0.8, 0.9};
  EXPECT_EQ(said(verification, false), "What is measured here is 90 %, and 80 % are enough.|");
  verification.similar = false;
  EXPECT_EQ(said(verification, false), "What is measured here is 90 %, and 80 % are needed.|");
  verification.threshold = {"exact_width", 40, 0};
  EXPECT_EQ(said(verification, false), "There is too little text to tell.|");
}

}  // namespace
}  // namespace nd::engine
