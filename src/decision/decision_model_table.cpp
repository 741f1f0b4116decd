// Made by eval/train-decision; do not edit.
// Pairs and weight of each set: own 289 × 0.7, web 829 × 1, documentation 205 × 0.7, texts 238 × 1, short
// 800 × 0.15, reframed-en 1200 × 0.6, reframed-en-one-host 1200 × 0.06, reframed-zh 1200 × 0.6.
// Rows with so many pages of a site known, and their weight: {0: 0.25, 1: 0.1, 2: 0.2, 4: 0.15, 10: 0.25,
// 100: 0.2, all: 0.35}.
// Ridge 10; 35492 rows of 1183 families.
#include "decision/decision_model.hpp"

namespace nd::engine {

const DecisionModel kDecisionModel = {-3.196936,
                                      {
                                          -0.571018,  // logit(resemblance)
                                          0.558115,   // logit(own_resemblance)
                                          0.418260,   // logit(own_containment)
                                          0.480971,   // logit(own_bag)
                                          1.611200,   // title
                                          1.071541,   // headings
                                          1.568045,   // name
                                          -0.063030,  // numbers
                                          -0.259485,  // words
                                          -0.149381,  // larger_rest
                                          0.364417,   // smaller_own
                                          -3.668892,  // missing_blocks
                                          1.268382,   // plain_text
                                          1.060058,   // plain_text*logit(own_resemblance)
                                          -0.246752,  // plain_text*numbers
                                          -0.498803,  // plain_text*larger_rest
                                          -1.656452,  // same_host*title
                                          0.731713,   // same_host*headings
                                      }};

}  // namespace nd::engine
