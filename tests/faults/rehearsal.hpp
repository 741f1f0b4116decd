// A scenario as it goes when nothing fails, with all the places where something could.
#pragma once

#include <string>
#include <vector>

#include "faults/failing_memory.hpp"
#include "faults/scenario.hpp"

namespace faults {

// The store that a scenario begins with, made once.
class Stage {
 public:
  explicit Stage(const Scenario& scenario);
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  ~Stage();
  const std::string& store() const { return store_; }  // empty: none

 private:
  std::string folder_;
  std::string store_;
};

struct Rehearsal {
  std::vector<Outcome> outcomes;   // of each call
  std::vector<Picture> pictures;   // after each call
  std::vector<FaultPoint> points;  // of the clock
};

// Before it the caches that libraries fill once in a process are filled by two more runs.
Rehearsal rehearse(const Scenario& scenario, const Stage& stage, FaultClock& clock);

// Runs the index-th call. A status without a message is reported in the answer as a fault.
Outcome perform(const Scenario& scenario, size_t index, World& world);

// Memory that calls of the library keep after they return.
struct Held {
  HeldBlocks blocks{};
  long mappings = 0;
  size_t descriptors = 0;
};
Held held_now();
// Memory that is held now and was not before, as text; empty if none.
std::string describe_excess(const Held& before, const Held& now);
// Whether it names something that no other library holds: blocks of ndc, mappings, descriptors.
bool is_of_ndc(const std::string& excess);

// How many points of a scenario are tried at most, but one of each site at least: NDC_FAULT_POINTS of the
// environment, else 2,000, or 150 in a debug build and 20 under a sanitizer, where every run is slow.
size_t points_limit();

}  // namespace faults
