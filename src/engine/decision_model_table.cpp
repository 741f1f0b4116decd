// Made by eval/train-decision; do not edit.
#include "engine/decision_model.hpp"

namespace nd::engine {

const DecisionModel kDecisionModel = {
    -2.872093,
    {-0.487376, 0.534258, 0.386592, 0.413379, 0.635200, -0.175839, 1.447407, -0.057035, -0.226821, -0.122610, 0.331945, -0.037692, -2.002048, 1.569726, 0.932484, -0.290921, -0.223078, -0.230318}};

}  // namespace nd::engine
