// What the processes of store_scale do, one task each. They print facts (scale_process.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ndc::bench {

struct Task {
  std::string name;    // "grow", "open", "fill" or "latency"
  std::string store;   // a directory; empty: in memory
  uint64_t pages = 0;  // that the store has, or will have: the generator's count
  uint64_t first = 1;  // page to check
  uint64_t last = 0;
  uint64_t checks = 0;  // a round of "latency"
  uint64_t rounds = 0;
  std::string answers;               // a file for all answers of "grow"; empty: none
  std::vector<std::string> options;  // "key=value"
};

std::vector<std::string> arguments_of(const Task& task);
Task task_of(const std::vector<std::string>& arguments);
int run(const Task& task);

}  // namespace ndc::bench
