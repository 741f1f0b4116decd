// The scenarios leave no function of the C interface and no detector out, and none of them fails by itself.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "faults/rehearsal.hpp"

namespace faults {
namespace {

std::set<std::string> exported_functions() {
  std::ifstream list(NDC_SOURCE_DIR "/tests/abi/exports.txt");
  std::set<std::string> functions;
  for (std::string line; std::getline(list, line);)
    functions.insert(line.substr(0, line.find('@')));
  return functions;
}

// As nd_options_describe lists them.
std::set<std::string> choices_of(const std::string& key) {
  std::set<std::string> choices;
  nd_option_info info = ND_OPTION_INFO_INIT;
  for (size_t i = 0; nd_options_describe(i, &info) == ND_OK; ++i) {
    if (info.key != key) continue;
    std::istringstream range(info.range);
    for (std::string choice; std::getline(range, choice, '|');)
      choices.insert(choice);
  }
  return choices;
}

TEST(CompletenessTest, EveryFunctionAndEveryDetectorIsInAScenario) {
  for (const Scenario& scenario : memory_scenarios()) {
    const Stage stage(scenario);
    rehearse(scenario, stage, memory_clock);
  }
  EXPECT_EQ(called_functions(), exported_functions());
  EXPECT_FALSE(opened_detectors().empty());
  EXPECT_EQ(opened_detectors(), choices_of("detector"));
}

TEST(CompletenessTest, AScenarioAnswersTheSameEachTime) {
  for (const Scenario& scenario : memory_scenarios()) {
    const Stage stage(scenario);
    const Rehearsal one = rehearse(scenario, stage, memory_clock);
    const Rehearsal other = rehearse(scenario, stage, memory_clock);
    EXPECT_EQ(one.pictures, other.pictures) << scenario.name;
    EXPECT_TRUE(one.outcomes == other.outcomes) << scenario.name;
    EXPECT_GT(one.points.size(), 100U) << scenario.name;
    EXPECT_GT(count_sites(one.points), 20U) << scenario.name;
  }
}

}  // namespace
}  // namespace faults
