// An index against brute force: random insertions, removals, epochs and searches.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "unit/baselines/word_sample.hpp"

namespace nd::baselines::sample {

// `Baseline` has insert(id, words), remove(id), start_epoch(), find(words), counts(), and score(asked, kept):
// what the two score, below 0 if that is no match. Returns the matches found.
template <typename Baseline>
uint64_t compare_with_brute_force(Baseline& baseline, uint64_t seed, uint64_t vocabulary) {
  Random random(seed);
  std::map<uint64_t, Words> kept;  // ids grow with age
  std::vector<Words> seen;
  uint64_t found = 0;
  for (int step = 0; step < 300; ++step) {
    const uint64_t action = random.below(100);
    if (action < 40 || seen.empty()) {
      seen.push_back(random.next(seen, vocabulary, 120));
      const uint64_t id = 3 * seen.size();
      if (baseline.insert(id, seen.back())) kept[id] = seen.back();
      EXPECT_FALSE(baseline.insert(id, seen.back()) && kept.contains(id));
    } else if (action < 55 && !kept.empty()) {
      auto at = kept.begin();
      std::advance(at, random.below(kept.size()));
      EXPECT_TRUE(baseline.remove(at->first));
      EXPECT_FALSE(baseline.remove(at->first));
      kept.erase(at);
    } else if (action < 58) {
      baseline.start_epoch();
    } else {
      const Words asked = random.next(seen, vocabulary, 120);
      std::vector<Answer> expected;
      for (const auto& [id, words] : kept) {
        const double score = baseline.score(asked, words);
        if (score >= 0) expected.push_back({id, score});
      }
      std::stable_sort(expected.begin(), expected.end(),
                       [](const Answer& a, const Answer& b) { return a.score > b.score; });
      const Matches matches = baseline.find(asked);
      EXPECT_EQ(answers(matches), expected) << seed << ' ' << step;
      EXPECT_FALSE(matches.limited || matches.more);
      found += expected.size();
    }
    EXPECT_EQ(baseline.counts().documents, kept.size());
    if (testing::Test::HasFailure()) return 0;
  }
  return found;
}

}  // namespace nd::baselines::sample
