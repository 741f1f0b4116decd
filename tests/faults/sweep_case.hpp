// A scenario in one of the two modes, as a parameter of GoogleTest.
#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <initializer_list>
#include <ostream>
#include <string>
#include <vector>

#include "faults/scenario.hpp"

namespace faults {

struct SweepCase {
  Scenario scenario;
  Mode mode;
};

inline std::string name_of(Mode mode) {
  switch (mode) {
    case Mode::kOnce:
      return "once";
    case Mode::kFromThenOn:
      return "from then on";
    case Mode::kStarving:
      break;
  }
  return "from then on without memory";
}

inline void PrintTo(const SweepCase& given, std::ostream* out) {
  *out << given.scenario.name << ", " << name_of(given.mode);
}

inline std::vector<SweepCase> sweep_cases(const std::vector<Scenario>& scenarios,
                                          std::initializer_list<Mode> modes) {
  std::vector<SweepCase> cases;
  for (const Scenario& scenario : scenarios) {
    for (const Mode mode : modes)
      cases.push_back({scenario, mode});
  }
  return cases;
}

inline std::string name_of_case(const ::testing::TestParamInfo<SweepCase>& info) {
  std::string name = info.param.scenario.name + " " + name_of(info.param.mode);
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

// For a failure's text.
inline std::string text_of(const Outcome& outcome) {
  return std::to_string(outcome.status) + " " + outcome.answer.substr(0, 300);
}

}  // namespace faults
