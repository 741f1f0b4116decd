// Repeats a call with each of its steps failing in turn, and looks for leaks of memory and descriptors.
#include "faults/rehearsal.hpp"

#include <dirent.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "faults/interposed_files.hpp"

namespace faults {
namespace {

namespace fs = std::filesystem;

// A debug build takes several times as long, a sanitizer twenty times.
#if defined(NDC_FAULTS_FEW)
constexpr size_t kPointsLimit = 20;
#elif defined(NDEBUG)
constexpr size_t kPointsLimit = 2000;
#else
constexpr size_t kPointsLimit = 150;
#endif

size_t open_descriptors() {
  size_t count = 0;
  if (DIR* const directory = opendir("/proc/self/fd")) {
    while (readdir(directory) != nullptr)
      ++count;
    closedir(directory);
  }
  return count;
}

}  // namespace

Stage::Stage(const Scenario& scenario) {
  if (scenario.prepare == nullptr) return;
  folder_ = temporary_folder();
  store_ = folder_ + "/store";
  scenario.prepare(store_);
}

Stage::~Stage() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

Outcome perform(const Scenario& scenario, size_t index, World& world) {
  memory_clock.begin_call(index);
  file_clock.begin_call(index);
  Outcome outcome = scenario.steps[index].run(world);
  if (outcome.status != ND_OK && *nd_last_error() == '\0') outcome.answer += "no message";
  memory_clock.end_call();
  file_clock.end_call();
  return outcome;
}

Rehearsal rehearse(const Scenario& scenario, const Stage& stage, FaultClock& clock) {
  Rehearsal out;
  for (int run = 0; run < 4; ++run) {
    World world(stage.store());
    out.outcomes.clear();
    if (run == 2) clock.record(&out.points);
    for (size_t i = 0; i < scenario.steps.size(); ++i) {
      out.outcomes.push_back(perform(scenario, i, world));
      if (run == 3) out.pictures.push_back(picture_of(world.engine));
    }
    clock.disarm();
  }
  return out;
}

Held held_now() {
  return {held_blocks(), held_mappings(), open_descriptors()};
}

std::string describe_excess(const Held& before, const Held& now) {
  std::string text;
  for (size_t i = 0; i < kOwners; ++i) {
    const long more = now.blocks[i] - before.blocks[i];
    if (more > 0)
      text += std::to_string(more) + " blocks of " + std::string(name_of(Owner{static_cast<int>(i)})) + " ";
  }
  if (now.mappings > before.mappings) text += std::to_string(now.mappings - before.mappings) + " mappings ";
  if (now.descriptors > before.descriptors)
    text += std::to_string(now.descriptors - before.descriptors) + " descriptors ";
  return text;
}

bool is_of_ndc(const std::string& excess) {
  for (const char* const own : {" of ndc", " mappings", " descriptors"}) {
    if (excess.find(own) != excess.npos) return true;
  }
  return false;
}

size_t points_limit() {
  const char* const given = std::getenv("NDC_FAULT_POINTS");
  return given == nullptr ? kPointsLimit : static_cast<size_t>(std::strtoull(given, nullptr, 10));
}

}  // namespace faults
