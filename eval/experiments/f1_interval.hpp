// How much F1 depends on the label groups that happened to be collected.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "scores.hpp"

namespace nd::eval {

struct Interval {
  double low;
  double high;
};

// The middle 95 % of F1 over 1,000 collections that are drawn from the label groups, as many as there are,
// with replacement (Efron's bootstrap, percentiles). Groups are drawn and not pages, since the pairs of one
// group are right or wrong together; a wrong pair of two groups counts half for each. None if nothing is said
// and nothing is to be found. The same for the same arguments on every machine. Cost: 1,000 times the label
// groups.
std::optional<Interval> f1_interval(std::span<const PageTruth> pages, std::span<const uint64_t> groups,
                                    uint64_t seed);

}  // namespace nd::eval
