// Made by eval/train-decision; do not edit.
// Pairs and weight of each set: own 289 × 0.7, web 829 × 1, documentation 205 × 0.7, texts 238 × 1, short
// 800 × 0.15, reframed-en 1200 × 0.3, reframed-en-one-host 1200 × 0.06, reframed-zh 1200 × 0.3.
// Rows with so many pages of a site known, and their weight: {0: 0.25, 1: 0.1, 2: 0.2, 4: 0.15, 10: 0.25,
// 100: 0.2, all: 0.35}.
// Ridge 10; 35492 rows of 1183 families.
#include "decision/decision_model.hpp"

namespace nd::engine {

const DecisionModel kDecisionModel = {-3.001307,
                                      {
                                          -0.440102,  // logit(resemblance)
                                          0.549523,   // logit(own_resemblance)
                                          0.452379,   // logit(own_containment)
                                          0.414893,   // logit(own_bag)
                                          1.562142,   // title
                                          1.225058,   // headings
                                          -0.043990,  // numbers
                                          -0.272899,  // words
                                          -0.129021,  // larger_rest
                                          0.351955,   // smaller_own
                                          -2.777407,  // missing_blocks
                                          1.156806,   // plain_text
                                          1.024078,   // plain_text*logit(own_resemblance)
                                          -0.357022,  // plain_text*numbers
                                          -0.411848,  // plain_text*larger_rest
                                          -0.405227,  // same_host
                                          -1.394030,  // same_host*title
                                          0.460432,   // same_host*headings
                                      }};

}  // namespace nd::engine
