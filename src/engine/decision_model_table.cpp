// Made by eval/train-decision; do not edit.
// Pairs and weight of each set: own 289 × 0.7, web 829 × 1, documentation 205 × 0.7, texts 238 × 1, short
// 800 × 0.15, reframed-en 1200 × 0.3, reframed-en-one-host 1200 × 0.06, reframed-zh 1200 × 0.3.
// Rows with so many pages of a site known, and their weight: {0: 0.25, 1: 0.1, 2: 0.2, 4: 0.15, 10: 0.25,
// 100: 0.2, all: 0.35}.
// Ridge 10; 35492 rows of 1183 families.
#include "engine/decision_model.hpp"

namespace nd::engine {

const DecisionModel kDecisionModel = {
    -2.764696,
    {
        -0.451602,  // logit(resemblance)
        0.552324,  // logit(own_resemblance)
        0.387346,  // logit(own_containment)
        0.416282,  // logit(own_bag)
        1.412618,  // title
        -0.067303,  // title_only
        1.221763,  // headings
        -0.046612,  // numbers
        -0.271705,  // words
        -0.126617,  // larger_rest
        0.395326,  // smaller_own
        -0.070580,  // replaced
        -2.831799,  // missing_blocks
        1.388649,  // plain_text
        0.963838,  // plain_text*logit(own_resemblance)
        -0.343716,  // plain_text*numbers
        -0.209379,  // plain_text*replaced
        -0.317643,  // plain_text*larger_rest
        -0.413485,  // same_host
        -1.361687,  // same_host*title
        0.428021,  // same_host*headings
        -0.017038,  // same_host*logit(own_resemblance)
    }};

}  // namespace nd::engine
