// The kinds of pages of bench/hostile_page_generator as parameters of tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "hostile_page_generator.hpp"

namespace ndc::bench {

// What GoogleTest shows of a case; of a pointer it would show the address, which is another in each run.
inline void PrintTo(const HostileKind* kind, std::ostream* out) {
  *out << kind->name;
}

inline std::string name_of(const ::testing::TestParamInfo<const HostileKind*>& info) {
  std::string name(info.param->name);
  std::ranges::replace(name, '-', '_');
  return name;
}

inline std::vector<const HostileKind*> all_kinds() {
  std::vector<const HostileKind*> kinds;
  for (const HostileKind& kind : hostile_kinds())
    kinds.push_back(&kind);
  return kinds;
}

}  // namespace ndc::bench
