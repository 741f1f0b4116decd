// Made by eval/train-decision; do not edit.
// Pairs and weight of each set: own 289 × 0.7, web 829 × 1, documentation 205 × 0.7, texts 238 × 1, short
// 800 × 0.15, reframed-en 1200 × 0.6, reframed-en-one-host 1200 × 0.06, reframed-zh 1200 × 0.6.
// Rows with so many pages of a site known, and their weight: {0: 0.25, 1: 0.1, 2: 0.2, 4: 0.15, 10: 0.25,
// 100: 0.2, all: 0.35}.
// Ridge 10; 35492 rows of 1183 families.
#include "decision/decision_model.hpp"

namespace nd::engine {

const DecisionModel kDecisionModel = {-3.274890,
                                      {
                                          -0.570037,  // logit(resemblance)
                                          0.572406,   // logit(own_resemblance)
                                          0.423322,   // logit(own_containment)
                                          0.487943,   // logit(own_bag)
                                          1.610240,   // title
                                          1.084631,   // headings
                                          1.584643,   // name
                                          -0.071131,  // numbers
                                          -0.257291,  // words
                                          -0.117991,  // larger_rest
                                          0.350186,   // smaller_own
                                          -3.772417,  // missing_blocks
                                          1.281566,   // plain_text
                                          1.053300,   // plain_text*logit(own_resemblance)
                                          -0.240439,  // plain_text*numbers
                                          -0.508750,  // plain_text*larger_rest
                                          -1.665643,  // same_host*title
                                          0.722229,   // same_host*headings
                                      }};

}  // namespace nd::engine
