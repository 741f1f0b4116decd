// Made by eval/train-decision; do not edit.
#include "engine/decision_model.hpp"

namespace nd::engine {

const DecisionModel kDecisionModel = {
    -1.926946,
    {-0.526513, 0.590833, 0.416979, 0.533817, 1.656781, -0.225903, 0.439013, -0.042264, -0.288889, -0.104530, 0.338408, -0.039762, -2.670154, 1.250652, 0.891597, -0.352643, -0.251639, -0.335072, -0.874794, -1.844895, 0.687246, 0.063961}};

}  // namespace nd::engine
