// A scenario: calls of the C interface in order, each with what it answered as text, so that a run in which
// something failed can be compared with one in which nothing did.
#pragma once

#include <ndcapi.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "faults/fault_clock.hpp"

namespace faults {

// A new one.
std::string temporary_folder();

// The state that the calls of one run share. Its destructor closes and frees the rest and removes the folder.
class World {
 public:
  // `store`: a directory that the run's own store begins as; empty: there is none yet.
  explicit World(const std::string& store = "");
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World();

  const std::string& path() const { return path_; }  // of the store

  nd_engine* engine = nullptr;
  nd_engine* reader = nullptr;  // of the same store, read only
  nd_options* options = nullptr;
  std::map<std::string, std::string> kept;  // features and signatures

 private:
  std::string folder_;
  std::string path_;
};

struct Outcome {
  nd_status status = ND_OK;
  std::string answer;  // of a call that failed: what it left in its outputs, which must be nothing
  bool operator==(const Outcome&) const = default;
};

struct Step {
  std::string name;
  std::function<Outcome(World&)> run;
};

struct Scenario {
  std::string name;
  std::vector<Step> steps;
  std::function<void(const std::string& path)> prepare = nullptr;  // makes the store that it begins with
  std::string durability = "";  // of its store: what must be there when the process dies; empty: nothing
  bool learns = false;  // what is forgotten for want of memory shows in later answers: see docs/decision.md
};

std::vector<Scenario> memory_scenarios();
std::vector<Scenario> store_scenarios();

// Everything that a caller can see of an engine's content. Events apart: one may be lost for lack of memory.
// Candidate keys may not, but in a scenario that learns.
struct Picture {
  std::string content;
  std::string events;
  uint64_t keys = 0;
  bool operator==(const Picture&) const = default;
  bool is_but_for_events(const Picture& other) const {
    return content == other.content && keys == other.keys;
  }
};
Picture picture_of(nd_engine* engine);

// The functions of ndcapi.h that any call of this process has entered.
std::set<std::string>& called_functions();
// The values of option `detector` with which any call of this process has opened an engine.
std::set<std::string>& opened_detectors();

template <typename Call>
auto in_library(const char* function, Call call) {
  called_functions().insert(function);
  const LibraryCall inside;
  return call();
}
#define ND_CALL(function, ...) ::faults::in_library(#function, [&] { return function(__VA_ARGS__); })

}  // namespace faults
