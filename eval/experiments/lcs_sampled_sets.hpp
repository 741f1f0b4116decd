// The measure of quality of the TR2007012 slides, "Measurement for quality": sampled sets, each seen from the
// page that stands for it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scores.hpp"

namespace nd::eval::partition {

inline constexpr size_t kSampledSets = 1000;  // as many as the slides sample

// A page for each of `wanted` sets, drawn by the seed from the groups of `least_pages` labelled pages or more
// (all of them, if they are fewer): the one with the most pages of its label in the set, the first among
// equals. `groups`: by page.
std::vector<uint32_t> representative_pages(std::span<const PageTruth> pages, std::span<const uint64_t> groups,
                                           size_t least_pages, size_t wanted, uint64_t seed);

struct SampledSets {
  double precision;     // mean share of the pages in the representative's group that are truly similar to it
  double recall_ratio;  // mean ratio of the truly similar pages in its group to those in its group of `base`
};
// The slides do not say whether a page counts as similar to itself. Here it does, or a perfect set of two
// pages would have a precision of one half, and a page that `base` leaves alone no ratio. `within_sites`:
// only pages of the representative's site exist. Nothing without representatives.
std::optional<SampledSets> measure_sampled_sets(std::span<const PageTruth> pages,
                                                std::span<const uint32_t> representatives,
                                                std::span<const uint64_t> groups,
                                                std::span<const uint64_t> base, bool within_sites);

}  // namespace nd::eval::partition
