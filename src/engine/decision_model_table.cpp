// Made by eval/train-decision; do not edit.
#include "engine/decision_model.hpp"

namespace nd::engine {

const DecisionModel kDecisionModel = {
    -2.888855,
    {-0.488684, 0.528228, 0.370953, 0.422121, 0.624454, -0.173826, 1.496589, -0.048093, -0.217167, -0.113913, 0.322026, -0.040973, -1.962093, 1.500190, 0.950742, -0.316416, -0.218370, -0.211323}};

}  // namespace nd::engine
