// Made by eval/train-decision; do not edit.
// Pairs and weight of each set: own 289 × 0.7, web 829 × 1, documentation 205 × 0.7, texts 238 × 1, short
// 800 × 0.15, reframed-en 1200 × 0.6, reframed-en-one-host 1200 × 0.06, reframed-zh 1200 × 0.6.
// Rows with so many pages of a site known, and their weight: {0: 0.25, 1: 0.1, 2: 0.2, 4: 0.15, 10: 0.25,
// 100: 0.2, all: 0.35}.
// Ridge 10; 35492 rows of 1183 families.
#include "decision/decision_model.hpp"

namespace nd::engine {

const DecisionModel kDecisionModel = {-3.719852,
                                      {
                                          0.639481,   // logit(own_resemblance)
                                          0.553149,   // logit(own_containment)
                                          0.510741,   // logit(own_bag)
                                          -0.047631,  // numbers
                                          -0.225928,  // words
                                          -0.312344,  // larger_rest
                                          3.014683,   // length
                                          1.935374,   // length*title
                                          1.611425,   // length*headings
                                          -0.643083,  // length*logit(resemblance)
                                          3.768010,   // name*kept_blocks
                                          0.612787,   // plain_text
                                          0.922191,   // plain_text*logit(own_resemblance)
                                          -0.257441,  // plain_text*numbers
                                          -0.372023,  // plain_text*larger_rest
                                          -1.159636,  // same_host*title
                                      }};

}  // namespace nd::engine
