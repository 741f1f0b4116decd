// Made by eval/train-decision; do not edit.
// Pairs and weight of each set: own 289 × 0.7, web 829 × 1, documentation 205 × 0.7, texts 238 × 1, short
// 800 × 0.15, reframed-en 1200 × 0.4, reframed-zh 1200 × 0.4.
// Rows with so many pages of a site known, and their weight: {0: 0.25, 1: 0.1, 2: 0.2, 4: 0.15, 10: 0.25,
// 100: 0.2, all: 0.35}.
// Ridge 10; 27092 rows of 1183 families.
#include "engine/decision_model.hpp"

namespace nd::engine {

const DecisionModel kDecisionModel = {
    -1.960428,
    {
        -0.487199,  // logit(resemblance)
        0.580741,  // logit(own_resemblance)
        0.426027,  // logit(own_containment)
        0.466494,  // logit(own_bag)
        1.683925,  // title
        -0.224604,  // title_only
        0.450482,  // headings
        -0.043295,  // numbers
        -0.296456,  // words
        -0.111179,  // larger_rest
        0.361961,  // smaller_own
        -0.062454,  // replaced
        -2.749055,  // missing_blocks
        1.125280,  // plain_text
        0.934311,  // plain_text*logit(own_resemblance)
        -0.355828,  // plain_text*numbers
        -0.215745,  // plain_text*replaced
        -0.345580,  // plain_text*larger_rest
        -0.789811,  // same_host
        -1.723779,  // same_host*title
        0.453798,  // same_host*headings
        0.032053,  // same_host*logit(own_resemblance)
    }};

}  // namespace nd::engine
