// Very many records made by hand, checked one after another, and the work that they were.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/work_tally.hpp"
#include "engine/engine.hpp"
#include "unit/page/feature_sample.hpp"

namespace nd::engine {

inline constexpr uint32_t kFewPages = 250;
inline constexpr uint32_t kManyPages = 16 * kFewPages;
// Between linear, 16, and quadratic, 256. How many slots of a packed table an insertion passes depends on how
// full its segments are and on the secrets of the two engines: 250 runs gave 14 to 30.
inline constexpr double kMostGrowth = 64;

inline Owned<Engine> opened(const Parameters& parameters) {
  Result<Owned<Engine>> engine = Engine::open(parameters);
  EXPECT_TRUE(engine);
  return *std::move(engine);
}

inline WorkTally work_of(const Engine& engine) {
  WorkTally work;
  for (size_t step = 0; step < kWorkKinds; ++step)
    work.add(static_cast<Work>(step), engine.counters().work[step].load());
  return work;
}

// Of so many pages; make(number) returns a FeatureSample, or what derives from it. `most`: of the most
// expensive of them, by step.
template <typename Make>
WorkTally check_all(const Parameters& parameters, uint32_t pages, const Make& make, WorkTally& most) {
  const Owned<Engine> engine = opened(parameters);
  WorkTally before;
  most = WorkTally();
  for (uint32_t number = 0; number < pages; ++number) {
    auto page = make(number);
    if (page.url.empty())
      page.url = "https://" + (page.site.empty() ? "x.example" : page.site) + "/" + std::to_string(number);
    EXPECT_TRUE(engine->check_features(page.features()));
    const WorkTally now = work_of(*engine);
    for (size_t step = 0; step < kWorkKinds; ++step) {
      const auto kind = static_cast<Work>(step);
      const uint64_t amount = now.since(before).of(kind);
      if (amount > most.of(kind)) most.add(kind, amount - most.of(kind));
    }
    before = now;
  }
  return before;
}

// For sixteen times as many pages.
inline void expect_linear(const WorkTally& few, const WorkTally& many) {
  for (size_t step = 0; step < kWorkKinds; ++step) {
    const auto kind = static_cast<Work>(step);
    EXPECT_LE(static_cast<double>(many.of(kind)), kMostGrowth * static_cast<double>(few.of(kind)) + 10'000)
        << kWorkNames[step];
  }
}

// Words that no other page has.
inline std::vector<uint32_t> own_words(uint32_t number, uint32_t count) {
  return words(1'000'000 + number * 1000, count);
}

}  // namespace nd::engine
