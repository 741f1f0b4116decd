// Why two pages count as the same document or not, in sentences for people who know no option. Programs that
// word them in another language go by the names and the values.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "core/memory.hpp"
#include "decision/verification.hpp"

namespace nd::engine {

struct PairReason {
  std::string_view name;  // static, as those of ndcapi.h
  std::array<double, 2> values{};
  size_t value_count = 0;

  // In English, the values as percentages.
  String sentence() const;
};

// What a comparison has found.
struct ComparedPair {
  const Verification& verification;  // `threshold`: also a detector's
  bool by_lcs = true;                // it measured, whether or not it decides
  bool has_boilerplate = false;      // of the sites, which counts little
};

// What the two have in common, how they differ, and what follows from it.
Vector<PairReason> reasons_of(const ComparedPair& pair);

}  // namespace nd::engine
