// Made by eval/train-decision; do not edit.
// Pairs and weight of each set: own 289 × 0.7, web 829 × 1, documentation 205 × 0.7, texts 238 × 1, short
// 800 × 0.15, reframed-en 1200 × 0.4, reframed-zh 1200 × 0.4.
// Rows with so many pages of a site known, and their weight: {0: 0.25, 1: 0.1, 2: 0.2, 4: 0.15, 10: 0.25,
// 100: 0.2, all: 0.35}.
// Ridge 10; 27092 rows of 1183 families.
#include "engine/decision_model.hpp"

namespace nd::engine {

const DecisionModel kDecisionModel = {
    -1.935850,
    {
        -0.522481,  // logit(resemblance)
        0.590962,  // logit(own_resemblance)
        0.414911,  // logit(own_containment)
        0.522998,  // logit(own_bag)
        1.712279,  // title
        -0.217804,  // title_only
        0.334000,  // headings
        -0.043080,  // numbers
        -0.292184,  // words
        -0.109588,  // larger_rest
        0.357800,  // smaller_own
        -0.058259,  // replaced
        -2.665775,  // missing_blocks
        1.147004,  // plain_text
        0.923445,  // plain_text*logit(own_resemblance)
        -0.359287,  // plain_text*numbers
        -0.219123,  // plain_text*replaced
        -0.345288,  // plain_text*larger_rest
        -0.877332,  // same_host
        -1.837709,  // same_host*title
        0.733126,  // same_host*headings
        0.046485,  // same_host*logit(own_resemblance)
    }};

}  // namespace nd::engine
